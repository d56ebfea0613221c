/* twin.c: makes an articulation in both engines (tests/peers/twin.h). */
#include "tests/peers/twin.h"

#include "tests/support/test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- ours */

static lode_vec3 random_vector(test_random *random, double size)
{
    return v3((lode_real)random_between(random, -size, size),
              (lode_real)random_between(random, -size, size),
              (lode_real)random_between(random, -size, size));
}

static lode_quat random_rotation(test_random *random)
{
    double axis[3], angle = random_between(random, 0, 3.1);
    random_direction(random, axis);
    double s = sin(angle / 2);
    lode_quat q = {(lode_real)cos(angle / 2), (lode_real)(s * axis[0]), (lode_real)(s * axis[1]),
                   (lode_real)(s * axis[2])};
    return q_normalize(q);
}

static void random_link(twin *t, uint32_t i, test_random *random)
{
    lode__mb_link *l = &t->links[i];
    double a = random_between(random, 0.05, 0.2), b = random_between(random, 0.05, 0.2);
    l->mass[0] = (lode_real)random_between(random, 0.3, 3);
    t->moments[i] = v3((lode_real)a, (lode_real)b, (lode_real)((a + b) * 0.8));
    t->moment_rotation[i] = random_rotation(random);
    lode_real diagonal[6] = {t->moments[i].x, t->moments[i].y, t->moments[i].z, 0, 0, 0};
    s3_rotate(t->moment_rotation[i], diagonal, l->inertia);
    t->body_center[i] = random_vector(random, 0.2);
    t->body_position[i] = random_vector(random, 0.5);
    t->body_rotation[i] = random_rotation(random);
    t->joint_position[i] = random_vector(random, 0.2);
    t->joint_rotation[i] = random_rotation(random);
    t->ball[i] = random_rotation(random);
}

/* Where the joint is, as both ends see it from their centres, and how it stands. */
static void put_joint(twin *t, uint32_t i)
{
    lode__mb_link *l = &t->links[i];
    const lode__mb_plan *plan = t->tree.plan;
    if (i == 0) {
        mb_put4(l->turn, t->tree.plan->root_dofs ? t->ball[0] : t->body_rotation[0]);
        return;
    }
    lode_quat q = t->body_rotation[i], frame = t->joint_rotation[i];
    lode_vec3 at = v3_add(t->body_position[i], q_rotate(q, t->joint_position[i]));
    mb_put3(l->anchor_p, v3_sub(at, t->body_center[plan->parent[i]]));
    mb_put3(l->anchor_c, v3_sub(t->joint_position[i], t->body_center[i]));
    mb_put4(l->frame_p, q_normalize(q_mul(q, frame)));
    mb_put4(l->frame_c, frame);
    mb_put4(l->turn, plan->angles[i] == 3 ? t->ball[i] : q_identity());
    mb_put3(l->slide, v3_zero());
    for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i + 1]; ++k) {
        int axis = plan->axis[k] % 3;
        if (plan->axis[k] >= LODE__MB_FIRST_SLIDE)
            l->slide[axis] = (lode_real)t->position[k];
        else if (plan->angles[i] == 1) {
            l->turn[0] = (lode_real)cos(t->position[k] / 2);
            l->turn[1 + axis] = (lode_real)sin(t->position[k] / 2);
        }
    }
}

void twin_make(twin *t, const twin_model *model, test_random *random)
{
    lode__mb_joint joints[TWIN_LINKS];
    memset(t, 0, sizeof *t);
    t->model = model;
    for (uint32_t i = 0; i < model->count; ++i)
        joints[i] = (lode__mb_joint){model->links[i].parent, model->links[i].axes, false};
    assert_true(lode__mb_plan_size(joints, model->count, model->fixed_base) <= sizeof t->plan);
    t->tree = (lode__multibody){
        lode__mb_plan_make(t->plan, joints, model->count, model->fixed_base), t->links, t->dofs};
    for (uint32_t k = 0; k < t->tree.plan->dof_count; ++k) {
        t->position[k] = random_between(random, -2, 2);
        t->dofs[k].speed[0] = (lode_real)random_between(random, -3, 3);
    }
    for (uint32_t i = 0; i < model->count; ++i)
        random_link(t, i, random);
    for (uint32_t i = 0; i < model->count; ++i)
        put_joint(t, i);
    lode__mb_find_axes(&t->tree);
    lode__mb_kernels_one.place(&t->tree);
    lode__mb_kernels_one.speed(&t->tree);
    lode__mb_kernels_one.factor(&t->tree);
}

