/* axes.c: see axes.h. The derivations are those of frames.inl and free_axes.inl. */
#include "solver/joints/axes.h"

#include "core/math.h"
#include "simd/scalar_math.h"
#include "solver/joints/joint_type.h"

#define TWO_PI ((lode_real)6.283185307179586)

typedef struct joint_frames {
    lode_vec3 r_a, r_b; /* anchors from the centres of mass, world axes */
    lode_vec3 apart;    /* from b's anchor to a's */
    lode_quat a, b;     /* frames in the world */
    const lode_joint_axis *axis;
} joint_frames;

static joint_frames frames_of(const lode__joint *joint, const lode__pose *a, const lode__pose *b)
{
    joint_frames f;
    f.r_a = q_rotate(a->rotation, joint->frame_a.position);
    f.r_b = q_rotate(b->rotation, joint->frame_b.position);
    f.apart = v3_add(v3_sub(a->position, b->position), v3_sub(f.r_a, f.r_b));
    f.a = q_mul(a->rotation, joint->frame_a.rotation);
    f.b = q_mul(b->rotation, joint->frame_b.rotation);
    return f;
}

static lode__axis_now slide(const joint_frames *f, lode_vec3 local)
{
    lode_vec3 axis = q_rotate(f->b, local);
    return (lode__axis_now){.lin = axis,
                            .ang_a = v3_cross(f->r_a, axis),
                            .ang_b = v3_neg(v3_cross(v3_add(f->r_b, f->apart), axis)),
                            .direction = axis,
                            .position = v3_dot(axis, f->apart)};
}

static lode__axis_now slide_x(const joint_frames *f)
{
    return slide(f, v3(1, 0, 0));
}

static lode__axis_now slide_y(const joint_frames *f)
{
    return slide(f, v3(0, 1, 0));
}

static lode__axis_now slide_z(const joint_frames *f)
{
    return slide(f, v3(0, 0, 1));
}

static lode__axis_now turn(lode_vec3 axis, lode_real angle)
{
    return (lode__axis_now){
        .ang_a = axis, .ang_b = v3_neg(axis), .direction = axis, .position = angle, .turns = true};
}

/* In (-pi, pi]. */
static lode_real positive_pi(lode_real angle)
{
    return angle > -TWO_PI / 2 ? angle : TWO_PI / 2;
}

static lode__axis_now twist(const joint_frames *f)
{
    lode_quat q = q_mul(q_conj(f->b), f->a);
    lode_real half = q.w < 0 ? lode__atan2(-q.x, -q.w) : lode__atan2(q.x, q.w);
    return turn(q_rotate(f->b, v3(1, 0, 0)), positive_pi(half + half));
}

/* A turn about the axis u that leaves out what is one about v. */
static lode__axis_now turn_beside(lode_vec3 u, lode_vec3 v, lode_real angle)
{
    lode_vec3 across = v3_cross(u, v);
    lode_real inverse = 1 / r_max(v3_dot(across, across), (lode_real)1e-6);
    lode__axis_now now = turn(v3_scale(v3_madd(u, v, -v3_dot(u, v)), inverse), angle);
    now.direction = u;
    return now;
}

/* About a's x, as b's y tells. */
static lode__axis_now cross_a(const joint_frames *f)
{
    lode_vec3 u = q_rotate(f->a, v3(1, 0, 0)), v = q_rotate(f->b, v3(0, 1, 0));
    lode_vec3 y = q_rotate(q_conj(f->a), v);
    return turn_beside(u, v, positive_pi(lode__atan2(-y.z, y.y)));
}

/* About b's y, as a's x tells. */
static lode__axis_now cross_b(const joint_frames *f)
{
    lode_vec3 u = q_rotate(f->b, v3(0, 1, 0)), v = q_rotate(f->a, v3(1, 0, 0));
    lode_vec3 x = q_rotate(q_conj(f->b), v);
    return turn_beside(u, v, positive_pi(lode__atan2(-x.z, x.x)));
}

/* Of a vector whose square may be beyond all numbers: anchors are where their frames say. */
static lode_real length_of(lode_vec3 v)
{
    lode_real length = v3_length(v);
    return r_finite(length) ? length : v3_dot(v, v3_normalize_or(v, v3_zero()));
}

/* From b's anchor to a's; along x where they are in one place. */
static lode__axis_now distance(const joint_frames *f)
{
    lode_real length = length_of(f->apart);
    lode_vec3 axis = q_rotate(f->b, v3(1, 0, 0));
    if (length > 0)
        axis = v3_scale(f->apart, 1 / length);
    return (lode__axis_now){.lin = axis,
                            .ang_a = v3_cross(f->r_a, axis),
                            .ang_b = v3_neg(v3_cross(f->r_b, axis)),
                            .direction = axis,
                            .position = length};
}

lode_vec3 lode__given_direction(const lode_joint_axis *axis)
{
    return v3_normalize_or(axis->direction, v3(1, 0, 0));
}

