/* Plug-ins that must be refused when they are loaded; the build defines which mistake is made. Without one it is good.
 */

#include <stdlib.h>

#include "policies/api/spillway_policy.h"

#if defined(BAD_WRONG_ABI)
const spillway_abi spillway_plugin_abi = {sizeof(spillway_abi), 999};
#elif !defined(BAD_NO_ABI)
SPILLWAY_PLUGIN;
#endif

#ifdef BAD_NAME_OF_BUILTIN
#define NAME "same-node"
#else
#define NAME "bad-c"
#endif

#ifndef BAD_NO_ENTRY

static void* create(void* context, const spillway_machine* machine, const spillway_value* values,
                    spillway_error* error) {
  (void)context, (void)machine, (void)values, (void)error;
  return malloc(1);
}

static int choose(void* self, const spillway_request* request, spillway_view* view, spillway_decision* decision) {
  (void)self, (void)request;
  decision->index = spillway_local(view);
  return 0;
}

static const spillway_parameter parameters[] = {{.size = sizeof(spillway_parameter),
                                                 .kind = SPILLWAY_INTEGER,
                                                 .name = "tries",
                                                 .default_value = {.integer = 3},
                                                 .minimum = 4,
                                                 .maximum = 8,
                                                 .help = "Its default is none of its values."}};

int spillway_register_policies(spillway_registry* registry) {
  static spillway_policy policy = {.size = sizeof(spillway_policy),
                                   .name = NAME,
                                   .description = "The local queue.",
                                   .source = "tests/plugins",
                                   .create = create,
                                   .destroy = free,
                                   .select = choose};
#ifdef BAD_WRONG_ABI
  abort(); /* must not be called */
#endif
#ifdef BAD_NO_POLICY
  return 0;
#endif
#ifdef BAD_REFUSES
  return 7;
#endif
#ifdef BAD_CRASHES
  *(volatile int*)0 = 0;
#endif
#ifdef BAD_BAD_PARAMETER
  policy.parameters = parameters;
  policy.parameter_count = 1;
#endif
  (void)parameters;
#ifdef BAD_SAME_NAME_TWICE
  registry->add(registry, &policy);
#endif
  return registry->add(registry, &policy);
}
#endif
