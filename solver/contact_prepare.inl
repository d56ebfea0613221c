/* contact_prepare.inl: from eight manifolds to a contact block: the contact frame, the 6 x 6
 * response at the centroid, and the effective masses of the rows. solver/blocks.h derives them.
 *
 * The caller has put the points' positions from a's centre of mass into x, y and c (world axes),
 * the vector from b's centre of mass to a's into rb, the first friction direction or zero into t,
 * and the old impulses. */

/* A tangent to n: the one that is given, or where that is zero one that is continuous but for a
 * seam at n.z = 0 (Duff et al. 2017, "Building an orthonormal basis, revisited"). */
LODE__INLINE wvec3 tangent_of(wvec3 n, wvec3 given)
{
    wreal one = w_splat(1), zero = w_zero();
    wreal sign = w_select(w_lt(n.z, zero), w_neg(one), one);
    wreal a = w_neg(w_div(one, w_add(sign, n.z)));
    wreal b = w_mul(w_mul(n.x, n.y), a);
    wvec3 any = {w_add(one, w_mul(w_mul(w_mul(sign, n.x), n.x), a)), w_mul(sign, b),
                 w_neg(w_mul(sign, n.x))};
    return wv_select(w_gt(wv_dot(given, given), zero), given, any);
}

/* The 6 x 6 response at the centroid: linear d, coupling c (row: velocity, column: moment),
 * angular i. */
typedef struct response {
    wsym3 d, i;
    wmat3 c;
} response;

LODE__INLINE wvec3 to_frame(const contact_frame *f, wvec3 v)
{
    return (wvec3){wv_dot(f->n, v), wv_dot(f->t1, v), wv_dot(f->t2, v)};
}

LODE__INLINE response response_of(const contact_frame *f, wvec3 arm, wline mass)
{
    wsym3 world = line_inertia(mass);
    wvec3 sn = ws_mul(world, f->n), s1 = ws_mul(world, f->t1), s2 = ws_mul(world, f->t2);
    response w;
    w.i = (wsym3){wv_dot(f->n, sn), wv_dot(f->t1, s1), wv_dot(f->t2, s2),
                  wv_dot(f->n, s1), wv_dot(f->n, s2),  wv_dot(f->t1, s2)};
    wvec3 r = to_frame(f, arm);
    wvec3 cx = wv_cross((wvec3){w.i.xx, w.i.xy, w.i.xz}, r);
    wvec3 cy = wv_cross((wvec3){w.i.xy, w.i.yy, w.i.yz}, r);
    wvec3 cz = wv_cross((wvec3){w.i.xz, w.i.yz, w.i.zz}, r);
    /* columns of C = -X I are columns of I crossed with r */
    w.c = (wmat3){{cx.x, cy.x, cz.x}, {cx.y, cy.y, cz.y}, {cx.z, cy.z, cz.z}};
    /* rows of D = 1/m + C X: row of C crossed with r from the left */
    wvec3 dx = wv_cross(w.c.x, r), dy = wv_cross(w.c.y, r), dz = wv_cross(w.c.z, r);
    w.d = (wsym3){
        w_add(mass.r0, dx.x), w_add(mass.r0, dy.y), w_add(mass.r0, dz.z), dx.y, dx.z, dy.z};
    return w;
}

LODE__INLINE void response_add(response *w, response o)
{
    w->d = (wsym3){w_add(w->d.xx, o.d.xx), w_add(w->d.yy, o.d.yy), w_add(w->d.zz, o.d.zz),
                   w_add(w->d.xy, o.d.xy), w_add(w->d.xz, o.d.xz), w_add(w->d.yz, o.d.yz)};
    w->i = (wsym3){w_add(w->i.xx, o.i.xx), w_add(w->i.yy, o.i.yy), w_add(w->i.zz, o.i.zz),
                   w_add(w->i.xy, o.i.xy), w_add(w->i.xz, o.i.xz), w_add(w->i.yz, o.i.yz)};
    w->c = (wmat3){wv_add(w->c.x, o.c.x), wv_add(w->c.y, o.c.y), wv_add(w->c.z, o.c.z)};
}

LODE__INLINE void response_store(lode__contact_block *b, wlane lane, const response *w)
{
    lane_store(&b->d11, lane, w->d.yy);
    lane_store(&b->d22, lane, w->d.zz);
    lane_store(&b->dn1, lane, w->d.xy);
    lane_store(&b->dn2, lane, w->d.xz);
    lane_store(&b->d12, lane, w->d.yz);
    lane_store(&b->cnn, lane, w->c.x.x);
    lane_store(&b->c1n, lane, w->c.y.x);
    lane_store(&b->c11, lane, w->c.y.y);
    lane_store(&b->c12, lane, w->c.y.z);
    lane_store(&b->c2n, lane, w->c.z.x);
    lane_store(&b->c21, lane, w->c.z.y);
    lane_store(&b->c22, lane, w->c.z.z);
    lane_store(&b->inn, lane, w->i.xx);
    lane_store(&b->in1, lane, w->i.xy);
    lane_store(&b->in2, lane, w->i.xz);
}

