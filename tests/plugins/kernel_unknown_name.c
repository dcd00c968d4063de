/* Does not compile, and must not: the dialect has no such name. */

#include "policies/kernel/fuse_uring.h"

static struct fuse_ring_queue *fuse_uring_task_to_queue(struct fuse_ring *ring)
{
	return ring->queues[cpumask_any_distribute(cpu_online_mask)];
}

SPILLWAY_KERNEL_POLICY("kernel-unknown-name", "No rule.", "tests/plugins");
