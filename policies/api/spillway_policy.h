#pragma once
/* The binary contract between the simulator and a policy in a shared object, in C (C11 and C++).
 *
 * A plug-in exports two symbols: SPILLWAY_PLUGIN defines the data that says for which contract it was built, and
 * spillway_register_policies() adds its policies to a registry. The host reads the first before it calls anything.
 * C++ authors use policies/api/plugin.hpp instead, which is made of this.
 *
 * Evolution. SPILLWAY_ABI_VERSION changes only when something here changes its meaning; host and plug-in must agree on
 * it. Everything else is append-only: members and calls are added at the end of their struct, never moved or removed.
 * Every struct begins with its size as its maker knows it, so whoever reads a member that was added later first asks
 * SPILLWAY_HAS. What a maker does not know it leaves zero, and zero always means "as before".
 *
 * Rules. Text is UTF-8 and ends in a zero. A pointer that the plug-in hands over at registration stays valid while it
 * is loaded; one that the host hands over stays valid for the call, those of spillway_machine and of the parameter
 * values for the policy's life. No exception may cross. An instance is used by one thread at a time, but several
 * instances run side by side: keep state in the instance, not in globals. Times are picoseconds.
 *
 * Limits. A decision that makes more than SPILLWAY_MAX_LOOKS calls of its view (a list counts with its length), runs
 * longer than the watchdog allows, crashes, or names what does not exist ends its run as a policy fault. */

#ifdef __cplusplus
#include <cstddef>
#endif
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPILLWAY_ABI_VERSION 1u
#define SPILLWAY_MAX_LOOKS 1000000u /* calls of the view in one decision */
#define SPILLWAY_NONE UINT32_MAX    /* no CPU, node or queue */
#define SPILLWAY_SHARED_LINES 65536u
#define SPILLWAY_EXPORT __attribute__((visibility("default")))

/* Whether the maker of *pointer, which is a `type`, knew the member. */
#define SPILLWAY_HAS(type, pointer, member) ((pointer)->size >= offsetof(type, member) + sizeof((pointer)->member))

/* What the host reads before it calls anything. */
typedef struct spillway_abi {
  uint32_t size;
  uint32_t version; /* SPILLWAY_ABI_VERSION of the header that the plug-in was compiled with */
} spillway_abi;
extern SPILLWAY_EXPORT const spillway_abi spillway_plugin_abi;
#define SPILLWAY_PLUGIN const spillway_abi spillway_plugin_abi = {sizeof(spillway_abi), SPILLWAY_ABI_VERSION}

/* --- The machine --- */

enum { SPILLWAY_CPU_ABSENT = 0, SPILLWAY_CPU_OFFLINE = 1, SPILLWAY_CPU_DISALLOWED = 2, SPILLWAY_CPU_USABLE = 3 };
enum {
  SPILLWAY_SAME_CPU = 0,
  SPILLWAY_SAME_CORE = 1,
  SPILLWAY_SAME_LLC = 2,
  SPILLWAY_SAME_NODE = 3,
  SPILLWAY_OTHER_NODE = 4, /* of the same package */
  SPILLWAY_OTHER_PACKAGE = 5
};

typedef struct spillway_node {
  uint32_t size; /* also the distance to the next element of an array of nodes */
  uint32_t id;
  uint32_t cpu_count;
  uint32_t local_count;
  const uint32_t* cpus;     /* usable CPUs, ascending; no CPU is in two nodes */
  const uint32_t* local_to; /* all CPUs that its memory is local to */
  const uint32_t* nearest;  /* ids of the other nodes, nearest first: node_count - 1 */
  uint64_t local_memory;    /* bytes; 0 for a memory-less node */
} spillway_node;

