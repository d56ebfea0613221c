/* access.inl: how the text of a kernel reads and writes links and dofs
 * (solver/articulation/multibody.h): of one articulation where MB_ONE is defined, else of eight
 * alike, whose numbers are lanes. With LODE_ONE_PAIR a vector of one is a register (simd/one.h):
 * four numbers are read and written, the fourth of them anything. */

#ifdef MB_ONE
#define MULTIBODY lode__multibody
#define LINK lode__mb_link
#define DOF lode__mb_dof
#define KEPT lode__mb_kept
#define NUMBER lode_real
#define PLACE(field, i) (&(field)[(i) + lane]) /* lane is 0 */
#define EACH_LANE for (int lane = 0; lane < 1; ++lane)
#define MB_ROW 4 /* numbers from one row of a matrix to the next */
#else
#define MULTIBODY lode__multibody_lanes
#define LINK lode__mb_link_lanes
#define DOF lode__mb_dof_lanes
#define KEPT lode__mb_kept_lanes
#define NUMBER lode__lane
#define PLACE(field, i) (&(field)[i].x[lane])
#define EACH_LANE for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH)
#define MB_ROW 3
#endif

#define GET(field) w_load(PLACE(field, 0))
#define PUT(field, value) w_store(PLACE(field, 0), value)

#ifdef LODE_ONE_PAIR
static inline wvec3 load_vector(const lode_real *p)
{
    return wf_vector(w_load_fours_at(&p, 0));
}
#define GET3_AT(field, i) load_vector(PLACE(field, i))
#define PUT3_AT(field, i, value) wv_put(PLACE(field, i), value)
static inline wquat load_rotation(const lode_real *p)
{
    return wf_quat(w_load_fours_at(&p, 0));
}
#define GET4(field) load_rotation(PLACE(field, 0))
#define PUT4(field, value) wq_put(PLACE(field, 0), value)
#else
#define GET3_AT(field, i) \
    wv_make(w_load(PLACE(field, i)), w_load(PLACE(field, (i) + 1)), w_load(PLACE(field, (i) + 2)))
#define PUT3_AT(field, i, value) \
    do { \
        wvec3 put_ = value; \
        w_store(PLACE(field, i), wv_x(put_)); \
        w_store(PLACE(field, (i) + 1), wv_y(put_)); \
        w_store(PLACE(field, (i) + 2), wv_z(put_)); \
    } while (0)
#define GET4(field) wq_make(GET(field), GET3_AT(field, 1))
#define PUT4(field, value) \
    do { \
        wquat q_ = value; \
        PUT(field, wq_scalar(q_)); \
        PUT3_AT(field, 1, wq_vector(q_)); \
    } while (0)
#endif

#define GET3(field) GET3_AT(field, 0)
#define PUT3(field, value) PUT3_AT(field, 0, value)

/* Six numbers in a row; and a symmetric matrix as two rows. */
#define GET6(field) ws_make(GET3_AT(field, 0), GET3_AT(field, 3))
#define PUT6(field, value) put_symmetric(field, 3, value)
#define GET_SYMMETRIC(field) ws_make(GET3_AT(field, 0), GET3_AT(field, MB_ROW))
#define PUT_SYMMETRIC(field, value) put_symmetric(field, MB_ROW, value)
#define put_symmetric(field, beside, value) \
    do { \
        wsym3 s_ = value; \
        PUT3_AT(field, 0, ws_diagonal(s_)); \
        PUT3_AT(field, beside, ws_beside(s_)); \
    } while (0)
#define GET9(field) ((wmat3){GET3_AT(field, 0), GET3_AT(field, MB_ROW), GET3_AT(field, 2 * MB_ROW)})
