/* seeds.c: writes inputs for fuzzing to begin with: `seeds FOLDER` fills FOLDER/<target>. Each cell
 * of a target's first choices (types of both shapes, builders, worlds) has some; the rest are
 * random numbers, many of them special. The same bytes each time. */
#include "tests/support/random.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static test_random random_state = {1};

static uint8_t some_byte(void)
{
    static const uint8_t special[] = {0, 1, 7, 127, 128, 129, 254, 255};
    return random_below(&random_state, 4) ? (uint8_t)random_below(&random_state, 256)
                                          : special[random_below(&random_state, 8)];
}

static void write_seed(const char *folder, const char *target, int number, const uint8_t *head,
                       int head_size, int size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/seed-%04d", folder, target, number);
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(1);
    }
    fwrite(head, 1, (size_t)head_size, file);
    for (int i = head_size; i < size; ++i)
        fputc(some_byte(), file);
    fclose(file);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr,
                "usage: seeds FOLDER; its folders pairs, builders, snapshots, calls must exist\n");
        return 1;
    }
    for (int i = 0; i < 4 * 64; ++i)
        write_seed(argv[1], "pairs", i, (uint8_t[]){(uint8_t)(i % 8), (uint8_t)(i / 8 % 8)}, 2,
                   300);
    for (int i = 0; i < 4 * 8; ++i)
        write_seed(argv[1], "pairs", 256 + i, (uint8_t[]){255, i % 8 ? (uint8_t)(i % 8) : 255}, 2,
                   400);
    for (int i = 0; i < 10 * 8; ++i)
        write_seed(argv[1], "builders", i, (uint8_t[]){(uint8_t)(i % 4 | (i & 4 ? 128 : 0))}, 1,
                   600);
    for (int i = 0; i < 3 * 16; ++i)
        write_seed(argv[1], "snapshots", i, (uint8_t[]){(uint8_t)(i % 3), (uint8_t)(i / 3 * 8 + 3)},
                   2, 40);
    for (int i = 0; i < 64; ++i)
        write_seed(argv[1], "calls", i, NULL, 0, 500);
    return 0;
}
