/* Every type of the table: poses composed from the positions of its axes satisfy its rows, its rows
 * are the derivative of their errors and independent of each other, and its axes stand where they
 * were put. */
#include "core/math.h"
#include "solver/joints/axes.h"
#include "solver/joints/joint_type.h"
#include "tests/solver/oracle.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 125, POSES = LODE_LANES, FREE = LODE_JOINT_AXES };

/* Central differences over 2 H err by H^2 and by rounding / H; both fit the tolerance, as errors
 * and arms here are not above 8. */
#ifdef LODE_DOUBLE
static const exact H = 1e-5L, TOLERANCE = 1e-8L;
#else
static const exact H = 2e-2L, TOLERANCE = 4e-3L;
#endif

typedef struct exact_quat {
    exact w, x, y, z;
} exact_quat;

static exact_quat exact_quat_of(lode_quat q)
{
    exact n = sqrtl((exact)q.w * q.w + (exact)q.x * q.x + (exact)q.y * q.y + (exact)q.z * q.z);
    return (exact_quat){q.w / n, q.x / n, q.y / n, q.z / n};
}

static lode_quat rounded(exact_quat q)
{
    return (lode_quat){(lode_real)q.w, (lode_real)q.x, (lode_real)q.y, (lode_real)q.z};
}

static exact_quat product(exact_quat p, exact_quat q)
{
    return (exact_quat){p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
                        p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                        p.w * q.y + p.y * q.w + p.z * q.x - p.x * q.z,
                        p.w * q.z + p.z * q.w + p.x * q.y - p.y * q.x};
}

static exact_quat conjugate(exact_quat q)
{
    return (exact_quat){q.w, -q.x, -q.y, -q.z};
}

static exact3 rotate(exact_quat q, exact3 v)
{
    exact_quat r = product(product(q, (exact_quat){0, v.x[0], v.x[1], v.x[2]}), conjugate(q));
    return (exact3){{r.x, r.y, r.z}};
}

/* About coordinate axis `k`. */
static exact_quat turn_about(int k, exact angle)
{
    exact s = sinl(angle / 2);
    return (exact_quat){cosl(angle / 2), k == 0 ? s : 0, k == 1 ? s : 0, k == 2 ? s : 0};
}

/* By a rotation vector, to rounding. */
static exact_quat turn_by(exact3 angle)
{
    exact size = sqrtl(exact_dot(angle, angle)), s = size > 0 ? sinl(size / 2) / size : 0.5L;
    return (exact_quat){cosl(size / 2), angle.x[0] * s, angle.x[1] * s, angle.x[2] * s};
}

static bool is_double_ball(const lode__joint_type *type)
{
    return type == &lode__joint_types[LODE_JOINT_DOUBLE_BALL];
}

/* A joint, how its bodies stand, the centre of a from that of b, and by what they have turned. */
typedef struct pose {
    lode__joint joint;
    lode__joint_axes axes;
    exact_quat q_a, q_b;
    exact3 offset, spun;
} pose;

/* Frame a as frame b sees it, and where its origin lies in b's axes, for positions of the axes, and
 * for the distance that types keep. */
static void compose(const lode__joint_type *type, exact distance, const exact *at, exact_quat *turn,
                    exact3 *apart)
{
    *turn = (exact_quat){1, 0, 0, 0};
    *apart = (exact3){{0, 0, 0}};
    if (is_double_ball(type))
        *apart = (exact3){{0.48L * distance, 0.6L * distance, 0.64L * distance}};
    for (int i = 0; i < type->axes; ++i) {
        int kind = type->axis[i];
        if (kind == LODE__GIVEN_SLIDE || kind == LODE__GIVEN_TURN)
            continue;
        if (kind <= LODE__SLIDE_Z)
            apart->x[kind - LODE__SLIDE_X] = at[i];
        else if (kind == LODE__DISTANCE)
            *apart = (exact3){{0.48L * at[i], 0.6L * at[i], 0.64L * at[i]}};
        else if (kind == LODE__LINK)
            *apart = (exact3){{0, distance * cosl(at[i]), distance * sinl(at[i])}};
        else if (kind == LODE__CROSS_B || kind == LODE__EULER_Y)
            *turn = product(turn_about(1, at[i]), *turn);
        else if (kind == LODE__EULER_Z)
            *turn = product(turn_about(2, at[i]), *turn);
        else
            *turn = product(*turn, turn_about(0, at[i]));
    }
}

