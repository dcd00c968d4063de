/* The rule of same-node against the C contract, as a kernel developer would write it. */

#include <stdlib.h>

#include "policies/api/spillway_policy.h"

SPILLWAY_PLUGIN;

static void* create(void* context, const spillway_machine* machine, const spillway_value* values,
                    spillway_error* error) {
  (void)context, (void)machine, (void)values, (void)error;
  return malloc(1);
}

static int choose(void* self, const spillway_request* request, spillway_view* view, spillway_decision* decision) {
  const uint32_t local = spillway_local(view);
  (void)self, (void)request;
  decision->index = local;
  if (spillway_has_free_entry(view, local)) return 0;
  const uint32_t node = spillway_own_node(view);
  size_t count = 0;
  const uint32_t* queues =
      node == SPILLWAY_NONE ? spillway_queues(view, &count) : spillway_queues_of(view, node, &count);
  const uint32_t found = spillway_first_free(view, queues, count, local);
  if (found != SPILLWAY_NONE) decision->index = found;
  return 0;
}

int spillway_register_policies(spillway_registry* registry) {
  static const spillway_policy policy = {.size = sizeof(spillway_policy),
                                         .name = "same-node-c",
                                         .description = "The rule of same-node, in C.",
                                         .source = "tests/plugins",
                                         .create = create,
                                         .destroy = free,
                                         .select = choose};
  return registry->add(registry, &policy);
}
