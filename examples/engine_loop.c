/* engine_loop.c: a world inside an engine's main loop.
 *
 * Frames are as long as they happen to be, steps always STEP seconds: time is saved up until it
 * pays for a step, and what is left says how far between the last two steps to draw. The engine
 * lends its allocator, job system, profiler and log, and reads back what moved. The file is C17 and
 * C++ alike. A list of frame times and some checks stand for clock and screen; the program fails
 * when one of the checks does. */
#define _POSIX_C_SOURCE 200809L
#include <lode/lode.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STEP ((lode_real)1 / 60)       /* s */
#define LONGEST_FRAME ((lode_real)0.1) /* s; a longer one slows the game, or steps would pile up */

enum { WORKERS = 2, TOWERS = 64, LAYERS = 4, CRATES = TOWERS * LAYERS, FRAMES = 600 };

static int failures;

static void check(bool good, const char *what)
{
    if (!good)
        fprintf(stderr, "engine_loop: %s\n", what);
    failures += !good;
}

/* ---- memory: an allocator that counts. One thread calls Lode here; with several, lock. ---- */

typedef struct memory_count {
    size_t bytes, calls;
} memory_count;

/* Keeps malloc's pointer just below the aligned block. */
static void *engine_alloc(void *user, size_t size, size_t alignment)
{
    memory_count *count = (memory_count *)user;
    void *block = malloc(sizeof block + alignment + size);
    if (!block)
        return NULL;
    void **aligned = (void **)(((uintptr_t)block + sizeof block + alignment) & ~(alignment - 1));
    aligned[-1] = block;
    count->bytes += size;
    ++count->calls;
    return aligned;
}

static void engine_free(void *user, void *memory, size_t size)
{
    ((memory_count *)user)->bytes -= size;
    free(((void **)memory)[-1]);
}

/* ---- jobs: threads that share the tasks of a run, the caller among them ---- */

typedef struct job_system {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    pthread_t threads[WORKERS - 1];
    void (*task)(void *context, int index);
    void *context;
    int next, count, unfinished, runs;
    bool quit;
} job_system;

/* With the lock held at begin and end. */
static void take_tasks(job_system *jobs)
{
    while (jobs->next < jobs->count) {
        int index = jobs->next++;
        pthread_mutex_unlock(&jobs->lock);
        jobs->task(jobs->context, index);
        pthread_mutex_lock(&jobs->lock);
        if (--jobs->unfinished == 0)
            pthread_cond_signal(&jobs->done);
    }
}