/* Does a type leave turns free that are no axes of it? */
static bool turns_anyhow(const lode__joint_type *type)
{
    return !type->framed || type->axis[0] == LODE__DISTANCE || is_double_ball(type) ||
           lode__axes_are_given((int)(type - lode__joint_types));
}

/* Where the given axes point in the world. */
static void directions_of(const pose *p, exact3 out[LODE__GIVEN_AXES])
{
    for (int i = 0; i < LODE__GIVEN_AXES; ++i) {
        const lode_joint_axis *axis = &p->axes.axis[i];
        exact_quat turn = {1, 0, 0, 0};
        if (axis->frame == LODE_AXIS_IN_FRAME_A)
            turn = product(p->q_a, exact_quat_of(p->joint.frame_a.rotation));
        if (axis->frame == LODE_AXIS_IN_FRAME_B)
            turn = product(p->q_b, exact_quat_of(p->joint.frame_b.rotation));
        exact3 d = exact_of(axis->direction);
        out[i] = rotate(turn, exact_madd((exact3){{0, 0, 0}}, d, 1 / sqrtl(exact_dot(d, d))));
    }
}

/* Directions of any length, in all frames, that span the space. */
static void give_axes(pose *p, test_random *random)
{
    exact3 out[LODE__GIVEN_AXES];
    exact volume;
    do {
        for (int i = 0; i < LODE__GIVEN_AXES; ++i) {
            p->axes.axis[i].direction = vec_between(random, -2, 2);
            p->axes.axis[i].frame = (lode_axis_frame)random_below(random, 3);
        }
        directions_of(p, out);
        volume = exact_dot(out[0], exact_cross(out[1], out[2]));
    } while (!(exact_abs(volume) > 0.2L));
}

/* What has these parts along the given axes, by Cramer's rule. */
static exact3 with_parts(const pose *p, const exact *at)
{
    exact3 axes[LODE__GIVEN_AXES], sum = {{0, 0, 0}};
    directions_of(p, axes);
    exact volume = exact_dot(axes[0], exact_cross(axes[1], axes[2]));
    for (int i = 0; i < LODE__GIVEN_AXES; ++i)
        sum = exact_madd(sum, exact_cross(axes[(i + 1) % 3], axes[(i + 2) % 3]), at[i] / volume);
    return sum;
}

/* Random bodies whose joint's axes stand at `at`. */
static pose pose_random(int type, const exact *at, test_random *random)
{
    const lode__joint_type *t = &lode__joint_types[type];
    pose out = {.joint.type = (uint16_t)type};
    out.joint.frame_a.position = vec_between(random, -1, 1);
    out.joint.frame_a.rotation = rotation_random(random);
    out.joint.frame_b.position = vec_between(random, -1, 1);
    out.joint.frame_b.rotation = rotation_random(random);
    exact_quat turn;
    exact3 apart;
    out.joint.distance = (lode_real)random_between(random, 1.5, 2.5);
    compose(t, out.joint.distance, at, &turn, &apart);
    if (turns_anyhow(t))
        turn = exact_quat_of(rotation_random(random));
    out.q_b = exact_quat_of(rotation_random(random));
    exact_quat b = product(out.q_b, exact_quat_of(out.joint.frame_b.rotation));
    out.q_a = product(product(b, turn), conjugate(exact_quat_of(out.joint.frame_a.rotation)));
    give_axes(&out, random);
    if (t->axis[0] == LODE__GIVEN_SLIDE)
        apart = rotate(conjugate(b), with_parts(&out, at));
    exact3 r_a = rotate(out.q_a, exact_of(out.joint.frame_a.position));
    exact3 r_b = rotate(out.q_b, exact_of(out.joint.frame_b.position));
    out.offset = exact_madd(exact_add(rotate(b, apart), r_b), r_a, -1);
    return out;
}

/* The pose after both bodies moved by `step`, in the order of a Jacobian. */
static pose moved(const pose *from, const exact step[12])
{
    pose out = *from;
    for (int i = 0; i < 3; ++i)
        out.offset.x[i] += step[i] - step[6 + i];
    for (int i = 0; i < 3; ++i)
        out.spun.x[i] += step[3 + i] - step[9 + i];
    out.q_a = product(turn_by((exact3){{step[3], step[4], step[5]}}), from->q_a);
    out.q_b = product(turn_by((exact3){{step[9], step[10], step[11]}}), from->q_b);
    return out;
}