/* J W J^T of the friction rows of a point at (x, y). */
LODE__INLINE wsym2 friction_response(const response *w, wreal x, wreal y)
{
    wreal two = w_splat(2), xx = w_mul(x, x), yy = w_mul(y, y), xy = w_mul(x, y);
    wreal k1 = w_sub(w->d.yy, w_mul(w_mul(two, w->c.y.x), y));
    k1 = w_add(k1, w_mul(w->i.xx, yy));
    wreal k2 = w_add(w->d.zz, w_mul(w_mul(two, w->c.z.x), x));
    k2 = w_add(k2, w_mul(w->i.xx, xx));
    wreal k12 = w_add(w->d.yz, w_sub(w_mul(w->c.y.x, x), w_mul(w->c.z.x, y)));
    k12 = w_sub(k12, w_mul(w->i.xx, xy));
    return (wsym2){k1, k12, k2};
}

/* Effective masses of one point, from J W J^T of its three rows. */
LODE__INLINE void prepare_row(lode__contact_row *row, wlane lane, const response *w, const twist *v,
                              wvec3 from_centroid, const contact_frame *f, const lode__softness *s)
{
    wreal x = wv_dot(f->t1, from_centroid), y = wv_dot(f->t2, from_centroid);
    wreal two = w_splat(2), xx = w_mul(x, x), yy = w_mul(y, y), xy = w_mul(x, y);
    wreal k = w_add(w->d.xx, w_mul(two, w_sub(w_mul(w->c.x.y, y), w_mul(w->c.x.z, x))));
    k = w_add(k, w_add(w_mul(w->i.yy, yy), w_mul(w->i.zz, xx)));
    k = w_sub(k, w_mul(w_mul(two, w->i.yz), xy));
    wsym2 friction = friction_response(w, x, y);
    lane_store(&row->x, lane, x);
    lane_store(&row->y, lane, y);
    lane_store(&row->k, lane, k);
    lane_store(&row->arm, lane, w_sqrt(w_add(xx, yy)));
    friction_prepare(pair_of_row(row), lane, friction.xx, friction.yy, friction.xy,
                     w_splat(s->relaxation), s->cone);
    lane_store(&row->approach, lane, normal_velocity(v, (place){x, y, false}));
}

/* How a normal impulse at point i changes the normal velocity at point j: J_i W J_j^T. */
LODE__INLINE wreal coupling_of(const response *w, const lode__contact_row *i,
                               const lode__contact_row *j, wlane lane)
{
    wreal xi = lane_load(&i->x, lane), yi = lane_load(&i->y, lane);
    wreal xj = lane_load(&j->x, lane), yj = lane_load(&j->y, lane);
    wreal k = w_add(w->d.xx, w_sub(w_mul(w->c.x.y, w_add(yi, yj)), w_mul(w->c.x.z, w_add(xi, xj))));
    k = w_add(k, w_add(w_mul(w->i.yy, w_mul(yi, yj)), w_mul(w->i.zz, w_mul(xi, xj))));
    return w_sub(k, w_mul(w->i.yz, w_add(w_mul(xi, yj), w_mul(xj, yi))));
}

/* Of the diagonal of the normal rows' matrix, what is added to it before it is inverted. Four
 * points on two rigid bodies carry three degrees of freedom, so the matrix is singular; and
 * impulses that the undamped inverse would trade between corners come back as noise. Measured:
 * below 0.1 tall pyramids shake, above 0.5 towers sway. */
#define BLOCK_DAMPING ((lode_real)0.3)

/* Inverts the damped matrix, softened by gamma as its rows are, by the symmetric sweep operator
 * (Goodnight 1979), which turns it into its negative inverse; it is positive definite, so no
 * pivoting. */