/* ---- MuJoCo's */

typedef struct text {
    char bytes[1 << 17];
    size_t size;
} text;

static __attribute__((format(printf, 2, 3))) void add(text *out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int size = vsnprintf(out->bytes + out->size, sizeof out->bytes - out->size, format, list);
    va_end(list);
    assert_true(size >= 0 && (size_t)size < sizeof out->bytes - out->size);
    out->size += (size_t)size;
}

static void add_vector(text *out, const char *name, lode_vec3 v)
{
    add(out, " %s='%.17g %.17g %.17g'", name, (double)v.x, (double)v.y, (double)v.z);
}

static void add_quat(text *out, lode_quat q)
{
    add(out, " quat='%.17g %.17g %.17g %.17g'", (double)q.w, (double)q.x, (double)q.y, (double)q.z);
}

/* Slides go first, as they do here. */
static void add_joints(text *out, const twin *t, uint32_t i)
{
    const lode__mb_plan *plan = t->tree.plan;
    for (int turns = 0; turns < 2; ++turns)
        for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i + 1]; ++k) {
            int axis = plan->axis[k];
            if ((axis < LODE__MB_FIRST_SLIDE) != turns || (turns && plan->angles[i] == 3))
                continue;
            lode_vec3 e = {axis % 3 == 0, axis % 3 == 1, axis % 3 == 2};
            add(out, "<joint type='%s'", turns ? "hinge" : "slide");
            add_vector(out, "axis", q_rotate(t->joint_rotation[i], e));
            add_vector(out, "pos", t->joint_position[i]);
            add(out, "/>\n");
        }
    if (plan->angles[i] == 3) {
        add(out, "<joint type='ball'");
        add_vector(out, "pos", t->joint_position[i]);
        add(out, "/>\n");
    }
}

/* A body and those below it. */
static void add_body(text *out, const twin *t, uint32_t i)
{
    add(out, "<body name='%u'", i);
    add_vector(out, "pos", i == 0 ? v3_zero() : t->body_position[i]);
    add_quat(out, t->body_rotation[i]);
    add(out, "><inertial mass='%.17g'", (double)t->links[i].mass[0]);
    add_vector(out, "pos", t->body_center[i]);
    add_vector(out, "diaginertia", t->moments[i]);
    add_quat(out, t->moment_rotation[i]);
    add(out, "/>\n");
    if (i == 0 && t->tree.plan->root_dofs > 0)
        add(out, "<freejoint/>\n");
    if (i > 0)
        add_joints(out, t, i);
    for (uint32_t j = i + 1; j < t->model->count; ++j)
        if (t->model->links[j].parent == i)
            add_body(out, t, j);
    add(out, "</body>\n");
}

static mjModel *load(const twin *t)
{
    static text out;
    static mjVFS files;
    out.size = 0;
    add(&out, "<mujoco><compiler angle='radian' inertiafromgeom='false'/>"
              "<option><flag constraint='disable' contact='disable'/></option><worldbody>\n");
    add_body(&out, t, 0);
    add(&out, "</worldbody></mujoco>\n");
    char error[1000] = "";
    mj_defaultVFS(&files);
    assert_int_equal(mj_makeEmptyFileVFS(&files, "twin.xml", (int)out.size), 0);
    memcpy(files.filedata[0], out.bytes, out.size);
    mjModel *model = mj_loadXML("twin.xml", &files, error, sizeof error);
    mj_deleteVFS(&files);
    if (!model)
        fail_msg("%s: %s", t->model->name, error);
    return model;
}

/* ---- state and the way between both's velocities */

static void put_t(twin *t, int row, uint32_t column, double value)
{
    t->t[(size_t)row * t->tree.plan->dof_count + column] = value;
}

