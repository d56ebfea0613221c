/* lcp_problem.h: one mixed LCP, as it was posed: the solution scales its own copy. */
#ifndef LODE_TESTS_SOLVER_LCP_PROBLEM_H
#define LODE_TESTS_SOLVER_LCP_PROBLEM_H

#include "solver/lcp.h"
#include "tests/support/random.h"

enum { LCP_MOST = 320 };

typedef struct lcp_posed {
    int count;
    double a[LCP_MOST][LCP_MOST];
    double b[LCP_MOST], lo[LCP_MOST], hi[LCP_MOST], ratio[LCP_MOST], guess[LCP_MOST];
    int master[LCP_MOST];
    double x[LCP_MOST];
    uint32_t pivots;
    bool without_tableau; /* paths go by factors, whatever the size */
} lcp_posed;

extern lcp_posed lcp_problem;
extern const double lcp_unbounded;

/* A = J J^T + soft, from vectors of `rank` numbers; rows couple only within `reach`. All rows are
 * without limits. */
void lcp_pose(int count, int rank, int reach, double soft, test_random *random);

/* Contacts: normals and two directions of friction that hang on each, by ratios up to `most`. */
void lcp_pose_contacts(int contacts, int rank, double soft, double most, test_random *random);

/* b = J v of some motion, so that w = 0 is possible for all rows at once. */
void lcp_make_consistent(test_random *random);

void lcp_limit_rows(test_random *random);

/* As one node; as nodes of `each` rows. */
bool lcp_solve(void);
bool lcp_solve_as(uint32_t each);

/* Along a path from the guess, without any round before or after. */
bool lcp_follow(bool open, uint32_t pivots);

/* By how much x fails to be a solution: how far x - w, cut off at the limits, is from x. */
double lcp_error_of_row(int i);
double lcp_error(void);

#endif
