/* hull_box.c: see hull_box.h.
 *
 * A box is wanted for each pair that one is in. Of what a hull has only lengths differ from box to
 * box, so the rest lies ready in tables. Corners are numbered by their signs, x + 2 y + 4 z; faces
 * are -x, x, -y, y, -z, z. */
#include "collide/hull_box.h"

#include "core/math.h"

#include <string.h>

/* clang-format off */

static const lode__hull_edge edges[24] = { /* origin, twin, face, beyond, ridge */
    {0, 11, 0, 2, 0}, {4, 23, 0, 5, 1}, {6, 12, 0, 3, 2}, {2, 16, 0, 4, 3},
    {1, 18, 1, 4, 4}, {3, 14, 1, 3, 5}, {7, 21, 1, 5, 6}, {5, 9, 1, 2, 7},
    {0, 19, 2, 4, 8}, {1, 7, 2, 1, 7}, {5, 20, 2, 5, 9}, {4, 0, 2, 0, 0},
    {2, 2, 3, 0, 2}, {6, 22, 3, 5, 10}, {7, 5, 3, 1, 5}, {3, 17, 3, 4, 11},
    {0, 3, 4, 0, 3}, {2, 15, 4, 3, 11}, {3, 4, 4, 1, 4}, {1, 8, 4, 2, 8},
    {4, 10, 5, 2, 9}, {5, 6, 5, 1, 6}, {7, 13, 5, 3, 10}, {6, 1, 5, 0, 1},
};

static const uint32_t leaving[8] = {0, 4, 3, 5, 1, 7, 2, 6};

/* Of each ridge: its edge, the faces beside it and the corners at its ends. */
static const uint8_t ridge_table[12][5] = {
    {0, 0, 2, 0, 4}, {1, 0, 5, 4, 6}, {2, 0, 3, 6, 2},
    {3, 0, 4, 2, 0}, {4, 1, 4, 1, 3}, {5, 1, 3, 3, 7},
    {6, 1, 5, 7, 5}, {7, 1, 2, 5, 1}, {8, 2, 4, 0, 1},
    {10, 2, 5, 5, 4}, {13, 3, 5, 6, 7}, {15, 3, 4, 3, 2},
};

static const lode_vec3 normals[6] = {
    {-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1},
};

/* The last ones are the first again. */
static const lode__hull_planes planes = {
    {-1, 1, 0, 0, 0, 0, -1, -1}, {0, 0, -1, 1, 0, 0, 0, 0}, {0, 0, 0, 0, -1, 1, 0, 0}, {0},
};

static const lode__hull_planes beside[4] = {
    {{-1, -1, -1, -1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}, {0}},
    {{0, 0, 0, 0, 0, 0, 0, 0}, {-1, 0, 1, 0, 0, 1, 0, -1}, {0, 1, 0, -1, -1, 0, 1, 0}, {0}},
    {{0, 0, 0, 0, -1, -1, -1, -1}, {-1, -1, 1, 1, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}, {0}},
    {{0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, -1, -1, -1, -1}, {-1, 1, 1, -1, 0, 0, 0, 0}, {0}},
};

/* clang-format on */

static void put3(lode_real *to, lode_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static void fill_corners(lode__box_hull *box, const lode_real half[3])
{
    for (uint32_t v = 0; v < 8; ++v) {
        lode_vec3 at = v3(v & 1 ? half[0] : -half[0], v & 2 ? half[1] : -half[1],
                          v & 4 ? half[2] : -half[2]);
        box->vertices[v] = at;
        box->corners.x[v] = at.x;
        box->corners.y[v] = at.y;
        box->corners.z[v] = at.z;
    }
}

static void fill_faces(lode__box_hull *box, const lode_real half[3])
{
    box->planes = planes;
    for (uint32_t f = 0; f < 6; ++f) {
        box->faces[f] = (lode__hull_face){normals[f], half[f / 2], 4 * f, 4};
        box->planes.offset[f] = half[f / 2];
    }
    box->planes.offset[6] = box->planes.offset[7] = half[0];
}

static void fill_ridges(lode__box_hull *box, const lode_real half[3])
{
    memcpy(box->beside, beside, sizeof beside);
    for (uint32_t i = 0; i < 16; ++i) {
        const uint8_t *row = ridge_table[i < 12 ? i : 0];
        box->beside[i / 8 * 2].offset[i % 8] = half[row[1] / 2];
        box->beside[i / 8 * 2 + 1].offset[i % 8] = half[row[2] / 2];
    }
    for (uint32_t i = 0; i < 12; ++i) {
        const uint8_t *row = ridge_table[i];
        lode_vec3 from = box->vertices[row[3]];
        lode_real *x = box->ridges[i].x;
        box->ridges[i].edge = row[0];
        put3(&x[0], normals[row[1]]);
        put3(&x[3], normals[row[2]]);
        put3(&x[6], v3_sub(box->vertices[row[4]], from));
        put3(&x[9], from);
    }
}

void lode__fill_box_hull(lode__box_hull *box, const lode_real half[3])
{
    lode_hull *hull = &box->hull;
    hull->vertex_count = 8;
    hull->face_count = 6;
    hull->edge_count = 24;
    hull->ridge_count = 12;
    hull->vertices = box->vertices;
    hull->faces = box->faces;
    hull->edges = (lode__hull_edge *)edges; /* hulls are written to only while they are made */
    hull->planes = &box->planes;
    hull->corners = &box->corners;
    hull->beside = box->beside;
    hull->ridges = box->ridges;
    hull->sides = NULL;
    hull->leaving = (uint32_t *)leaving;
    hull->center = d3(0, 0, 0);
    hull->size = 2 * r_max(half[0], r_max(half[1], half[2]));
    hull->inner = r_min(half[0], r_min(half[1], half[2]));
    fill_corners(box, half);
    fill_faces(box, half);
    fill_ridges(box, half);
}
