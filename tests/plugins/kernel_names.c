/* Uses what the kernel's dialect offers besides locks and lists; a wrong answer of one returns no queue. */

#include "policies/kernel/fuse_uring.h"

static bool names_agree(struct fuse_ring *ring)
{
	const struct cpumask *mine = cpumask_of_node(numa_node_id());
	unsigned int cpu, seen = 0, wrapped = 0, last = 0;

	for_each_cpu(cpu, mine) {
		if (cpu_to_node(cpu) != numa_node_id() || (seen > 0 && cpu <= last))
			return false;
		last = cpu;
		seen++;
	}
	for_each_cpu_wrap(cpu, mine, smp_processor_id()) {
		if (wrapped == 0 && (int)cpu != smp_processor_id())
			return false;
		wrapped++;
	}
	return seen == cpumask_weight(mine) && wrapped == seen && cpumask_test_cpu(raw_smp_processor_id(), mine) &&
	       cpumask_first(cpu_possible_mask) == 0 && nr_cpu_ids == ring->nr_queues &&
	       cpu_to_node(-1) == NUMA_NO_NODE && cpus_share_cache(smp_processor_id(), (int)last) &&
	       node_distance(0, 0) == 10 && node_distance(0, 1) > 10 && get_random_u32_below(7) < 7 && min(2, 3) == 2 &&
	       max_t(int, 2, 3) == 3 && ring->ready;
}

/* The least loaded queue of the node, the local one unread. */
static struct fuse_ring_queue *fuse_uring_task_to_queue(struct fuse_ring *ring)
{
	struct fuse_ring_queue *best = ring->queues[task_cpu(current)];
	unsigned int cpu, least = 2;

	if (!names_agree(ring))
		return NULL;
	for_each_cpu(cpu, cpumask_of_node(cpu_to_node(task_cpu(current)))) {
		struct fuse_ring_queue *queue = ring->queues[cpu];
		unsigned int load;

		if (cpu == task_cpu(current))
			continue;
		load = READ_ONCE(queue->nr_reqs);
		if (load < least) {
			least = load;
			best = queue;
		}
	}
	return best;
}

SPILLWAY_KERNEL_POLICY("kernel-names", "The least loaded of the node's other queues.", "tests/plugins");
