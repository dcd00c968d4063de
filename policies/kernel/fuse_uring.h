#pragma once
/* The kernel's dialect: gives the names that fs/fuse/dev_uring.c uses to choose a queue their simulated meaning, so
 * that the selection function of a kernel patch compiles as it is.
 *
 *     #include "policies/kernel/fuse_uring.h"
 *
 *     ... the patch's fuse_uring_task_to_queue() and the helpers that it adds, unchanged ...
 *
 *     SPILLWAY_KERNEL_POLICY("my-patch", "What the rule is.", "who wrote it");
 *
 * Everything that costs time in the kernel costs simulated time: a spin_lock() of a queue is a probe (lock_pair, the
 * transfer of the line, waiting for its holder), a READ_ONCE() or atomic_read() of a counter is a racy read. What a
 * queue's lists say is the state of the selection's start. policies/kernel/README.md lists all names; one that is not
 * there does not compile, and a counter that is read without READ_ONCE() or atomic_read() does not either.
 *
 * One file is one policy. It is C (GNU C11) and becomes a shared object like any other plug-in. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "policies/api/spillway_policy.h"

/* A name that is not known must not become a function that the linker misses. */
#pragma GCC diagnostic error "-Wimplicit-function-declaration"
#pragma GCC diagnostic error "-Wimplicit-int"
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#pragma GCC diagnostic error "-Wint-conversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"

/* --- Types, compiler --- */

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif
#define noinline __attribute__((noinline))
#define __maybe_unused __attribute__((unused))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define min(a, b)                       \
	({                              \
		__typeof__(a) _a = (a); \
		__typeof__(b) _b = (b); \
		_a < _b ? _a : _b;      \
	})
#define max(a, b)                       \
	({                              \
		__typeof__(a) _a = (a); \
		__typeof__(b) _b = (b); \
		_a > _b ? _a : _b;      \
	})
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define swap(a, b)                      \
	do {                            \
		__typeof__(a) _t = (a); \
		(a) = (b);              \
		(b) = _t;               \
	} while (0)
#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

/* --- Warnings: once each, to stderr; they change nothing --- */

#define pr_warn(...) ((void)fprintf(stderr, "kernel policy: " __VA_ARGS__))
#define pr_warn_once(...)                     \
	do {                                  \
		static bool _said;            \
		if (!_said) {                 \
			_said = true;         \
			pr_warn(__VA_ARGS__); \
		}                             \
	} while (0)
#define WARN(condition, ...)                   \
	({                                     \
		const bool _c = !!(condition); \
		if (_c)                        \
			pr_warn(__VA_ARGS__);  \
		unlikely(_c);                  \
	})
#define WARN_ONCE(condition, ...)                  \
	({                                         \
		const bool _c = !!(condition);     \
		if (_c)                            \
			pr_warn_once(__VA_ARGS__); \
		unlikely(_c);                      \
	})
#define WARN_ON(condition) WARN(condition, "%s\n", #condition)
#define WARN_ON_ONCE(condition) WARN_ONCE(condition, "%s\n", #condition)

/* --- The ring --- */

struct list_head {
	struct list_head *next, *prev; /* next == itself: empty; a queue's says so through list_empty() only */
};

typedef struct spinlock {
	bool held;
} spinlock_t;

/* Cannot be read but by READ_ONCE() or atomic_read(), which charge for it. */
struct spillway_counter {
	unsigned int use_READ_ONCE_or_atomic_read;
};
typedef struct spillway_counter atomic_t;

struct fuse_ring;

struct fuse_ring_queue {
	struct fuse_ring *ring;
	unsigned int qid; /* the CPU that it belongs to */
	spinlock_t lock;
	struct list_head ent_avail_queue; /* free entries */
	struct list_head fuse_req_queue;  /* active requests that wait for an entry */
	struct spillway_counter nr_reqs;  /* requests that wait or are in flight */
	bool stopped;                     /* never */
	bool spillway_is_free;
};

struct fuse_ring {
	size_t nr_queues;                /* possible CPUs */
	struct fuse_ring_queue **queues; /* by CPU; of one without, NULL, or its local one while it decides */
	bool ready;                      /* always */
	struct fuse_ring_queue *spillway_all;
	unsigned long *spillway_node_masks; /* by node id */
	unsigned long *spillway_cpus;
	const spillway_machine *spillway_machine_of;
	u32 spillway_node_ids; /* highest + 1 */
};

/* --- What this thread decides at the moment --- */

struct spillway_decision_at_hand {
	spillway_view *view;
	struct fuse_ring *ring;
};
static __thread struct spillway_decision_at_hand spillway_now_deciding;

static inline spillway_view *spillway_this_view(void) { return spillway_now_deciding.view; }

