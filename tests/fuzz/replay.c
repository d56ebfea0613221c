/* replay.c: runs a fuzz target over kept inputs: every file of the folders that are named. A defect
 * that was found so stays mended. The program needs no libFuzzer. */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>

static int run(const char *path)
{
    FILE *file = fopen(path, "rb");
    FUZZ_CHECK(file, "cannot open %s", path);
    static uint8_t bytes[1 << 20];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    uint8_t *exact = malloc(size ? size : 1); /* so that reading beyond it shows */
    FUZZ_CHECK(exact, "out of memory");
    memcpy(exact, bytes, size);
    fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 1;
}

static int run_folder(const char *folder)
{
    char path[4096];
    int count = 0;
    DIR *dir = opendir(folder);
    FUZZ_CHECK(dir, "cannot open %s", folder);
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        count += run(path);
    }
    closedir(dir);
    return count;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int i = 1; i < argc; ++i)
        count += run_folder(argv[i]);
    FUZZ_CHECK(count > 0, "nothing to run");
    printf("%d kept inputs: none fails\n", count);
    return 0;
}
