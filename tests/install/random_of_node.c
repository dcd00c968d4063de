/* A plug-in in C: a random queue of the submitter's node. */

#include <policies/api/spillway_policy.h>
#include <stdlib.h>

SPILLWAY_PLUGIN;

static void* create(void* context, const spillway_machine* machine, const spillway_value* values,
                    spillway_error* error) {
  (void)context, (void)machine, (void)values, (void)error;
  return malloc(1);
}

static int choose(void* self, const spillway_request* request, spillway_view* view, spillway_decision* decision) {
  const uint32_t node = spillway_own_node(view);
  size_t count = 0;
  const uint32_t* queues = node == SPILLWAY_NONE ? NULL : spillway_queues_of(view, node, &count);
  (void)self, (void)request;
  decision->index = count == 0 ? spillway_local(view) : queues[spillway_random_below(view, (uint32_t)count)];
  return 0;
}

int spillway_register_policies(spillway_registry* registry) {
  static const spillway_policy policy = {.size = sizeof(spillway_policy),
                                         .name = "random-of-node",
                                         .description = "A random queue of the submitter's node.",
                                         .source = "tests/install",
                                         .create = create,
                                         .destroy = free,
                                         .select = choose};
  return registry->add(registry, &policy);
}
