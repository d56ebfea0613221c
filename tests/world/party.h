/* party.h: worlds of bodies and small articulations that are in groups, for tests of aggregates:
 * the groups are aggregates, or groups by name only, and then a pair filter does what aggregates
 * should do. Parties made with equal numbers are equal but for that. */
#ifndef LODE_TESTS_WORLD_PARTY_H
#define LODE_TESTS_WORLD_PARTY_H

#include "tests/support/random.h"
#include "tests/world/support.h"

enum { BODIES = 40, ARMS = 6, LINKS = 3, MEMBERS = BODIES + ARMS, GROUPS = 5, NONE = GROUPS };

/* Members are the bodies and then the arms. */
typedef struct party {
    lode_world world;
    bool aggregates;
    lode_body body[BODIES];
    lode_articulation arm[ARMS];
    lode_body link[ARMS][LINKS];
    lode_aggregate group[GROUPS];
    int in[MEMBERS]; /* or NONE */
    bool self[GROUPS];
} party;

/* Null settings: the defaults. The party stays where it is: the filter knows it. */
void party_create(party *p, uint64_t seed, bool aggregates, const lode_world_def *settings);

/* Fails the test if anything was reported. */
void party_destroy(party *p);

/* User data of a member's bodies. */
void *party_name(int member);

void party_add_shape(test_random *random, lode_body body);

/* A member goes to a group, or to NONE. */
void party_put(party *p, int member, int group);

/* A group ends, and another one takes its place, empty. */
void party_end_group(party *p, int group);

/* Something that an application may do: the same to all parties with equal numbers. */
void party_happen(party *p, test_random random);

#endif
