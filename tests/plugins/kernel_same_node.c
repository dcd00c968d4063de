/* The rule of the patch of 14 July 2026 in the kernel's dialect, in our words. */

#include "policies/kernel/fuse_uring.h"

static bool queue_has_room(struct fuse_ring_queue *queue)
{
	bool room;

	spin_lock(&queue->lock);
	room = !list_empty(&queue->ent_avail_queue);
	spin_unlock(&queue->lock);

	return room;
}

static struct fuse_ring_queue *queue_with_room_on(struct fuse_ring *ring, int node, struct fuse_ring_queue *full)
{
	unsigned int qid;

	for (qid = 0; qid < ring->nr_queues; qid++) {
		struct fuse_ring_queue *queue = READ_ONCE(ring->queues[qid]);

		if (!queue || queue == full)
			continue;
		if (node != NUMA_NO_NODE && cpu_to_node(qid) != node)
			continue;
		if (queue_has_room(queue))
			return queue;
	}

	return NULL;
}

static struct fuse_ring_queue *fuse_uring_task_to_queue(struct fuse_ring *ring)
{
	unsigned int qid = task_cpu(current);
	struct fuse_ring_queue *queue, *other;

	if (WARN_ONCE(qid >= ring->nr_queues, "CPU %u has no queue, there are %zu\n", qid, ring->nr_queues))
		qid = 0;

	queue = ring->queues[qid];
	if (WARN_ONCE(!queue, "no queue on CPU %u\n", qid))
		return NULL;

	if (likely(queue_has_room(queue)))
		return queue;

	other = queue_with_room_on(ring, cpu_to_node(qid), queue);

	return other ? other : queue;
}

SPILLWAY_KERNEL_POLICY("kernel-same-node", "The rule of same-node, in the kernel's dialect.", "tests/plugins");
