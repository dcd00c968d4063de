// hash-inode: all requests of a file go to one queue.

#include "policies/api/candidates.hpp"

namespace spillway::policies {
namespace {

// The finaliser of splitmix64: neighbouring numbers end far apart.
constexpr std::uint64_t scatter(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class HashInode final : public Policy {
 public:
  explicit HashInode(Scope scope) : scope_(scope) {}

  Decision select(const RequestInfo& request, View& view) override {
    const auto queues = queues_in(scope_, view);
    return Decision::to(queues[scatter(request.file) % queues.size()]);
  }

 private:
  Scope scope_;
};

}  // namespace

PolicyInfo hash_inode() {
  return {"hash-inode",
          "The queue that a hash of the file's identity selects: one file, one queue, one server.",
          "J. Koong, March 2025",
          {scope_parameter("machine", "machine: constant for a file wherever its submitter runs")},
          [](const Machine&, const ParameterValues& values) -> std::unique_ptr<Policy> {
            return std::make_unique<HashInode>(scope_of(values));
          }};
}

}  // namespace spillway::policies
