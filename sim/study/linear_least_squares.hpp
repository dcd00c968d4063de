#pragma once
// The linear algebra of calibration: damped steps and singular values. The only file of this room that knows Eigen.

#include <cstddef>
#include <vector>

namespace spillway::detail {

/// A dense matrix, row by row.
struct DenseMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;

  DenseMatrix(std::size_t r, std::size_t c) : rows(r), columns(c), values(r * c) {}
  double& at(std::size_t row, std::size_t column) { return values[row * columns + column]; }
  double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

/// The x that minimizes |J x + r|^2 + damping |D x|^2, where D holds the norms of J's columns, but none of less than a
/// thousandth of the largest.
std::vector<double> damped_step(const DenseMatrix& jacobian, const std::vector<double>& residuals, double damping);

struct SingularValues {
  std::vector<double> values;                   ///< descending, one per column of the matrix
  std::vector<std::vector<double>> directions;  ///< right singular vectors, parallel to values
};
SingularValues singular_values(const DenseMatrix& matrix);

/// |M x|
double norm_of_product(const DenseMatrix& matrix, const std::vector<double>& x);

}  // namespace spillway::detail
