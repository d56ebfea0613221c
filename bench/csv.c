/* csv.c: the runs of the JSON file as a table (RFC 4180).
 *
 * Every value of a run becomes a cell; its column is called by the path to it, "step_ms/median".
 * Engines have different stages, so the columns are those of all runs together, in the order in
 * which they first appear; a cell that does not apply is empty. A list is one cell, its items
 * parted by spaces. */
#include "bench/csv.h"

#include "bench/json.h"
#include "bench/tool.h"

#include <cJSON.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 256 };

typedef struct column {
    char path[PATH];
} column;

typedef struct table {
    column *columns;
    int count, capacity;
    char **cells; /* of the row at hand, one per column; null: empty */
} table;

typedef void visit_fn(table *t, const char *path, const cJSON *value);

/* Calls `visit` for each value below `object` that is not an object itself. */
static void walk(table *t, const char *prefix, const cJSON *object, visit_fn *visit)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, object)
    {
        char path[PATH];
        int length = snprintf(path, sizeof path, "%s%s%s", prefix, prefix[0] ? "/" : "",
                              item->string);
        if (length >= PATH)
            bench_fail("--csv: the name of '%s' is too long", item->string);
        if (cJSON_IsObject(item))
            walk(t, path, item, visit);
        else
            visit(t, path, item);
    }
}

static int find_column(const table *t, const char *path)
{
    for (int i = 0; i < t->count; ++i)
        if (strcmp(t->columns[i].path, path) == 0)
            return i;
    return -1;
}

static void add_column(table *t, const char *path, const cJSON *value)
{
    (void)value;
    if (find_column(t, path) >= 0)
        return;
    t->columns = bench_grow(t->columns, t->count, &t->capacity, sizeof *t->columns);
    snprintf(t->columns[t->count++].path, PATH, "%s", path);
}

/* The text of a value: plain for a string, joined for a list, JSON's for the rest. */
static char *text_of(const cJSON *value)
{
    char *text = NULL;
    if (cJSON_IsString(value) || cJSON_IsArray(value)) {
        text = bench_alloc(1, PATH);
        const cJSON *item = cJSON_IsArray(value) ? value->child : value;
        for (size_t used = 0; item && used < PATH; item = cJSON_IsArray(value) ? item->next : NULL)
            used += (size_t)snprintf(text + used, PATH - used, "%s%s", used ? " " : "",
                                     item->valuestring);
    } else if (!cJSON_IsNull(value)) {
        text = cJSON_PrintUnformatted(value);
    }
    return text;
}

static void set_cell(table *t, const char *path, const cJSON *value)
{
    t->cells[find_column(t, path)] = text_of(value);
}

static void write_cell(FILE *file, const char *text)
{
    bool quoted = strpbrk(text, ",\"\n") != NULL;
    if (quoted)
        fputc('"', file);
    for (; *text; ++text) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    if (quoted)
        fputc('"', file);
}

static void write_row(FILE *file, table *t)
{
    for (int i = 0; i < t->count; ++i) {
        if (i > 0)
            fputc(',', file);
        if (t->cells[i])
            write_cell(file, t->cells[i]);
        free(t->cells[i]);
        t->cells[i] = NULL;
    }
    fputs("\r\n", file);
}

static void write_table(FILE *file, const cJSON *runs, table *t)
{
    const cJSON *run;
    cJSON_ArrayForEach(run, runs) walk(t, "", run, add_column);
    t->cells = bench_alloc((size_t)t->count, sizeof *t->cells);
    for (int i = 0; i < t->count; ++i) {
        t->cells[i] = bench_alloc(1, PATH);
        memcpy(t->cells[i], t->columns[i].path, PATH);
    }
    write_row(file, t);
    cJSON_ArrayForEach(run, runs)
    {
        walk(t, "", run, set_cell);
        write_row(file, t);
    }
}

bool bench_csv_write(const char *path, const bench_result *results, int count)
{
    FILE *file = fopen(path, "w");
    bool ok = file != NULL;
    if (ok) {
        table t = {0};
        cJSON *runs = bench_json_runs(results, count);
        write_table(file, runs, &t);
        cJSON_Delete(runs);
        free(t.cells);
        free(t.columns);
        ok = !ferror(file);
        ok = fclose(file) == 0 && ok;
    }
    if (!ok)
        perror(path);
    return ok;
}
