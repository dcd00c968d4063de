// two-choices: local while its load is small, else the less loaded of two random queues, nearer ones first.

#include "policies/api/two_choices.hpp"

namespace spillway::policies {
namespace {

class LocalOrTwoChoices final : public Policy {
 public:
  explicit LocalOrTwoChoices(const ParameterValues& values)
      : threshold_(count_of(values, "local_threshold")), choices_(values) {}

  Decision select(const RequestInfo&, View& view) override {
    if (view.load(view.local()) <= threshold_) return Decision::to(view.local());
    return Decision::to(choices_.pick(view, std::nullopt));
  }

 private:
  std::uint32_t threshold_;
  TwoChoices choices_;
};

std::vector<ParameterDecl> parameters() {
  std::vector<ParameterDecl> all = {count_parameter(
      "local_threshold", "", 2, 0, 65535, "Load up to which a request stays local.", "2: the patch series, v3")};
  for (ParameterDecl& shared : TwoChoices::parameters()) all.push_back(std::move(shared));
  return all;
}

}  // namespace

PolicyInfo two_choices() {
  return {
      "two-choices",
      "The local queue while its load is at most 2; else the less loaded of two random queues of the node if that is "
      "at most 3; else of two of the machine if at most 4; else the node's pick.",
      "B. Schubert, v3, October 2025", parameters(),
      [](const Machine&, const ParameterValues& values) -> std::unique_ptr<Policy> {
        return std::make_unique<LocalOrTwoChoices>(values);
      }};
}

}  // namespace spillway::policies