typedef struct spillway_machine {
  uint32_t size;
  uint32_t cpu_limit;       /* highest CPU index + 1: the length of the arrays by CPU */
  const uint8_t* cpu_state; /* SPILLWAY_CPU_...; the other arrays mean something for online CPUs only */
  const uint32_t* core_of;
  const uint32_t* llc_of; /* last-level cache */
  const uint32_t* package_of;
  const uint32_t* node_of; /* SPILLWAY_NONE for a CPU without a node */
  const uint32_t* usable;  /* usable CPUs, ascending */
  uint32_t usable_count;
  uint32_t node_count;
  const spillway_node* nodes;     /* ascending by id; CPU-less ones included */
  const uint64_t* node_distances; /* the firmware's, node_count x node_count; NULL where it gives none */
  uint64_t l2_bytes;              /* of one cache; 0 where unknown */
  uint64_t llc_bytes;
  const char* description; /* the synthetic string or file that it came from */
  const char* first_line;
  const char* library; /* that read it */
} spillway_machine;

/* The i-th node, i < node_count. */
static inline const spillway_node* spillway_node_at(const spillway_machine* machine, uint32_t i) {
#ifdef __cplusplus
  return reinterpret_cast<const spillway_node*>(reinterpret_cast<const char*>(machine->nodes) +
                                                std::size_t{i} * machine->nodes->size);
#else
  return (const spillway_node*)((const char*)machine->nodes + (size_t)i * machine->nodes->size);
#endif
}

/* SPILLWAY_SAME_CPU .. SPILLWAY_OTHER_PACKAGE; both CPUs must be online. */
static inline int spillway_distance(const spillway_machine* machine, uint32_t a, uint32_t b) {
  if (a == b) return SPILLWAY_SAME_CPU;
  if (machine->core_of[a] == machine->core_of[b]) return SPILLWAY_SAME_CORE;
  if (machine->llc_of[a] == machine->llc_of[b]) return SPILLWAY_SAME_LLC;
  if (machine->package_of[a] != machine->package_of[b]) return SPILLWAY_OTHER_PACKAGE;
  return machine->node_of[a] == machine->node_of[b] ? SPILLWAY_SAME_NODE : SPILLWAY_OTHER_NODE;
}

/* --- One decision --- */

enum { SPILLWAY_READ = 0, SPILLWAY_WRITE = 1 };

typedef struct spillway_request {
  uint32_t size;
  uint32_t op; /* SPILLWAY_READ or SPILLWAY_WRITE */
  uint64_t bytes;
  uint64_t file;       /* identity of the file */
  uint32_t background; /* 1: asynchronous, counts against max_background; 0: its submitter waits */
  uint32_t submitter;  /* index of the submitting thread */
} spillway_request;

enum { SPILLWAY_TO_QUEUE = 0, SPILLWAY_PARK = 1 };

typedef struct spillway_decision {
  uint32_t size;
  uint32_t kind;  /* SPILLWAY_TO_QUEUE, or SPILLWAY_PARK: wait in the list of a node until one of its entries frees */
  uint32_t index; /* of the queue or node */
} spillway_decision;

typedef struct spillway_view spillway_view;

/* What can be asked. Queues are named by the CPU that they belong to. Calls marked [charged] take simulated time on the
 * CPU that decides; the rest is free. An answer about what does not exist is a fault of the decision, and 0. */
