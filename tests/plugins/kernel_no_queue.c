/* Finds no queue. */

#include "policies/kernel/fuse_uring.h"

static struct fuse_ring_queue *fuse_uring_task_to_queue(struct fuse_ring *ring)
{
	return WARN_ON_ONCE(!ring->ready) ? ring->queues[0] : NULL;
}

SPILLWAY_KERNEL_POLICY("kernel-no-queue", "Finds no queue.", "tests/plugins");
