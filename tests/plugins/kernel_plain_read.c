/* Does not compile, and must not: a counter that others write is read without READ_ONCE(). */

#include "policies/kernel/fuse_uring.h"

static struct fuse_ring_queue *fuse_uring_task_to_queue(struct fuse_ring *ring)
{
	return ring->queues[0]->nr_reqs > 2 ? ring->queues[1] : ring->queues[0];
}

SPILLWAY_KERNEL_POLICY("kernel-plain-read", "No rule.", "tests/plugins");
