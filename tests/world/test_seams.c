/* Solids that slide and roll over floors of many static shapes, side by side and flush, as over one. */
#include "tests/world/solids.h"

#include "core/math.h"
#include "lode/heightfield.h"
#include "lode/mesh.h"
#include "tests/collide/fields.h"
#include "tests/collide/meshes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum floor_kind {
    WHOLE,
    TILES,       /* boxes, each of a body of its own */
    ONE_BODY,    /* all of one body */
    BRICKS,      /* every second row is shifted */
    MESHES,      /* of two triangles each */
    MIXED,       /* boxes and meshes in turn */
    FIELDS,      /* height fields */
    JUNCTIONS,   /* one mesh, in which edges meet the middle of others */
    FLOORS
} floor_kind;

static const char *const floor_names[] = {"whole", "tiles", "one body", "bricks",
                                          "meshes", "mixed", "fields", "junctions"};

enum { ALONG = 28, ACROSS = 16 };

static mesh_draft draft;
static field_draft sketch;

static lode_mesh *make_tile(void)
{
    draft_grid(&draft, 1, 1, NULL);
    lode_mesh_def def = draft_def(&draft);
    return lode_mesh_create(&def);
}

static lode_heightfield *make_field(void)
{
    draft_field(&sketch, 3, 3, 0.5, 0.5, NULL);
    lode_heightfield_def def = field_def(&sketch);
    return lode_heightfield_create(&def);
}

/* Bands of squares, each finer than the one before and back again, that share no vertex but the ends. */
static lode_mesh *make_bands(void)
{
    static int counts[] = {1, 3, 7, 2, 16, 5};
    if (getenv("GRID")) for (int i = 0; i < 6; ++i) counts[i] = 16;
    draft.vertex_count = draft.triangle_count = 0;
    for (int band = 0; band < ALONG; ++band) {
        int n = counts[band % 6];
        double x = band - 3.13;
        for (int k = 0; k < n; ++k) {
            double y = -5.91 + (double)ACROSS * k / n, z = -5.91 + (double)ACROSS * (k + 1) / n;
            uint32_t a = draft_vertex(&draft, x, y, 0), b = draft_vertex(&draft, x + 1, y, 0);
            uint32_t c = draft_vertex(&draft, x + 1, z, 0), e = draft_vertex(&draft, x, z, 0);
            draft_triangle(&draft, a, b, c);
            draft_triangle(&draft, a, c, e);
        }
    }
    lode_mesh_def def = draft_def(&draft);
    return lode_mesh_create(&def);
}

static void add_floor(lode_world world, floor_kind kind, lode_real friction)
{
    lode_shape_def def = lode_shape_def_default();
    def.friction = friction;
    if (kind == WHOLE) {
        lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
        def.pose.position = vec(0, 0, -1);
        lode_shape_create_box(ground, &def, vec(100, 100, 1));
        return;
    }
    if (kind == JUNCTIONS) {
        lode_mesh *bands = make_bands();
        lode_shape_create_mesh(add_body(world, LODE_STATIC, 0, 0, 0), &def, bands);
        lode_mesh_release(bands);
        return;
    }
    lode_mesh *mesh = make_tile();
    lode_heightfield *field = make_field();
    lode_body one = add_body(world, LODE_STATIC, 0, 0, 0);
    for (int i = 0; i < ALONG; ++i)
        for (int k = 0; k < ACROSS; ++k) {
            double x = i - 2.63 + (kind == BRICKS && k % 2 ? 0.5 : 0), y = k - 5.41;
            bool boxes = kind == TILES || kind == ONE_BODY || kind == BRICKS ||
                         (kind == MIXED && (i + k) % 2);
            lode_body body = kind == ONE_BODY ? one : add_body(world, LODE_STATIC, 0, 0, 0);
            def.pose.position = vec((lode_real)x, (lode_real)y, boxes ? (lode_real)-0.5 : 0);
            if (boxes) {
                lode_shape_create_box(body, &def, vec((lode_real)0.5, (lode_real)0.5, (lode_real)0.5));
            } else if (kind == FIELDS) {
                def.pose.position = vec((lode_real)(x - 0.5), (lode_real)(y - 0.5), 0);
                lode_shape_create_heightfield(body, &def, field);
            } else {
                lode_shape_create_mesh(body, &def, mesh);
            }
        }
    lode_mesh_release(mesh);
    lode_heightfield_release(field);
}

typedef struct trace {
    lode_vec3 at[400], v[400], w[400];
} trace;

static void run(floor_kind floor, kind kind, lode_real friction, lode_vec3 v, lode_real spin,
                int steps, trace *out)
{
    lode_world world = make_world(1);
    add_floor(world, floor, friction);
    lode_body body = add_solid(world, kind, lying(kind, 0.03, 0.02, height_of(kind)), friction);
    step(world, 10);
    lode_body_set_linear_velocity(body, v);
    if (kind == BALL)
        lode_body_set_angular_velocity(body, vec(-v.y * 2, v.x * 2, spin));
    else
        lode_body_set_angular_velocity(body, vec(0, 0, spin));
    for (int i = 0; i < steps; ++i) {
        step(world, 1);
        out->at[i] = lode_body_get_pose(body).position;
        out->v[i] = lode_body_get_linear_velocity(body);
        out->w[i] = lode_body_get_angular_velocity(body);
    }
    lode_world_destroy(world);
}