static void set3(lode__lane3 *out, int lane, lode_vec3 v)
{
    out->x.x[lane] = v.x, out->y.x[lane] = v.y, out->z.x[lane] = v.z;
}

static void set4(lode__lane4 *out, int lane, lode_quat q)
{
    out->w.x[lane] = q.w, out->x.x[lane] = q.x, out->y.x[lane] = q.y, out->z.x[lane] = q.z;
}

static lode_vec3 vec_of(exact3 v)
{
    return v3((lode_real)v.x[0], (lode_real)v.x[1], (lode_real)v.x[2]);
}

/* Far below all positions: a stop row's error then tells the position. */
enum { LO_STOP = -16, HI_STOP = 1000 };

static void fill(lode__joint_lanes *out, int lane, const pose *p, const exact *at, int axes)
{
    set3(&out->anchor_a, lane, p->joint.frame_a.position);
    set3(&out->anchor_b, lane, p->joint.frame_b.position);
    set3(&out->offset, lane, vec_of(p->offset));
    set4(&out->q_a, lane, rounded(p->q_a));
    set4(&out->q_b, lane, rounded(p->q_b));
    set4(&out->frame_a, lane, p->joint.frame_a.rotation);
    set4(&out->frame_b, lane, p->joint.frame_b.rotation);
    out->distance.x[lane] = p->joint.distance;
    for (int i = 0; i < axes; ++i) {
        lode__extra_lanes *extra = &out->extra[i];
        extra->axis.x[lane] = (lode_real)i;
        extra->stop.x[lane] = 1;
        extra->lo_stop.x[lane] = LO_STOP;
        extra->hi_stop.x[lane] = HI_STOP;
        extra->last.x[lane] = (lode_real)at[i];
    }
    set3(&out->spun, lane, vec_of(p->spun));
    for (int i = 0; i < LODE__GIVEN_AXES; ++i) {
        lode_axis_frame frame = p->axes.axis[i].frame;
        set3(&out->direction[i], lane, lode__given_direction(&p->axes.axis[i]));
        out->frame[i].x[lane] = (lode_real)(frame == LODE_AXIS_IN_FRAME_A   ? -1
                                            : frame == LODE_AXIS_IN_FRAME_B ? 1
                                                                            : 0);
    }
}

static block_room room, other_room;

/* Rows of all axes' stops follow those that hold. */
static lode__row_block *build(block_room *out, int type, const pose *poses, const exact (*at)[FREE])
{
    const lode__joint_type *t = &lode__joint_types[type];
    int rows = t->rows + t->axes;
    lode__joint_lanes lanes;
    memset(&lanes, 0, sizeof lanes);
    memset(out, 0, sizeof *out);
    for (int lane = 0; lane < POSES; ++lane)
        fill(&lanes, lane, &poses[lane], at[lane], t->axes);
    lode__row_block *block = row_block_at(out, rows, 0);
    lode__solver_kernels_for(LODE_SIMD_PLAIN)->build[type](block, &lanes, rows);
    return block;
}

static exact element(const lode__row *row, int lane, int k)
{
    const lode__lane *lin = &row->lin.x, *a = &row->ang_a.x, *b = &row->ang_b.x;
    return k < 3   ? lin[k].x[lane]
           : k < 6 ? a[k - 3].x[lane]
           : k < 9 ? -lin[k - 6].x[lane]
                   : b[k - 9].x[lane];
}

/* The smallest pivot of a Gaussian elimination with full pivoting. */
static exact least_pivot(int rows, exact j[][12])
{
    exact least = INFINITY;
    for (int k = 0; k < rows; ++k) {
        int row = k, column = 0;
        for (int i = k; i < rows; ++i)
            for (int c = 0; c < 12; ++c)
                if (exact_abs(j[i][c]) > exact_abs(j[row][column]))
                    row = i, column = c;
        exact pivot = j[row][column];
        least = exact_abs(pivot) < least ? exact_abs(pivot) : least;
        for (int c = 0; c < 12; ++c) {
            exact swap = j[k][c];
            j[k][c] = j[row][c];
            j[row][c] = swap;
        }
        for (int i = k + 1; i < rows && pivot != 0; ++i) {
            exact factor = j[i][column] / pivot;
            for (int c = 0; c < 12; ++c)
                j[i][c] -= factor * j[k][c];
        }
    }
    return least;
}

