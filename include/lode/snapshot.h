/* snapshot.h: a world as a row of bytes, and back.
 *
 * A snapshot holds the state of a world between two steps: bodies, shapes, joints, articulations
 * and aggregates with all that can be set on them, contacts with the impulses that they start from,
 * what sleeps and how close to sleep the rest is, settings, the counts of the last step and of
 * warnings. A world that was set back goes on exactly as the first one did, to the bit, on any
 * instruction set and number of threads, as long as it is called with the same calls.
 *
 * Not in it are the machine's side of the definition (threads, simd, tasks, profiler, the world's
 * user data), an application's systems, the times of stages, and the list of moved bodies, which is
 * empty afterwards.
 *
 * Nor are hulls, meshes and height fields, which shapes share: a snapshot names them by their
 * content. Setting back takes an object of the same content from the world's shapes, or from what
 * was offered to the world (lode_world_offer_hull()).
 *
 * user_data of bodies, shapes and joints comes back as it was, a pointer as the same address: in
 * another process set it anew, or keep numbers there. */
#ifndef LODE_SNAPSHOT_H
#define LODE_SNAPSHOT_H

#include "types.h"

LODE_EXTERN_C_BEGIN

/* Returns how many bytes the snapshot has, 0 on failure, and writes them if `size` is as many or
 * more; otherwise what is in the buffer is of no use. Call with `size` 0 and null to measure. The
 * buffer needs no alignment. Changes nothing in the world, and equal worlds with equal pasts give
 * equal bytes. LODE_ERROR_STATE inside a step and between its halves. Takes no memory. */
LODE_API size_t lode_world_snapshot(lode_world world, void *buffer, size_t size);

/* Sets the world back to a snapshot of exactly `size` bytes, its own or another's; what was in it
 * before is gone. It happens wholly or, on any error, not at all; but a step that stands between
 * its halves is given up, and no bodies count as moved, also after LODE_ERROR_MEMORY. Going back a
 * few steps takes no memory.
 *
 * Handles are those of the snapshot's time: an object made since is gone and its handle stale, one
 * destroyed since lives again under its old handle. What is then done again as before gets the same
 * handles as before, so forget those of a future that was undone. In another world the objects have
 * the same slots, and lode_world_get_bodies() lists them in the same order; do not take a world for
 * that which has unrelated objects of its own whose handles are still in use.
 *
 * LODE_ERROR_ABI for a snapshot of another precision, version or kind of machine;
 * LODE_ERROR_ARGUMENT for bytes that are damaged, or are none, or name a hull, mesh or height field
 * that is not there. Bytes of any origin are safe: what is not refused is a world that can be
 * stepped. LODE_ERROR_MEMORY; LODE_ERROR_SYSTEM when a slot of this world has been used too often
 * to be used as often again (16 million times). */
LODE_API lode_status lode_world_restore(lode_world world, const void *snapshot, size_t size);

/* The same by way of a file. Saving writes beside the file and then takes its place, so that a
 * failure leaves the old one; loading takes any world, a new one as a rule: its definition says
 * threads and instruction set, all else comes from the file. LODE_ERROR_SYSTEM when the file cannot
 * be written or read. */
LODE_API lode_status lode_world_save(lode_world world, const char *path);
LODE_API lode_status lode_world_load(lode_world world, const char *path);

LODE_EXTERN_C_END

#endif