static void put_quat(double *out, lode_quat q)
{
    out[0] = (double)q.w, out[1] = (double)q.x, out[2] = (double)q.y, out[3] = (double)q.z;
}

/* v_origin = v + w x r and w_body = R^T w; r goes with w. */
static void root_state(twin *t)
{
    lode_quat q = t->ball[0];
    lode_vec3 r = v3_neg(q_rotate(q, t->body_center[0])), w = mb_v3(t->links[0].w);
    lode__mat3 m = m3_from_quat(q);
    const lode_real *rows[3] = {&m.r0.x, &m.r1.x, &m.r2.x};
    lode_real cross[3][3] = {{0, r.z, -r.y}, {-r.z, 0, r.x}, {r.y, -r.x, 0}};
    lode_vec3 drift = v3_cross(w, v3_cross(w, r));
    for (int c = 0; c < 3; ++c) {
        t->data->qpos[c] = (double)(&r.x)[c];
        t->drift[c] = (double)(&drift.x)[c];
        put_t(t, c, (uint32_t)c, 1);
        for (int d = 0; d < 3; ++d) {
            put_t(t, c, 3 + (uint32_t)d, (double)cross[c][d]);
            put_t(t, 3 + c, 3 + (uint32_t)d, (double)rows[d][c]);
        }
    }
    put_quat(t->data->qpos + 3, q);
}

static void ball_state(twin *t, uint32_t i, int joint, uint32_t first)
{
    lode__mat3 m = m3_from_quat(t->joint_rotation[i]);
    const lode_real *rows[3] = {&m.r0.x, &m.r1.x, &m.r2.x};
    int row = t->mujoco->jnt_dofadr[joint];
    for (int c = 0; c < 3; ++c)
        for (uint32_t d = 0; d < 3; ++d)
            put_t(t, row + c, first + d, (double)rows[c][d]);
    lode_quat frame = t->joint_rotation[i];
    put_quat(t->data->qpos + t->mujoco->jnt_qposadr[joint],
             q_mul(q_mul(frame, t->ball[i]), q_conj(frame)));
}

/* In our order turns come first, in MuJoCo's slides. */
static void joint_state(twin *t, uint32_t i)
{
    const lode__mb_plan *plan = t->tree.plan;
    int joint = t->mujoco->body_jntadr[t->body[i]];
    for (int turns = 0; turns < 2; ++turns)
        for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i + 1]; ++k) {
            if ((plan->axis[k] < LODE__MB_FIRST_SLIDE) != turns)
                continue;
            if (turns && plan->angles[i] == 3) {
                ball_state(t, i, joint, k);
                break;
            }
            t->data->qpos[t->mujoco->jnt_qposadr[joint]] = t->position[k];
            put_t(t, t->mujoco->jnt_dofadr[joint], k, 1);
            ++joint;
        }
}

void twin_load(twin *t, const double gravity[3])
{
    uint32_t n = t->tree.plan->dof_count;
    t->mujoco = load(t);
    t->data = mj_makeData(t->mujoco);
    assert_int_equal(t->mujoco->nv, n);
    memcpy(t->mujoco->opt.gravity, gravity, sizeof t->mujoco->opt.gravity);
    for (uint32_t i = 0; i < t->model->count; ++i) {
        char name[16];
        snprintf(name, sizeof name, "%u", i);
        t->body[i] = mj_name2id(t->mujoco, mjOBJ_BODY, name);
        assert_true(t->body[i] > 0);
    }
    if (t->tree.plan->root_dofs > 0)
        root_state(t);
    for (uint32_t i = 1; i < t->model->count; ++i)
        joint_state(t, i);
    for (uint32_t row = 0; row < n; ++row)
        for (uint32_t k = 0; k < n; ++k)
            t->data->qvel[row] += t->t[(size_t)row * n + k] * (double)t->dofs[k].speed[0];
    mj_forward(t->mujoco, t->data);
}

void twin_free(twin *t)
{
    mj_deleteData(t->data);
    mj_deleteModel(t->mujoco);
}
