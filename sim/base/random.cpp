#include "sim/base/random.hpp"

#include <Random123/philox.h>

#include <array>
#include <cmath>

namespace spillway {
namespace {

template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) {
  double value = coefficients[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) value = value * x + coefficients[i];
  return value;
}

// Numerators and denominators of the three rational approximations, lowest power first.
constexpr std::array<double, 8> kA = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                      1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                      3.3430575583588128105e+4, 2.5090809287301226727e+3};
constexpr std::array<double, 8> kB = {1.0,
                                      4.2313330701600911252e+1,
                                      6.8718700749205790830e+2,
                                      5.3941960214247511077e+3,
                                      2.1213794301586595867e+4,
                                      3.9307895800092710610e+4,
                                      2.8729085735721942674e+4,
                                      5.2264952788528545610e+3};
constexpr std::array<double, 8> kC = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                      3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                      2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr std::array<double, 8> kD = {1.0,
                                      2.05319162663775882187e0,
                                      1.67638483018380384940e0,
                                      6.89767334985100004550e-1,
                                      1.48103976427480074590e-1,
                                      1.51986665636164571966e-2,
                                      5.47593808499534494600e-4,
                                      1.05075007164441684324e-9};
constexpr std::array<double, 8> kE = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                      2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                      2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr std::array<double, 8> kF = {1.0,
                                      5.99832206555887937690e-1,
                                      1.36929880922735805310e-1,
                                      1.48753612908506148525e-2,
                                      7.86869131145613259100e-4,
                                      1.84631831751005468180e-5,
                                      1.42151175831644588870e-7,
                                      2.04426310338993978564e-15};

}  // namespace

std::uint64_t Random::bits(std::uint32_t stream, std::uint64_t number, Purpose purpose) const {
  const r123::Philox4x32::ctr_type counter = {
      {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32),
       (static_cast<std::uint32_t>(purpose) << 24) | (stream & 0xffffff), replication_}};
  const r123::Philox4x32::key_type key = {{static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)}};
  const r123::Philox4x32::ctr_type block = r123::Philox4x32{}(counter, key);
  return (static_cast<std::uint64_t>(block[1]) << 32) | block[0];
}

std::uint32_t Random::below(std::uint32_t bound, std::uint32_t stream, std::uint64_t number, Purpose purpose) const {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint32_t>((Wide{bits(stream, number, purpose)} * bound) >> 64);
}

double normal_quantile(double u) {
  const double q = u - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kA, r) / polynomial(kB, r);
  }
  const double r = std::sqrt(-std::log(q < 0 ? u : 1 - u));
  const double value =
      r <= 5 ? polynomial(kC, r - 1.6) / polynomial(kD, r - 1.6) : polynomial(kE, r - 5) / polynomial(kF, r - 5);
  return q < 0 ? -value : value;
}

}  // namespace spillway