static void check_where_it_stands(const lode__row_block *block, int type, int lane, const pose *p,
                                  const exact *at)
{
    const lode__joint_type *t = &lode__joint_types[type];
    const exact few = 64 * REAL_EPSILON;
    assert_int_equal(block->unbounded, t->rows);
    for (int i = 0; i < t->rows; ++i)
        assert_true(exact_abs(block->rows[i].error.x[lane]) < few);
    lode__pose a = {.position = vec_of(p->offset), .rotation = rounded(p->q_a)};
    lode__pose b = {.rotation = rounded(p->q_b)};
    for (int i = 0; i < t->axes; ++i) {
        assert_true(exact_abs(block->rows[t->rows + i].error.x[lane] + LO_STOP - at[i]) < 2 * few);
        lode__axis_now now = lode__axis_at(&p->joint, &p->axes, &a, &b, i);
        lode_real position = lode__axis_position(&now, (lode_real)at[i]);
        assert_true(exact_abs(position - at[i]) < few);
        lode_vec3 parts[4] = {now.lin, now.ang_a, v3_neg(now.lin), now.ang_b};
        for (int k = 0; k < 12; ++k) {
            lode_real other = k % 3 == 0   ? parts[k / 3].x
                              : k % 3 == 1 ? parts[k / 3].y
                                           : parts[k / 3].z;
            assert_true(exact_abs(element(&block->rows[t->rows + i], lane, k) - other) < few);
        }
    }
}

/* What a step changes in all errors, against what the Jacobian says of it. */
static void check_derivative(const lode__row_block *block, int type, const pose *poses,
                             const exact (*at)[FREE], int k)
{
    const lode__joint_type *t = &lode__joint_types[type];
    exact step[12] = {0}, errors[LODE__JOINT_ROWS][POSES];
    pose shifted[POSES];
    for (int side = 0; side < 2; ++side) {
        step[k] = side ? -H : H;
        for (int lane = 0; lane < POSES; ++lane)
            shifted[lane] = moved(&poses[lane], step);
        const lode__row_block *there = build(&other_room, type, shifted, at);
        for (int i = 0; i < t->rows + t->axes; ++i)
            for (int lane = 0; lane < POSES; ++lane) {
                exact error = there->rows[i].error.x[lane];
                errors[i][lane] = side ? (errors[i][lane] - error) / (2 * H) : error;
            }
    }
    for (int i = 0; i < t->rows + t->axes; ++i)
        for (int lane = 0; lane < POSES; ++lane)
            if (exact_abs(errors[i][lane] - element(&block->rows[i], lane, k)) > TOLERANCE)
                fail_msg("%s, row %d, element %d: %Lg, should be %Lg", t->name, i, k,
                         element(&block->rows[i], lane, k), errors[i][lane]);
}

static void check_rank(const lode__row_block *block, int rows, int lane)
{
    exact j[LODE__JOINT_ROWS][12];
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < 12; ++k)
            j[i][k] = element(&block->rows[i], lane, k);
    assert_true(least_pivot(rows, j) > 0.01L);
}

/* Angles count on beyond whole turns, but for that which is undefined at a right angle. */
static exact position_random(int kind, test_random *random)
{
    exact x = (exact)random_between(random, -1, 1);
    if (kind == LODE__DISTANCE)
        return 1.25L + 0.75L * x;
    return kind <= LODE__GIVEN_SLIDE ? 2 * x : kind == LODE__EULER_Y ? x : 8 * x;
}

static void every_type_holds_what_it_says(void **state)
{
    (void)state;
    test_random random = {23};
    for (int type = 0; type < LODE_JOINT_TYPE_COUNT; ++type) {
        const lode__joint_type *t = &lode__joint_types[type];
        for (int round = 0; round < ROUNDS; ++round) {
            pose poses[POSES];
            exact at[POSES][FREE];
            for (int lane = 0; lane < POSES; ++lane) {
                for (int i = 0; i < t->axes; ++i)
                    at[lane][i] = position_random(t->axis[i], &random);
                poses[lane] = pose_random(type, at[lane], &random);
            }
            const lode__row_block *block = build(&room, type, poses, at);
            for (int lane = 0; lane < POSES; ++lane) {
                check_where_it_stands(block, type, lane, &poses[lane], at[lane]);
                check_rank(block, t->rows + t->axes, lane);
            }
            for (int k = 0; k < 12; ++k)
                check_derivative(block, type, poses, at, k);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_holds_what_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