/* The queue that an address lies in; NULL where it lies in none. */
static inline struct fuse_ring_queue *spillway_queue_of(const volatile void *address)
{
	const struct fuse_ring *ring = spillway_now_deciding.ring;
	const char *first = (const char *)ring->spillway_all;
	const char *at = (const char *)address;

	if (at < first || at >= first + ring->nr_queues * sizeof(struct fuse_ring_queue))
		return NULL;
	return ring->spillway_all + (size_t)(at - first) / sizeof(struct fuse_ring_queue);
}

static inline unsigned int spillway_read_counter(const volatile void *counter)
{
	struct fuse_ring_queue *queue = spillway_queue_of(counter);

	return queue ? spillway_load(spillway_this_view(), queue->qid) : *(const volatile unsigned int *)counter;
}

#define READ_ONCE(x) \
	_Generic((x), struct spillway_counter: spillway_read_counter((const volatile void *)&(x)), default: (x))
#define data_race(x) READ_ONCE(x)
#define atomic_read(counter) ((int)spillway_read_counter(counter))

/* --- Locks and lists --- */

static inline void spin_lock(spinlock_t *lock)
{
	struct fuse_ring_queue *queue = spillway_queue_of(lock);

	lock->held = true;
	if (queue)
		queue->spillway_is_free = spillway_has_free_entry(spillway_this_view(), queue->qid);
}
static inline void spin_unlock(spinlock_t *lock) { lock->held = false; }
/* As the model does, a probe waits for the lock: it is never found taken. */
static inline bool spin_trylock(spinlock_t *lock)
{
	spin_lock(lock);
	return true;
}
#define spin_lock_bh(lock) spin_lock(lock)
#define spin_unlock_bh(lock) spin_unlock(lock)
#define spin_lock_irqsave(lock, flags) \
	do {                           \
		(flags) = 0;           \
		spin_lock(lock);       \
	} while (0)
#define spin_unlock_irqrestore(lock, flags) \
	do {                                \
		(void)(flags);              \
		spin_unlock(lock);          \
	} while (0)
#define lockdep_assert_held(lock) ((void)WARN_ON_ONCE(!(lock)->held))
static inline void rcu_read_lock(void) {}
static inline void rcu_read_unlock(void) {}
static inline void preempt_disable(void) {}
static inline void preempt_enable(void) {}

/* Under the queue's lock free of charge; ent_avail_queue without it is a probe, fuse_req_queue a racy read. */
static inline int list_empty(const struct list_head *head)
{
	struct fuse_ring_queue *queue = spillway_queue_of(head);

	if (!queue)
		return head->next == head;
	if (head == &queue->fuse_req_queue)
		return spillway_waiting(spillway_this_view(), queue->qid) == 0;
	if (queue->lock.held)
		return !queue->spillway_is_free;
	return !spillway_has_free_entry(spillway_this_view(), queue->qid);
}
#define list_empty_careful(head) list_empty(head)

/* --- Tasks, CPUs and nodes --- */

struct task_struct {
	int spillway_unused;
};
static struct task_struct spillway_submitter __attribute__((unused));
#define current (&spillway_submitter)
#define NUMA_NO_NODE (-1)

static inline unsigned int task_cpu(const struct task_struct *task) { return spillway_cpu(spillway_this_view()); }
#define smp_processor_id() ((int)task_cpu(current))
#define raw_smp_processor_id() smp_processor_id()
#define get_cpu() smp_processor_id()
#define put_cpu() ((void)0)

static inline int cpu_to_node(int cpu)
{
	const spillway_machine *machine = spillway_now_deciding.ring->spillway_machine_of;

	if (cpu < 0 || (u32)cpu >= machine->cpu_limit || machine->cpu_state[cpu] < SPILLWAY_CPU_DISALLOWED)
		return NUMA_NO_NODE;
	return machine->node_of[cpu] == SPILLWAY_NONE ? NUMA_NO_NODE : (int)machine->node_of[cpu];
}
#define numa_node_id() cpu_to_node(smp_processor_id())
#define numa_mem_id() numa_node_id()
#define nr_cpu_ids ((unsigned int)spillway_now_deciding.ring->spillway_machine_of->cpu_limit)
#define num_possible_cpus() nr_cpu_ids
#define num_online_cpus() ((unsigned int)spillway_now_deciding.ring->spillway_machine_of->usable_count)

static inline bool cpus_share_cache(int a, int b)
{
	return spillway_now_deciding.ring->spillway_machine_of->llc_of[a] ==
	       spillway_now_deciding.ring->spillway_machine_of->llc_of[b];
}