static lode_vec3 given_axis(const joint_frames *f)
{
    lode_vec3 direction = lode__given_direction(f->axis);
    return f->axis->frame == LODE_AXIS_IN_FRAME_A   ? q_rotate(f->a, direction)
           : f->axis->frame == LODE_AXIS_IN_FRAME_B ? q_rotate(f->b, direction)
                                                    : direction;
}

/* The arm of the body that the direction turns with ends at the other's anchor. */
static lode__axis_now given_slide(const joint_frames *f)
{
    lode_vec3 axis = given_axis(f), r_a = f->r_a, r_b = f->r_b;
    if (f->axis->frame == LODE_AXIS_IN_FRAME_A)
        r_a = v3_sub(r_a, f->apart);
    if (f->axis->frame == LODE_AXIS_IN_FRAME_B)
        r_b = v3_add(r_b, f->apart);
    return (lode__axis_now){.lin = axis,
                            .ang_a = v3_cross(r_a, axis),
                            .ang_b = v3_neg(v3_cross(r_b, axis)),
                            .direction = axis,
                            .position = v3_dot(axis, f->apart)};
}

static lode__axis_now given_turn(const joint_frames *f)
{
    lode_vec3 axis = given_axis(f);
    return (lode__axis_now){
        .ang_a = axis, .ang_b = v3_neg(axis), .direction = axis, .adds_up = true};
}

/* Of the line from b's anchor to a's about x of b, from y. */
static lode__axis_now link_turn(const joint_frames *f)
{
    lode_vec3 d = q_rotate(q_conj(f->b), f->apart);
    lode_real square = r_max(d.y * d.y + d.z * d.z, (lode_real)1e-12);
    lode__axis_now axis = slide(f, v3_scale(v3(0, -d.z, d.y), 1 / square));
    axis.position = positive_pi(lode__atan2(d.z, d.y));
    axis.direction = q_rotate(f->b, v3(1, 0, 0));
    axis.turns = true;
    return axis;
}

/* What the three angles are made of: the axes x of a and z of b, and each other's axes as they see
 * them. */
typedef struct euler {
    lode_vec3 x, z, x_in_b, z_in_a;
} euler;

static euler euler_of(const joint_frames *f)
{
    euler e = {.x = q_rotate(f->a, v3(1, 0, 0)), .z = q_rotate(f->b, v3(0, 0, 1))};
    e.x_in_b = q_rotate(q_conj(f->b), e.x);
    e.z_in_a = q_rotate(q_conj(f->a), e.z);
    return e;
}

static lode__axis_now euler_x(const joint_frames *f)
{
    euler e = euler_of(f);
    return turn_beside(e.x, e.z, positive_pi(lode__atan2(e.z_in_a.y, e.z_in_a.z)));
}

static lode__axis_now euler_y(const joint_frames *f)
{
    euler e = euler_of(f);
    lode_real cosine = r_sqrt(e.z_in_a.y * e.z_in_a.y + e.z_in_a.z * e.z_in_a.z);
    lode_vec3 across = v3_cross(e.z, e.x);
    lode_real length = r_sqrt(r_max(v3_dot(across, across), (lode_real)1e-6));
    lode__axis_now now = turn(v3_scale(across, 1 / length), lode__atan2(-e.x_in_b.z, cosine));
    now.direction = v3_normalize_or(across, q_rotate(f->b, v3(0, 1, 0)));
    return now;
}

static lode__axis_now euler_z(const joint_frames *f)
{
    euler e = euler_of(f);
    return turn_beside(e.z, e.x, positive_pi(lode__atan2(e.x_in_b.y, e.x_in_b.x)));
}

typedef lode__axis_now axis_fn(const joint_frames *frames);

static axis_fn *const by_kind[LODE__AXIS_KINDS] = {
    [LODE__SLIDE_X] = slide_x,       [LODE__SLIDE_Y] = slide_y, [LODE__SLIDE_Z] = slide_z,
    [LODE__DISTANCE] = distance,     [LODE__TWIST] = twist,     [LODE__CROSS_A] = cross_a,
    [LODE__CROSS_B] = cross_b,       [LODE__EULER_X] = euler_x, [LODE__EULER_Y] = euler_y,
    [LODE__EULER_Z] = euler_z,       [LODE__LINK] = link_turn,  [LODE__GIVEN_SLIDE] = given_slide,
    [LODE__GIVEN_TURN] = given_turn,
};

lode__axis_now lode__axis_at(const lode__joint *joint, const lode__joint_axes *axes,
                             const lode__pose *pose_a, const lode__pose *pose_b, int axis)
{
    joint_frames f = frames_of(joint, pose_a, pose_b);
    f.axis = &axes->axis[axis];
    return by_kind[lode__joint_types[joint->type].axis[axis]](&f);
}

lode_real lode__axis_position(const lode__axis_now *axis, lode_real last)
{
    if (axis->adds_up)
        return last;
    if (!axis->turns)
        return axis->position;
    lode_real turns = r_floor((last - axis->position) / TWO_PI + (lode_real)0.5);
    return axis->position + turns * TWO_PI;
}
