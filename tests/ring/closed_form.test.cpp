#include "sim/ring/closed_form.hpp"

#include "tests/ring/support.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

RunSpec network() {
  RunSpec spec = exponential_spec(4);
  spec.jobs[0].cpus_allowed = {};
  spec.jobs[0].affinity = {Affinity::Kind::random, 1.0, false};
  spec.jobs[0].iodepth = 8;
  spec.jobs[0].numjobs = 4;
  return spec;
}

RunSpec open_queue() {
  RunSpec spec = exponential_spec(1);
  spec.jobs[0].iodepth = 100'000;
  spec.jobs[0].rate_iops = 5000;
  spec.jobs[0].rate_process = RateProcess::poisson;
  return spec;
}

}  // namespace

TEST_CASE("a closed network of equal queues has its product form") {
  const auto form = closed_form(network());
  REQUIRE(form);
  CHECK(form->name == "product form: 4 queues, 32 requests");
  CHECK(form->iops == Approx(4 * 10'000.0 * 32 / (32 + 4 - 1)));
  CHECK_FALSE(form->clat_us);
}

TEST_CASE("a policy that draws queues at random spreads requests as submitters that move do") {
  RunSpec spec = network();
  spec.jobs[0].affinity.kind = Affinity::Kind::pinned;
  spec.policy.name = "random";
  const auto form = closed_form(spec);
  REQUIRE(form);
  spec.jobs[0].cpus_allowed = CpuSet{0};
  spec.ramp_time = milliseconds(50);
  spec.runtime = seconds(2);
  CHECK(iops(run(spec, "random")) == Approx(form->iops).epsilon(0.03));
  spec.machine = machine(kContiguous);
  spec.policy.parameters["scope"] = std::string("node");
  CHECK_FALSE(closed_form(spec));
  spec.policy.parameters["scope"] = std::string("machine");
  CHECK(closed_form(spec));
}

TEST_CASE("one open Poisson job is an M/M/c") {
  RunSpec spec = open_queue();
  const auto one = closed_form(spec);
  REQUIRE(one);
  CHECK(one->name == "M/M/1 at a load of 0.5");
  CHECK(one->iops == 5000);
  CHECK(one->clat_us.value() == Approx(200));
  spec.server.backend = Backend::async;
  spec.server.workers = 4;
  CHECK(closed_form(spec).value().name == "M/M/4 at a load of 0.125");
}

TEST_CASE("where one condition is missing there is no closed form") {
  const auto none = [](RunSpec spec, auto change) {
    change(spec);
    return !closed_form(spec);
  };
  CHECK(none(network(), [](RunSpec& s) { s.costs.submit = nanoseconds(1); }));
  CHECK(none(network(), [](RunSpec& s) { s.costs.c6.exit_latency = nanoseconds(1); }));
  CHECK(none(network(), [](RunSpec& s) { s.costs.smt_slowdown = 1.1; }));
  CHECK(none(network(), [](RunSpec& s) { s.policy.name = "same-node"; }));
  CHECK(none(network(), [](RunSpec& s) { s.server.reply_batching = ReplyBatching::batch; }));
  CHECK(none(network(), [](RunSpec& s) { s.device.latency[0].shape = LatencySpec::Shape::constant; }));
  CHECK(none(network(), [](RunSpec& s) { s.device.channels = 3; }));
  CHECK(none(network(), [](RunSpec& s) { s.ring.max_background = 31; }));
  CHECK(none(network(), [](RunSpec& s) { s.ring.queues = CpuSet{0, 1}; }));
  CHECK(none(network(), [](RunSpec& s) { s.jobs[0].affinity.probability = 0.5; }));
  CHECK(none(network(), [](RunSpec& s) { s.jobs[0].thinktime = microseconds(1); }));
  CHECK(none(network(), [](RunSpec& s) {
    s.jobs[0].rw = ReadWrite::randrw;
    s.device.latency[1].mean = microseconds(50);
  }));
  CHECK(none(open_queue(), [](RunSpec& s) { s.jobs[0].rate_iops = 9900; }));
  CHECK(none(open_queue(), [](RunSpec& s) { s.jobs[0].rate_process = RateProcess::linear; }));
  CHECK(none(open_queue(), [](RunSpec& s) { s.jobs[0].iodepth = 10; }));
  CHECK(none(open_queue(), [](RunSpec& s) { s.ring.max_background = 12; }));
}

TEST_CASE("the requests of all slices are those that ended, the ramp's included, and the slices change nothing") {
  RunSpec spec = network();
  spec.ramp_time = milliseconds(3);
  spec.runtime = milliseconds(20);
  const RunResult result = run(spec, "local-only");
  REQUIRE(result.ended.size() == static_cast<std::size_t>(kSlices));
  const Duration slice = slice_length(spec.ramp_time, spec.runtime);
  std::uint64_t in_all = 0, surely_in_window = 0;
  for (std::size_t i = 0; i < result.ended.size(); ++i) {
    in_all += result.ended[i];
    if (static_cast<std::int64_t>(i) * slice >= spec.ramp_time) surely_in_window += result.ended[i];
  }
  CHECK(in_all > result.requests_ended);
  CHECK(surely_in_window <= result.requests_ended);
  CHECK(static_cast<double>(surely_in_window) >= 0.98 * static_cast<double>(result.requests_ended));
}