/* Of the ids of two nodes: 10 for the same, as the firmware says or by the order of nearness otherwise. */
static inline int node_distance(int a, int b)
{
	const spillway_machine *machine = spillway_now_deciding.ring->spillway_machine_of;
	u32 i, j, rank;

	if (a == b)
		return 10;
	for (i = 0; i < machine->node_count; i++) {
		const spillway_node *node = spillway_node_at(machine, i);

		if ((int)node->id != a)
			continue;
		for (j = 0; j < machine->node_count; j++)
			if ((int)spillway_node_at(machine, j)->id == b && machine->node_distances)
				return (int)machine->node_distances[(size_t)i * machine->node_count + j];
		for (rank = 0; rank + 1 < machine->node_count; rank++)
			if ((int)node->nearest[rank] == b)
				return 20 + (int)rank;
	}
	return 255;
}

/* --- CPU masks: of usable CPUs --- */

#define SPILLWAY_LONG_BITS (8 * sizeof(unsigned long))
struct cpumask;
typedef const struct cpumask *spillway_mask;

static inline unsigned long *spillway_bits(const struct cpumask *mask) { return (unsigned long *)(uintptr_t)mask; }
static inline bool cpumask_test_cpu(int cpu, const struct cpumask *mask)
{
	return cpu >= 0 && (unsigned int)cpu < nr_cpu_ids &&
	       (spillway_bits(mask)[(size_t)cpu / SPILLWAY_LONG_BITS] >> ((size_t)cpu % SPILLWAY_LONG_BITS) & 1);
}
/* The next CPU of the mask after `cpu` (-1: the first); >= nr_cpu_ids after the last. */
static inline unsigned int cpumask_next(int cpu, const struct cpumask *mask)
{
	unsigned int next = (unsigned int)(cpu + 1);

	while (next < nr_cpu_ids && !cpumask_test_cpu((int)next, mask))
		next++;
	return next;
}
#define cpumask_first(mask) cpumask_next(-1, mask)
static inline unsigned int cpumask_next_wrap(int cpu, const struct cpumask *mask)
{
	const unsigned int next = cpumask_next(cpu, mask);

	return next < nr_cpu_ids ? next : cpumask_first(mask);
}
static inline unsigned int cpumask_weight(const struct cpumask *mask)
{
	unsigned int cpu, weight = 0;

	for (cpu = cpumask_first(mask); cpu < nr_cpu_ids; cpu = cpumask_next((int)cpu, mask))
		weight++;
	return weight;
}
#define cpumask_empty(mask) (cpumask_first(mask) >= nr_cpu_ids)
#define cpu_possible_mask ((spillway_mask)spillway_now_deciding.ring->spillway_cpus)
#define cpu_online_mask cpu_possible_mask
#define cpu_online(cpu) cpumask_test_cpu(cpu, cpu_online_mask)

static inline const struct cpumask *cpumask_of_node(int node)
{
	const struct fuse_ring *ring = spillway_now_deciding.ring;
	const size_t words = (ring->nr_queues + SPILLWAY_LONG_BITS - 1) / SPILLWAY_LONG_BITS;

	if (node < 0 || (u32)node >= ring->spillway_node_ids)
		return (spillway_mask)ring->spillway_cpus;
	return (spillway_mask)(ring->spillway_node_masks + (size_t)node * words);
}
#define for_each_cpu(cpu, mask) \
	for ((cpu) = cpumask_first(mask); (unsigned int)(cpu) < nr_cpu_ids; (cpu) = cpumask_next((int)(cpu), mask))
#define for_each_possible_cpu(cpu) for_each_cpu(cpu, cpu_possible_mask)
#define for_each_online_cpu(cpu) for_each_cpu(cpu, cpu_online_mask)
/* All CPUs of the mask once, from `start` upwards, wrapping. */
#define for_each_cpu_wrap(cpu, mask, start)                                                                  \
	for (unsigned int _left = ((cpu) = cpumask_next_wrap((int)(start) - 1, mask), cpumask_weight(mask)); \
	     _left > 0; _left--, (cpu) = cpumask_next_wrap((int)(cpu), mask))

/* --- Random numbers: of the policy's own stream --- */

static inline u32 get_random_u32_below(u32 bound) { return spillway_random_below(spillway_this_view(), bound); }
static inline u32 get_random_u32(void)
{
	const u32 high = get_random_u32_below(1u << 16);

	return high << 16 | get_random_u32_below(1u << 16);
}
#define prandom_u32_max(bound) get_random_u32_below(bound)

/* --- From here to the simulator --- */

static inline void spillway_free_ring(void *self)
{
	struct fuse_ring *ring = self;

	free(ring->queues);
	free(ring->spillway_all);
	free(ring->spillway_node_masks);
	free(ring->spillway_cpus);
	free(ring);
}

static inline void spillway_set_bit(unsigned long *bits, u32 cpu)
{
	bits[cpu / SPILLWAY_LONG_BITS] |= 1ul << (cpu % SPILLWAY_LONG_BITS);
}

