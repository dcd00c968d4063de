#include "sim/study/linear_least_squares.hpp"

#include <Eigen/Core>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace spillway::detail {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const RowMajor> view(const DenseMatrix& matrix) {
  return {matrix.values.data(), static_cast<Eigen::Index>(matrix.rows), static_cast<Eigen::Index>(matrix.columns)};
}

Eigen::Map<const Eigen::VectorXd> view(const std::vector<double>& vector) {
  return {vector.data(), static_cast<Eigen::Index>(vector.size())};
}

std::vector<double> to_vector(const Eigen::VectorXd& vector) { return {vector.begin(), vector.end()}; }

}  // namespace

std::vector<double> damped_step(const DenseMatrix& jacobian, const std::vector<double>& residuals, double damping) {
  constexpr double kSmallestColumn = 1e-3;
  const auto j = view(jacobian);
  Eigen::VectorXd norms = j.colwise().norm();
  const double largest = norms.maxCoeff();
  if (largest == 0) return std::vector<double>(jacobian.columns);
  norms = norms.cwiseMax(kSmallestColumn * largest);

  Eigen::MatrixXd stacked(j.rows() + j.cols(), j.cols());
  stacked << j, Eigen::MatrixXd((std::sqrt(damping) * norms).asDiagonal());
  Eigen::VectorXd wanted = Eigen::VectorXd::Zero(stacked.rows());
  wanted.head(j.rows()) = -view(residuals);
  return to_vector(stacked.colPivHouseholderQr().solve(wanted));
}

SingularValues singular_values(const DenseMatrix& matrix) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(view(matrix), Eigen::ComputeFullV);
  SingularValues result;
  result.values = to_vector(svd.singularValues());
  result.values.resize(matrix.columns);  // fewer rows than columns: the rest is 0
  for (Eigen::Index k = 0; k < svd.matrixV().cols(); ++k) result.directions.push_back(to_vector(svd.matrixV().col(k)));
  return result;
}

double norm_of_product(const DenseMatrix& matrix, const std::vector<double>& x) {
  return (view(matrix) * view(x)).norm();
}

}  // namespace spillway::detail