static void explore(void **state)
{
    (void)state;
    static const double speeds[] = {0.5, 1.3, 2, 5, 9.1, 20};
    static const double ways[][2] = {{1, 0}, {0.949, 0.316}, {0.997, 0.07}};
    static trace whole, other;
    for (int floor = getenv("FF") ? atoi(getenv("FF")) : WHOLE + 1; floor < FLOORS; ++floor)
        for (kind kind = BALL; kind < KINDS; ++kind)
            for (int f = 0; f < 2; ++f)
                for (int spin = 0; spin < 2; ++spin) {
                    double apart = 0, slower = 0, kick = 0, high = 0, tilt = 0;
                    int bad = -1;
                    for (int s = 0; s < 6; ++s)
                        for (int w = 0; w < 3; ++w) {
                            double speed = speeds[s];
                            int steps = (int)fmin(22 / speed * 64, 250);
                            lode_vec3 v = vec((lode_real)(speed * ways[w][0]),
                                              (lode_real)(speed * ways[w][1]), 0);
                            run(WHOLE, kind, (lode_real)(f * 0.5), v, (lode_real)(spin * 3), steps,
                                &whole);
                            run((floor_kind)floor, kind, (lode_real)(f * 0.5), v,
                                (lode_real)(spin * 3), steps, &other);
                            for (int i = 0; i < steps; ++i) {
                                lode_vec3 d = v3_sub(other.at[i], whole.at[i]);
                                lode_vec3 dv = v3_sub(other.v[i], whole.v[i]);
                                double a = (double)v3_length(v3(d.x, d.y, 0)) / speed,
                                       b = (double)v3_length(v3(dv.x, dv.y, 0)) / speed;
                                if (b > 1e-3 && b > slower)
                                    bad = s * 10 + w;
                                apart = fmax(apart, a);
                                slower = fmax(slower, b);
                                kick = fmax(kick, fabs((double)dv.z));
                                high = fmax(high, fabs((double)d.z));
                                lode_vec3 dw = v3_sub(other.w[i], whole.w[i]);
                                tilt = fmax(tilt, (double)v3_length(dw));
                            }
                        }
                    print_message("%-8s %d f %d spin %d: apart %.5f dv %.6f kick %.5f high %.5f dw "
                                  "%.5f bad %d\n",
                                  floor_names[floor], kind, f, spin, apart, slower, kick, high,
                                  tilt, bad);
                }
}

static void detail(void **state)
{
    (void)state;
    static const double ways[][2] = {{1, 0}, {0.949, 0.316}, {0.997, 0.07}};
    int floor = atoi(getenv("F")), kind = atoi(getenv("K")), w = atoi(getenv("W"));
    double speed = atof(getenv("S")), friction = atof(getenv("U")), spin = atof(getenv("P"));
    for (int pass = 0; pass < 2; ++pass) {
        lode_world world = make_world(1);
        add_floor(world, pass ? WHOLE : floor, (lode_real)friction);
        lode_body body = add_solid(world, kind, lying(kind, 0.03, 0.02, height_of(kind)), (lode_real)friction);
        step(world, 10);
        lode_body_set_linear_velocity(body, vec((lode_real)(speed * ways[w][0]), (lode_real)(speed * ways[w][1]), 0));
        lode_body_set_angular_velocity(body, kind == BALL ? vec(-(lode_real)(speed * ways[w][1])*2, (lode_real)(speed * ways[w][0])*2, (lode_real)spin) : vec(0,0,(lode_real)spin));
        for (int i = 0; i < atoi(getenv("N")); ++i) {
            step(world, 1);
            lode_vec3 x = lode_body_get_pose(body).position, v = lode_body_get_linear_velocity(body), o = lode_body_get_angular_velocity(body);
            printf("%d x %.4f %.4f %.5f v %.5f %.5f %.5f w %.4f %.4f %.4f\n", i, (double)x.x,(double)x.y,(double)x.z,(double)v.x,(double)v.y,(double)v.z,(double)o.x,(double)o.y,(double)o.z);
            lode_contact c[32];
            int n = lode_world_get_contacts(world, c, 32);
            for (int k = 0; k < n; ++k) for (int q = 0; q < c[k].point_count; ++q)
                printf("    c%d n %.4f %.4f %.4f p %.4f %.4f %.4f d %.5f i %.4f %.4f %.4f f %x\n", k, (double)c[k].normal.x,(double)c[k].normal.y,(double)c[k].normal.z,
                (double)c[k].points[q].position.x,(double)c[k].points[q].position.y,(double)c[k].points[q].position.z,(double)c[k].points[q].depth, (double)c[k].points[q].impulse.x, (double)c[k].points[q].impulse.y, (double)c[k].points[q].impulse.z, (unsigned)c[k].points[q].feature);
        }
        lode_world_destroy(world);
        printf("======\n");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(getenv("F") ? detail : explore),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