static void *worker(void *user)
{
    job_system *jobs = (job_system *)user;
    pthread_mutex_lock(&jobs->lock);
    while (!jobs->quit) {
        pthread_cond_wait(&jobs->work, &jobs->lock);
        take_tasks(jobs);
    }
    pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

/* Lode calls this several times a step. It returns when all tasks have. */
static void jobs_run(void *user, int count, void (*task)(void *context, int index), void *context)
{
    job_system *jobs = (job_system *)user;
    pthread_mutex_lock(&jobs->lock);
    jobs->task = task;
    jobs->context = context;
    jobs->next = 0;
    jobs->count = jobs->unfinished = count;
    ++jobs->runs;
    pthread_cond_broadcast(&jobs->work);
    take_tasks(jobs);
    while (jobs->unfinished > 0)
        pthread_cond_wait(&jobs->done, &jobs->lock);
    pthread_mutex_unlock(&jobs->lock);
}

static void jobs_start(job_system *jobs)
{
    pthread_mutex_init(&jobs->lock, NULL);
    pthread_cond_init(&jobs->work, NULL);
    pthread_cond_init(&jobs->done, NULL);
    for (int i = 0; i < WORKERS - 1; ++i)
        if (pthread_create(&jobs->threads[i], NULL, worker, jobs) != 0)
            abort();
}

static void jobs_stop(job_system *jobs)
{
    pthread_mutex_lock(&jobs->lock);
    jobs->quit = true;
    pthread_cond_broadcast(&jobs->work);
    pthread_mutex_unlock(&jobs->lock);
    for (int i = 0; i < WORKERS - 1; ++i)
        pthread_join(jobs->threads[i], NULL);
}

/* ---- profiler and log: where a real one opens and closes a zone of this name ---- */

static void zone_begin(void *user, const char *name)
{
    (void)name;
    ++((int *)user)[0];
}

static void zone_end(void *user, const char *name)
{
    (void)name;
    ++((int *)user)[1];
}

static void log_error(void *user, lode_status status, const char *function, const char *argument,
                      const char *message)
{
    (void)user;
    fprintf(stderr, "%s: %s: %s %s\n", function, lode_status_text(status), argument, message);
    ++failures;
}

static void log_warnings(lode_world world)
{
    lode_warning_info warnings[LODE_WARNING_COUNT];
    int count = lode_world_get_warnings(world, warnings, LODE_WARNING_COUNT);
    for (int i = 0; i < count; ++i)
        if (warnings[i].last > 0)
            fprintf(stderr, "%d times in this step: %s\n", warnings[i].last, warnings[i].text);
}

/* ---- entities: what the game moves and draws; a body's user data is its entity ---- */

typedef struct entity {
    lode_pose before, now; /* by the last two steps that moved it */
    int moved_in;          /* the last of these */
} entity;

static entity ground, lift, crates[CRATES];
static const lode_real lift_speed = (lode_real)0.5, half = (lode_real)0.5;

static lode_body spawn(lode_world world, entity *e, lode_body_type type, lode_vec3 position,
                       lode_real half_width, lode_real half_height)
{
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    lode_vec3 half_extents = {half_width, half_width, half_height};
    def.type = type;
    def.position = position;
    def.user_data = e;
    lode_body body = lode_body_create(world, &def);
    lode_shape_create_box(body, &shape, half_extents);
    e->before = e->now = lode_body_get_pose(body);
    return body;
}

static void build(lode_world world)
{
    lode_vec3 below = {60, 0, -5}, bottom = {-5, 0, 1}, rise = {0, 0, lift_speed};
    spawn(world, &ground, LODE_STATIC, below, 100, 5);
    lode_body_set_linear_velocity(spawn(world, &lift, LODE_KINEMATIC, bottom, half, half), rise);
    for (int i = 0; i < CRATES; ++i) {
        lode_real tower = (lode_real)(i / LAYERS), layer = (lode_real)(i % LAYERS);
        lode_vec3 place = {2 * tower, 0, half + layer * (2 * half + (lode_real)0.02)};
        spawn(world, &crates[i], LODE_DYNAMIC, place, half, half);
    }
}

/* ---- the loop ---- */

static void step(lode_world world, int number)
{
    /* forces of the game are added here: they last for one step */
    if (lode_world_step(world, STEP) != LODE_OK)
        return; /* logged; nothing has moved */
    log_warnings(world);
    lode_moved moved = lode_world_get_moved(world);
    for (int i = 0; i < moved.count; ++i) {
        entity *e = (entity *)moved.user_data[i];
        e->before = e->now;
        e->now = moved.poses[i];
        e->moved_in = number;
    }
}

/* Between two numbers: `t` of the second. */
static lode_real mix(lode_real a, lode_real b, lode_real t)
{
    return a + (b - a) * t;
}

/* Where to draw. What the last step did not move stood still; the rotation of one step is small
 * enough for the mean of two quaternions with the same sign, normalised. */
static lode_pose drawn_pose(const entity *e, int last_step, lode_real t)
{
    if (e->moved_in != last_step)
        return e->now;
    lode_vec3 p = e->before.position, p1 = e->now.position;
    lode_quat q = e->before.rotation, r = e->now.rotation;
    lode_real s = q.w * r.w + q.x * r.x + q.y * r.y + q.z * r.z < 0 ? -1 : 1;
    lode_quat m = {mix(q.w, s * r.w, t), mix(q.x, s * r.x, t), mix(q.y, s * r.y, t),
                   mix(q.z, s * r.z, t)};
    lode_real n = 1 / (lode_real)sqrt(m.w * m.w + m.x * m.x + m.y * m.y + m.z * m.z);
    lode_pose pose = {{mix(p.x, p1.x, t), mix(p.y, p1.y, t), mix(p.z, p1.z, t)},
                      {n * m.w, n * m.x, n * m.y, n * m.z}};
    return pose;
}

static int run(lode_world world, const memory_count *memory)
{
    static const lode_real frames[] = {(lode_real)0.016, (lode_real)0.004, (lode_real)0.5};
    lode_real saved = 0;
    size_t calls_when_warm = 0;
    int steps = 0;
    for (int frame = 0; frame < FRAMES; ++frame) {
        lode_real passed = frames[frame % 3];
        saved += passed < LONGEST_FRAME ? passed : LONGEST_FRAME;
        for (; saved >= STEP; saved -= STEP)
            step(world, ++steps);
        /* drawn is the time one step ago; there the lift moves evenly, however frames fall */
        lode_real drawn_time = (lode_real)(steps - 1) * STEP + saved;
        lode_real error = drawn_pose(&lift, steps, saved / STEP).position.z - 1;
        check(steps == 0 || fabs(error - lift_speed * drawn_time) < 1e-3, "the lift jerks");
        if (frame == 10)
            calls_when_warm = memory->calls;
    }
    check(memory->calls == calls_when_warm, "a warm step took memory from the heap");
    for (int i = 0; i < CRATES; ++i)
        check(crates[i].moved_in < steps &&
                  fabs(crates[i].now.position.z - half - (lode_real)(i % LAYERS)) < 0.03,
              "a crate is not at rest in its tower");
    return steps;
}

int main(void)
{
    static memory_count memory;
    static job_system jobs;
    static int zones[2]; /* begun, ended */
    lode_allocator allocator = {&memory, engine_alloc, engine_free};
    lode_set_allocator(&allocator);
    lode_set_error_hook(log_error, NULL);
    jobs_start(&jobs);

    lode_world_def def = lode_world_def_default();
    lode_task_system tasks = {&jobs, WORKERS, jobs_run};
    lode_profiler profiler = {zones, zone_begin, zone_end};
    def.tasks = tasks;
    def.profiler = profiler;
    def.sleep.enabled = true;
    lode_world world = lode_world_create(&def);
    build(world);
    int steps = run(world, &memory);
    lode_world_destroy(world);
    jobs_stop(&jobs);

    check(memory.bytes == 0, "memory was not given back");
    check(jobs.runs > 0, "the job system was not used");
    check(zones[0] > steps && zones[0] == zones[1], "the profiler lost a zone");
    printf("%d steps, %d runs of jobs\n", steps, jobs.runs);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