typedef struct spillway_view_calls {
  uint32_t size;
  uint32_t reserved;
  uint32_t (*cpu)(spillway_view*);   /* that the submitter (in server_idle, the server) runs on */
  uint32_t (*node)(spillway_view*);  /* of that CPU; SPILLWAY_NONE for a CPU without one */
  uint32_t (*local)(spillway_view*); /* the queue of that CPU */
  int64_t (*now)(spillway_view*);    /* ps; includes what this decision has been charged so far */
  const uint32_t* (*queues)(spillway_view*, size_t* count);                   /* registered ones, ascending */
  const uint32_t* (*queues_of)(spillway_view*, uint32_t node, size_t* count); /* of one node; may be empty */
  int (*is_registered)(spillway_view*, uint32_t queue);
  /* [charged] Locks the queue, asks whether it has a free entry, unlocks. */
  int (*has_free_entry)(spillway_view*, uint32_t queue);
  /* [charged] The first of a list, skipping `except` (may be SPILLWAY_NONE), that has a free entry: one probe after the
   * other as above. SPILLWAY_NONE after all. */
  uint32_t (*first_free)(spillway_view*, const uint32_t* queues, size_t count, uint32_t except);
  /* [charged] Requests that wait or are in flight on the queue: a racy read. */
  uint32_t (*load)(spillway_view*, uint32_t queue);
  /* [charged] The first of a list whose bit is set in the shared map of queues with a free entry. Needs
   * spillway_needs.uses_free_map. A list that is (part of) what queues_of() returned is read from the node's own map.
   */
  uint32_t (*first_in_free_map)(spillway_view*, const uint32_t* queues, size_t count, uint32_t except);
  /* Below `bound` (> 0), from the policy's own stream: the same for the same request in every run. */
  uint32_t (*random_below)(spillway_view*, uint32_t bound);
  /* The decision cannot be made: its run ends as a policy fault with this message. What is returned does not matter. */
  void (*fault)(spillway_view*, const char* message);
  /* [charged] Active requests that wait for an entry of the queue: a racy read. */
  uint32_t (*waiting)(spillway_view*, uint32_t queue);
  /* [charged] 1 if the queue's server thread sleeps in the kernel with nothing to do: a racy read. */
  int (*server_sleeps)(spillway_view*, uint32_t queue);
  /* [charged] Writes a cache line that the policy shares between all CPUs (a counter, a cursor). Lines are numbered by
   * the policy, below SPILLWAY_SHARED_LINES. */
  void (*write_shared)(spillway_view*, uint32_t line);
  /* As load, free of charge: no kernel can do this. For yardsticks only. */
  uint32_t (*oracle_load)(spillway_view*, uint32_t queue);
} spillway_view_calls;

struct spillway_view {
  uint32_t size;
  uint32_t faulty; /* not 0 once this decision has a fault: every further answer is 0, so just return */
  const spillway_view_calls* calls;
  const spillway_machine* machine;
};

/* --- A policy --- */

enum { SPILLWAY_BOOLEAN = 0, SPILLWAY_INTEGER = 1, SPILLWAY_NUMBER = 2, SPILLWAY_TEXT = 3 };

typedef union spillway_value {
  int64_t integer; /* also SPILLWAY_BOOLEAN: 0 or 1 */
  double number;
  const char* text;
} spillway_value;

typedef struct spillway_parameter {
  uint32_t size;    /* also the distance to the next element of an array of parameters */
  uint32_t kind;    /* SPILLWAY_BOOLEAN .. SPILLWAY_TEXT */
  const char* name; /* snake_case */
  const char* unit; /* NULL or "" for a count or a name */
  spillway_value default_value;
  double minimum; /* numbers only, inclusive */
  double maximum;
  const char* const* choices; /* text only: the allowed values, ending in NULL; NULL = any */
  const char* help;           /* one sentence */
  const char* source;         /* where the default comes from */
} spillway_parameter;

/* Where a call without a view says why it failed. */
typedef struct spillway_error {
  uint32_t size;
  uint32_t capacity;
  char* message; /* `capacity` bytes, its last stays 0 */
} spillway_error;

/* What an instance wants from its run; asked once, after create(). The host has filled in the defaults. */
typedef struct spillway_needs {
  uint32_t size;
  uint32_t uses_free_map; /* 1: the map is kept, and its writers pay for each change; default 0 */
  uint32_t park_limit;    /* a queue gets a parked request only while fewer of its entries are in use; default: all */
  uint32_t hooks;         /* those to call, SPILLWAY_HOOK_... added up; default 0 */
} spillway_needs;

enum { SPILLWAY_HOOK_REQUEST_ENDED = 1, SPILLWAY_HOOK_ENTRY_FREED = 2, SPILLWAY_HOOK_SERVER_IDLE = 4 };

typedef struct spillway_ended {
  uint32_t size;
  uint32_t queue;  /* whose entry the request had */
  int64_t latency; /* ps, from the enqueue to the end, waits for locks left out */
  const spillway_request* request;
} spillway_ended;