static inline void *spillway_make_ring(void *context, const spillway_machine *machine, const spillway_value *values,
				       spillway_error *error)
{
	struct fuse_ring *ring = calloc(1, sizeof(*ring));
	const size_t words = (machine->cpu_limit + SPILLWAY_LONG_BITS - 1) / SPILLWAY_LONG_BITS;
	u32 i, j;

	if (!ring)
		goto no_memory;
	ring->nr_queues = machine->cpu_limit;
	ring->ready = true;
	ring->spillway_machine_of = machine;
	for (i = 0; i < machine->node_count; i++)
		ring->spillway_node_ids = max(ring->spillway_node_ids, spillway_node_at(machine, i)->id + 1);
	ring->queues = calloc(ring->nr_queues, sizeof(*ring->queues));
	ring->spillway_all = calloc(ring->nr_queues, sizeof(*ring->spillway_all));
	ring->spillway_cpus = calloc(words, sizeof(long));
	ring->spillway_node_masks = calloc((size_t)ring->spillway_node_ids * words + 1, sizeof(long));
	if (!ring->queues || !ring->spillway_all || !ring->spillway_cpus || !ring->spillway_node_masks)
		goto no_memory;
	for (i = 0; i < machine->usable_count; i++)
		spillway_set_bit(ring->spillway_cpus, machine->usable[i]);
	for (i = 0; i < machine->node_count; i++) {
		const spillway_node *node = spillway_node_at(machine, i);

		for (j = 0; j < node->cpu_count; j++)
			spillway_set_bit(ring->spillway_node_masks + (size_t)node->id * words, node->cpus[j]);
	}
	for (i = 0; i < ring->nr_queues; i++) {
		struct fuse_ring_queue *queue = &ring->spillway_all[i];

		queue->ring = ring;
		queue->qid = i;
		queue->ent_avail_queue.next = queue->ent_avail_queue.prev = &queue->ent_avail_queue;
		queue->fuse_req_queue.next = queue->fuse_req_queue.prev = &queue->fuse_req_queue;
	}
	return ring;

no_memory:
	if (ring)
		spillway_free_ring(ring);
	if (error->capacity > 0)
		snprintf(error->message, error->capacity, "no memory for the ring");
	return NULL;
}

static inline int spillway_choose_queue(struct fuse_ring_queue *(*task_to_queue)(struct fuse_ring *), void *self,
					const spillway_request *request, spillway_view *view,
					spillway_decision *decision)
{
	struct fuse_ring *ring = self;
	struct fuse_ring_queue *queue;
	const u32 local = spillway_local(view);
	const u32 cpu = spillway_cpu(view);
	size_t count, i;

	spillway_now_deciding = (struct spillway_decision_at_hand){view, ring};
	if (!ring->queues[local]) { /* the first decision of the run */
		const u32 *registered = spillway_queues(view, &count);

		for (i = 0; i < count; i++)
			ring->queues[registered[i]] = &ring->spillway_all[registered[i]];
	}
	ring->queues[cpu] = ring->queues[local]; /* a CPU without a queue uses another's */
	queue = task_to_queue(ring);
	if (cpu != local)
		ring->queues[cpu] = NULL;
	if (!queue)
		view->calls->fault(view, "fuse_uring_task_to_queue() returned NULL");
	else if (!spillway_queue_of(queue))
		view->calls->fault(view, "fuse_uring_task_to_queue() returned something that is no queue of the ring");
	else
		decision->index = queue->qid;
	spillway_now_deciding = (struct spillway_decision_at_hand){NULL, NULL};
	return 0;
}

/* After fuse_uring_task_to_queue(): makes it the policy `NAME` (lower-case-with-dashes). */
#define SPILLWAY_KERNEL_POLICY(NAME, DESCRIPTION, SOURCE)                                                   \
	SPILLWAY_PLUGIN;                                                                                    \
	static int spillway_kernel_select(void *self, const spillway_request *request, spillway_view *view, \
					  spillway_decision *decision)                                      \
	{                                                                                                   \
		return spillway_choose_queue(fuse_uring_task_to_queue, self, request, view, decision);      \
	}                                                                                                   \
	int spillway_register_policies(spillway_registry *registry)                                         \
	{                                                                                                   \
		static const spillway_policy policy = {.size = sizeof(spillway_policy),                     \
						       .name = NAME,                                        \
						       .description = DESCRIPTION,                          \
						       .source = SOURCE,                                    \
						       .create = spillway_make_ring,                        \
						       .destroy = spillway_free_ring,                       \
						       .select = spillway_kernel_select};                   \
		return registry->add(registry, &policy);                                                    \
	}                                                                                                   \
	_Static_assert(1, "")
