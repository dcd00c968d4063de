#include <Eigen/Dense>