LODE__INLINE void invert_normals(lode__contact_block *b, wlane lane, int points, wreal gamma)
{
    wreal a[LODE__MANIFOLD_POINTS][LODE__MANIFOLD_POINTS];
    wreal one = w_splat(1), more = w_splat(1 + BLOCK_DAMPING);
    for (int i = 0; i < points; ++i) {
        wreal k = lane_load(&b->rows[i].k, lane);
        a[i][i] = w_select(w_gt(k, w_zero()), w_add(w_mul(k, more), gamma), one);
        for (int j = i + 1; j < points; ++j)
            a[i][j] = a[j][i] = lane_load(&b->rows[i].coupling[j - i - 1], lane);
    }
    for (int k = 0; k < points; ++k) {
        wreal p = w_div(one, a[k][k]);
        wreal row[LODE__MANIFOLD_POINTS];
        for (int j = 0; j < points; ++j)
            row[j] = w_mul(a[k][j], p);
        for (int i = 0; i < points; ++i)
            for (int j = 0; j < points; ++j)
                if (i != k && j != k)
                    a[i][j] = w_sub(a[i][j], w_mul(a[i][k], row[j]));
        for (int j = 0; j < points; ++j)
            a[k][j] = a[j][k] = row[j];
        a[k][k] = w_neg(p);
    }
    for (int i = 0; i < points; ++i)
        for (int j = i; j < points; ++j)
            lane_store(&b->rows[i].inverse[j - i], lane, w_neg(a[i][j]));
}

/* Friction of the whole manifold. Its impulse is the sum of what the points had. */
LODE__INLINE void prepare_manifold_friction(lode__contact_block *b, wlane lane, int points,
                                            const response *w, const lode__softness *s)
{
    wreal zero = w_zero(), relaxation = w_splat(s->relaxation);
    twist sum = {zero, zero, zero, zero, zero, zero};
    friction_prepare(pair_of_block(b), lane, w->d.yy, w->d.zz, w->d.yz, relaxation, s->cone);
    lane_store(&b->twist_mass, lane, inverse_or_zero(w->i.xx, relaxation));
    for (int i = 0; i < points; ++i) {
        lode__contact_row *row = &b->rows[i];
        add_point_friction(row, lane, place_of(row, lane, points), &sum);
    }
    lane_store(&b->lambda1, lane, sum.u1);
    lane_store(&b->lambda2, lane, sum.u2);
    lane_store(&b->twist, lane, sum.wn);
}

/* The rows of the points; returns the response. */
LODE__INLINE response points_prepare(lode__contact_block *b, const lode__dense *lines,
                                     const lode__softness *s, wlane lane, int points, bool pair,
                                     shared_block *shared)
{
    wvec3 sum = wv_zero();
    for (int i = 0; i < points; ++i)
        sum = wv_add(sum, (wvec3){lane_load(&b->rows[i].x, lane), lane_load(&b->rows[i].y, lane),
                                  lane_load(&b->rows[i].c, lane)});
    wvec3 centroid = wv_scale(sum, w_splat((lode_real)1 / (lode_real)points));
    lane3_store(&b->ra, lane, centroid);
    lane3_store(&b->rb, lane, wv_add(centroid, lane3_load(&b->rb, lane)));
    lane3_store(&b->t, lane, tangent_of(lane3_load(&b->n, lane), lane3_load(&b->t, lane)));
    contact_frame f = frame_load(b, lane, pair);
    const lode_real *masses = &lines->inv_mass->inv_mass;
    wline mass_a = lines_load(masses, b->a, lane);
    wline mass_b = pair ? lines_load(masses, b->b, lane) : mass_a;
    if (shared) {
        mass_a = split_mass(mass_a, shares_of(b->a, b->b, b->a, lane));
        mass_b = split_mass(mass_b, shares_of(b->a, b->b, b->b, lane));
    }
    response w = response_of(&f, f.ra, mass_a);
    if (pair)
        response_add(&w, response_of(&f, f.rb, mass_b));
    response_store(b, lane, &w);
    wline la = lines_load(&lines->velocity->linear.x, b->a, lane);
    wline lb = pair ? lines_load(&lines->velocity->linear.x, b->b, lane) : la;
    twist v = twist_of(&f, la, lb, pair);
    for (int i = 0; i < points; ++i) {
        wvec3 p = {lane_load(&b->rows[i].x, lane), lane_load(&b->rows[i].y, lane),
                   lane_load(&b->rows[i].c, lane)};
        prepare_row(&b->rows[i], lane, &w, &v, wv_sub(p, centroid), &f, s);
    }
    for (int i = 0; i < points; ++i)
        for (int j = i + 1; j < points; ++j)
            lane_store(&b->rows[i].coupling[j - i - 1], lane,
                       coupling_of(&w, &b->rows[i], &b->rows[j], lane));
    return w;
}

LODE__INLINE void contact_prepare(lode__contact_block *b, const lode__dense *lines,
                                  const lode__softness *s, wlane lane, int points, bool pair,
                                  shared_block *shared)
{
    response w = points_prepare(b, lines, s, lane, points, pair, shared);
    invert_normals(b, lane, points, w_splat(s->gamma));
    if (s->friction_per_manifold && points > 1)
        prepare_manifold_friction(b, lane, points, &w, s);
}