typedef struct spillway_policy {
  uint32_t size;
  uint32_t parameter_count;
  const char* name;        /* lower-case-with-dashes; unlike that of any other policy */
  const char* description; /* the rule in one or two sentences */
  const char* source;      /* who published it */
  const spillway_parameter* parameters;
  void* context; /* handed to create() */
  /* An instance for one run; `values` are parallel to `parameters`, checked. NULL = error, which says why. */
  void* (*create)(void* context, const spillway_machine* machine, const spillway_value* values, spillway_error* error);
  void (*destroy)(void* self); /* may be NULL */
  /* Fills in the decision (all zero before) and returns 0; anything else is a fault. */
  int (*select)(void* self, const spillway_request* request, spillway_view* view, spillway_decision* decision);
  void (*needs)(void* self, spillway_needs* needs); /* may be NULL: the defaults */
  /* Hooks that needs() asked for; each may be NULL. Not 0 is a fault; those without a view may say more in *error. */
  int (*request_ended)(void* self, const spillway_ended* ended, int64_t now,
                       spillway_error* error);                                        /* its entry is not free yet */
  int (*entry_freed)(void* self, uint32_t queue, int64_t now, spillway_error* error); /* no request waits for it */
  /* The server of `queue` has replied to a request, holds its entry, and nothing waits for it. Names in *victim the
   * queue whose oldest waiting request it takes; SPILLWAY_NONE (there before): the entry becomes free. */
  int (*server_idle)(void* self, uint32_t queue, spillway_view* view, uint32_t* victim);
} spillway_policy;

typedef struct spillway_registry spillway_registry;
struct spillway_registry {
  uint32_t size;
  uint32_t abi_version; /* of the host */
  /* 0, or not where the description is refused; the host says why. */
  int (*add)(spillway_registry* registry, const spillway_policy* policy);
};

/* Defined by the plug-in: adds its policies. Returns 0, or not where it cannot be used. */
SPILLWAY_EXPORT int spillway_register_policies(spillway_registry* registry);

/* --- The same questions, shorter to write --- */

static inline uint32_t spillway_cpu(spillway_view* view) { return view->calls->cpu(view); }
static inline uint32_t spillway_own_node(spillway_view* view) { return view->calls->node(view); }
static inline uint32_t spillway_local(spillway_view* view) { return view->calls->local(view); }
static inline int64_t spillway_now(spillway_view* view) { return view->calls->now(view); }
static inline const uint32_t* spillway_queues(spillway_view* view, size_t* count) {
  return view->calls->queues(view, count);
}
static inline const uint32_t* spillway_queues_of(spillway_view* view, uint32_t node, size_t* count) {
  return view->calls->queues_of(view, node, count);
}
static inline int spillway_is_registered(spillway_view* view, uint32_t queue) {
  return view->calls->is_registered(view, queue);
}
static inline int spillway_has_free_entry(spillway_view* view, uint32_t queue) {
  return view->calls->has_free_entry(view, queue);
}
static inline uint32_t spillway_first_free(spillway_view* view, const uint32_t* queues, size_t count, uint32_t except) {
  return view->calls->first_free(view, queues, count, except);
}
static inline uint32_t spillway_load(spillway_view* view, uint32_t queue) { return view->calls->load(view, queue); }
static inline uint32_t spillway_first_in_free_map(spillway_view* view, const uint32_t* queues, size_t count,
                                                  uint32_t except) {
  return view->calls->first_in_free_map(view, queues, count, except);
}
static inline uint32_t spillway_waiting(spillway_view* view, uint32_t queue) {
  return view->calls->waiting(view, queue);
}
static inline int spillway_server_sleeps(spillway_view* view, uint32_t queue) {
  return view->calls->server_sleeps(view, queue);
}
static inline void spillway_write_shared(spillway_view* view, uint32_t line) { view->calls->write_shared(view, line); }
static inline uint32_t spillway_oracle_load(spillway_view* view, uint32_t queue) {
  return view->calls->oracle_load(view, queue);
}
static inline uint32_t spillway_random_below(spillway_view* view, uint32_t bound) {
  return view->calls->random_below(view, bound);
}

#ifdef __cplusplus
}
#endif
