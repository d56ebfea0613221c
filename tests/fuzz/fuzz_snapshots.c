/* fuzz_snapshots.c: bytes handed to lode_world_restore(). The recipe takes a good snapshot of one
 * of some worlds, writes words into it, cuts it, and signs it anew, so that the checksum stops
 * nothing; or gives bytes of its own behind a good header. The world is as it was, or is a world:
 * its tables agree, it can be stepped, and its own snapshot is let in again. */
#include "tests/fuzz/fuzz.h"

#include "core/hash.h"
#include "world/registry.h"
#include "world/snapshot.h"
#include "world/validate.h"

enum { SIZE_AT = 24, CHECKSUM_AT = 32, HEADER = 40, SUBJECTS = 3, MOST_BYTES = 1 << 20 };

typedef struct shot {
    char *bytes;
    size_t size;
} shot;

static shot subjects[SUBJECTS], victim;
static lode_world world;
static char bytes[MOST_BYTES];

static shot shoot(lode_world from)
{
    shot s = {.size = lode_world_snapshot(from, NULL, 0)};
    s.bytes = malloc(s.size);
    FUZZ_CHECK(s.bytes && lode_world_snapshot(from, s.bytes, s.size) == s.size, "snapshot");
    return s;
}

static lode_body add_ball(lode_world to, double x, double z)
{
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    def.type = LODE_DYNAMIC;
    def.position = fuzz_vec(x, 0, z);
    shape.touch_events = true;
    lode_body body = lode_body_create(to, &def);
    lode_shape_create_sphere(body, &shape, (lode_real)0.5);
    return body;
}

/* A few bodies of many kinds, stepped so that some touch and some sleep. */
static shot make_subject(int which)
{
    lode_world_def def = lode_world_def_default();
    lode_world w = lode_world_create(&def);
    lode_body_def body = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    lode_shape_create_plane(lode_body_create(w, &body), &shape, (lode_vec3){0, 0, 1}, 0);
    lode_body last = add_ball(w, 0, 0.5);
    for (int i = 0; i < 4 * which; ++i) {
        lode_body next = add_ball(w, 1.5 + i, 0.5 + 0.4 * i);
        lode_body_set_name(next, i % 2 ? "ball" : "other");
        lode_joint_def joint = lode_joint_def_default(i % 2 ? LODE_JOINT_HINGE : LODE_JOINT_BALL);
        joint.body_a = last;
        joint.body_b = next;
        lode_joint_def_anchor_world(&joint, fuzz_vec(1 + i, 0, 1), fuzz_vec(0, 0, 1));
        if (i % 3 == 0)
            lode_joint_create(w, &joint);
        last = next;
    }
    if (which == 2) {
        shape.sensor = true;
        lode_shape_create_box(lode_body_create(w, &body), &shape, (lode_vec3){3, 1, 1});
    }
    for (int i = 0; i < 20; ++i)
        lode_world_step(w, (lode_real)1 / 60);
    lode_body_sleep(last);
    lode_world_step(w, (lode_real)1 / 60);
    shot s = shoot(w);
    lode_world_destroy(w);
    return s;
}

static void set_up(void)
{
    fuzz_quiet();
    for (int i = 0; i < SUBJECTS; ++i)
        subjects[i] = make_subject(i);
    lode_world_def def = lode_world_def_default();
    world = lode_world_create(&def);
    add_ball(world, 0, 1);
    victim = shoot(world);
}

static void sign(size_t size)
{
    uint64_t sum = lode__hash_bytes(LODE__SNAPSHOT_FORMAT, bytes + HEADER, size - HEADER);
    uint64_t length = size;
    memcpy(bytes + SIZE_AT, &length, sizeof length);
    memcpy(bytes + CHECKSUM_AT, &sum, sizeof sum);
}

/* Words that are worse than chance: slots, counts, limits, no numbers. */
static uint32_t read_word(fuzz_bytes *in)
{
    static const uint32_t words[] = {0,          1,          2,          0x7fffffff,
                                     0x80000000, 0xffffffff, 0x00ffffff, 0x01000000,
                                     0x7fc00000, 0x7f800000, 0x00fffffe, 0xff800000};
    uint32_t which = fuzz_byte(in);
    return which < 128 ? words[which % 12] : which < 192 ? which - 128 : fuzz_word(in);
}

static size_t write_snapshot(fuzz_bytes *in)
{
    const shot *good = &subjects[fuzz_below(in, SUBJECTS)];
    uint32_t how = fuzz_byte(in);
    size_t size = good->size;
    memcpy(bytes, good->bytes, size);
    if (how < 16) { /* its own bytes from some place on */
        size = HEADER + 8 * (size_t)fuzz_byte(in);
        size = size < good->size ? size : good->size;
        while (in->at < in->end)
            bytes[size++] = (char)fuzz_byte(in);
    } else if (how < 32) {
        size -= fuzz_word(in) % (size - HEADER);
    }
    for (uint32_t i = 0; i < how % 8; ++i) {
        size_t at = HEADER + (fuzz_byte(in) | fuzz_byte(in) << 8) % (size - HEADER + 1);
        uint32_t word = read_word(in);
        memcpy(bytes + at, &word, at + 4 <= size ? 4 : size - at);
    }
    if (how != 255)
        sign(size);
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!victim.bytes)
        set_up();
    fuzz_bytes in = {data, data + size};
    size_t length = write_snapshot(&in);
    char *exact = malloc(length); /* so that reading beyond it shows */
    FUZZ_CHECK(exact, "out of memory");
    memcpy(exact, bytes, length);
    fuzz_quiet();
    lode_status status = lode_world_restore(world, exact, length);
    free(exact);
    if (status) {
        FUZZ_CHECK(fuzz_last.count == 1 && fuzz_last.argument[0], "%d reports", fuzz_last.count);
        shot now = shoot(world);
        FUZZ_CHECK(now.size == victim.size && !memcmp(now.bytes, victim.bytes, now.size),
                   "refused, but the world is another");
        free(now.bytes);
        return 0;
    }
    const lode__world *w = lode__registry_world(world.id);
    lode__world_validate(w);
    lode_world_set_iterations(world, 4); /* two thousand millions are not wrong, but long */
    lode_world_set_sub_steps(world, 2);
    for (int i = 0; i < 3; ++i) {
        FUZZ_CHECK(lode_world_step(world, (lode_real)1 / 60) == LODE_OK, "step");
        lode__world_validate(w);
    }
    lode_world_get_contacts(world, NULL, 0);
    lode_world_get_events(world);
    shot again = shoot(world);
    FUZZ_CHECK(lode_world_restore(world, again.bytes, again.size) == LODE_OK, "its own snapshot");
    free(again.bytes);
    FUZZ_CHECK(lode_world_restore(world, victim.bytes, victim.size) == LODE_OK, "the victim");
    return 0;
}
