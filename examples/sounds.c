/* sounds.c: what a scene sounds like, as a WAV file.
 *
 *     sounds OUT.wav OUT.log
 *
 * Three steel balls fall on a stone floor, one rolls down a ramp, a crate slides until it stops.
 * Each step's events (lode/sound.h) are played by simple synthesis: an impact is three modes that
 * die away, as loud as it has energy; rolling is a tone whose pitch follows the angular speeds;
 * sliding is noise through a filter that follows the speed. The log says what was played and when:
 * a test holds the one against the other. Without arguments nothing is written. */
#include <lode/lode.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define STEP ((lode_real)1 / HERTZ)
#define TURN 6.283185307179586

enum { HERTZ = 240, RATE = 48000, SAMPLES = RATE / HERTZ, SECONDS = 10, VOICES = 16 };

/* ---- the scene ---- */

static lode_world make_world(void)
{
    lode_world_def def = lode_world_def_default();
    def.sleep.enabled = true;
    def.impact_threshold = (lode_real)0.25;
    lode_world world = lode_world_create(&def);
    lode_contact_properties table = lode_contact_properties_default();
    table.material1 = "steel";
    table.material2 = "stone";
    table.friction[0] = (lode_real)0.3;
    table.bounce = (lode_real)0.4;
    table.bounce_velocity = (lode_real)0.25;
    table.bump_sound = "clang";
    lode_world_set_contact_properties(world, &table, 1);
    return world;
}

static lode_body add_body(lode_world world, lode_body_type type, lode_vec3 position)
{
    lode_body_def def = lode_body_def_default();
    def.type = type;
    def.position = position;
    return lode_body_create(world, &def);
}

static void add_stone(lode_world world, lode_vec3 position, double slope, lode_vec3 half)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(world, LODE_STATIC, position);
    def.pose.rotation = (lode_quat){(lode_real)cos(slope / 2), 0, (lode_real)sin(slope / 2), 0};
    lode_shape_set_material(lode_shape_create_box(body, &def, half), "stone");
}

static lode_body add_ball(lode_world world, lode_vec3 position)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(world, LODE_DYNAMIC, position);
    def.density = 7800;
    def.sound_events = true;
    lode_shape_set_material(lode_shape_create_sphere(body, &def, (lode_real)0.1), "steel");
    return body;
}

static void add_crate(lode_world world, lode_vec3 position, lode_vec3 velocity)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(world, LODE_DYNAMIC, position);
    def.sound_events = true;
    lode_shape_set_material(
        lode_shape_create_box(body, &def,
                              (lode_vec3){(lode_real)0.2, (lode_real)0.15, (lode_real)0.1}),
        "steel");
    lode_body_set_linear_velocity(body, velocity);
}

/* What happens before a step. */
static void play_scene(lode_world world, int frame)
{
    static lode_body roller;
    const double slope = 0.17; /* down along x, from 1 m up */
    switch (frame) {
    case 0:
        add_stone(world, (lode_vec3){0, 0, -1}, 0, (lode_vec3){20, 20, 1});
        add_stone(world, (lode_vec3){0, 3, 0}, slope,
                  (lode_vec3){2, (lode_real)0.5, (lode_real)0.3});
        add_ball(world, (lode_vec3){0, 0, (lode_real)0.6});
        break;
    case HERTZ * 3 / 2:
        add_ball(world, (lode_vec3){1, 0, (lode_real)1.1});
        break;
    case HERTZ * 3:
        add_ball(world, (lode_vec3){2, 0, (lode_real)2.1});
        break;
    case HERTZ * 5: /* its middle lies as far above the ramp's as both are thick */
        roller = add_ball(world, (lode_vec3){(lode_real)(-1.7 * cos(slope) + 0.4 * sin(slope)), 3,
                                             (lode_real)(1.7 * sin(slope) + 0.4 * cos(slope))});
        break;
    case HERTZ * 8:
        lode_body_destroy(roller);
        add_crate(world, (lode_vec3){0, -3, (lode_real)0.1}, (lode_vec3){4, 0, 0});
        break;
    default:
        break;
    }
}

/* ---- synthesis ---- */

/* What sounds as long as a contact lasts. */
typedef struct voice {
    uint64_t shape_a, shape_b;
    lode_sound_kind kind; /* roll or slide */
    double hertz, gain;   /* as the last sample was made */
    double hertz_next, gain_next;
    double phase, low, band; /* of the tone; of the filter */
} voice;

typedef struct studio {
    double mix[RATE * SECONDS + RATE];
    voice voices[VOICES];
    int voice_count;
    uint32_t noise;
    FILE *log;
} studio;

static void strike(studio *s, int at, double energy)
{
    static const double modes[3][3] = {{523, 1, 0.03}, {1417, 0.6, 0.02}, {2730, 0.4, 0.01}};
    const double gain = 0.1 * sqrt(sqrt(energy)); /* ears hear powers of loudness */
    for (int n = 0; n < RATE / 4; ++n)
        for (int k = 0; k < 3; ++k) {
            double t = n / (double)RATE;
            s->mix[at + n] += gain * modes[k][1] * exp(-t / modes[k][2]) *
                              sin(TURN * modes[k][0] * t);
        }
}

/* That of a contact; silent ones are taken for new contacts. Null: too many sound. */
static voice *voice_of(studio *s, const lode_sound_contact *contact, lode_sound_kind kind)
{
    voice *free_one = s->voice_count < VOICES ? &s->voices[s->voice_count] : NULL;
    for (int i = 0; i < s->voice_count; ++i) {
        voice *v = &s->voices[i];
        if (v->shape_a == contact->shape_a.id && v->shape_b == contact->shape_b.id &&
            v->kind == kind)
            return v;
        if (v->gain == 0 && v->gain_next == 0)
            free_one = v;
    }
    if (!free_one)
        return NULL;
    s->voice_count += free_one == &s->voices[s->voice_count];
    *free_one = (voice){
        .shape_a = contact->shape_a.id, .shape_b = contact->shape_b.id, .kind = kind};
    return free_one;
}

static void sound_on(studio *s, const lode_sound_contact *contact, lode_sound_kind kind,
                     double hertz, double gain)
{
    voice *v = voice_of(s, contact, kind);
    if (!v)
        return;
    v->hertz = v->gain > 0 ? v->hertz : hertz;
    v->hertz_next = hertz;
    v->gain_next = gain;
}

static double tone(voice *v, double hertz)
{
    v->phase = fmod(v->phase + hertz / RATE, 1);
    return sin(TURN * v->phase) + 0.3 * sin(2 * TURN * v->phase);
}

/* A filter of two poles, run over white noise. */
static double hiss(voice *v, double hertz, uint32_t *noise)
{
    *noise = *noise * 1664525u + 1013904223u;
    double in = *noise / 2147483648.0 - 1, f = 2 * sin(TURN / 2 * hertz / RATE);
    v->low += f * v->band;
    v->band += f * (in - v->low - v->band / 12);
    return v->low;
}

/* One step's samples; pitch and gain go evenly from what they were to what they are. */
static void sound_voices(studio *s, int at)
{
    for (int i = 0; i < s->voice_count; ++i) {
        voice *v = &s->voices[i];
        for (int n = 0; n < SAMPLES; ++n) {
            double part = (n + 1) / (double)SAMPLES;
            double hertz = v->hertz + (v->hertz_next - v->hertz) * part;
            double gain = v->gain + (v->gain_next - v->gain) * part;
            s->mix[at + n] += gain * (v->kind == LODE_SOUND_ROLL ? tone(v, hertz)
                                                                 : hiss(v, hertz, &s->noise));
        }
        v->hertz = v->hertz_next;
        v->gain = v->gain_next;
        v->gain_next = 0; /* unless the next step says otherwise */
    }
}

static void log_line(const studio *s, int frame, const lode_sound_contact *contact,
                     lode_sound_kind kind, double how_much)
{
    if (s->log)
        fprintf(s->log, "%.6f %s %.6g\n", frame / (double)HERTZ, contact->sounds[kind].name,
                how_much);
}

static void play(studio *s, const lode_sounds *sounds, int frame)
{
    for (int i = 0; i < sounds->impact_count; ++i) {
        const lode_impact_sound *hit = &sounds->impacts[i];
        strike(s, frame * SAMPLES, (double)hit->energy);
        log_line(s, frame, &hit->contact, LODE_SOUND_BUMP, (double)hit->energy);
    }
    for (int i = 0; i < sounds->roll_count; ++i) {
        const lode_roll_sound *roll = &sounds->rolls[i];
        double speed = (double)(roll->angular_speed_a + roll->angular_speed_b);
        sound_on(s, &roll->contact, LODE_SOUND_ROLL, 80 + 8 * speed, 0.04 * fmin(speed / 10, 1));
        log_line(s, frame, &roll->contact, LODE_SOUND_ROLL, speed);
    }
    for (int i = 0; i < sounds->slide_count; ++i) {
        const lode_slide_sound *slide = &sounds->slides[i];
        double speed = (double)slide->speed;
        sound_on(s, &slide->contact, LODE_SOUND_SLIDE, 200 + 400 * speed, 0.03 * fmin(speed, 1));
        log_line(s, frame, &slide->contact, LODE_SOUND_SLIDE, speed);
    }
    sound_voices(s, frame * SAMPLES);
}

/* ---- the file ---- */

static void put(unsigned char **at, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        *(*at)++ = (unsigned char)(value >> 8 * i);
}

/* One channel of 16 bits. */
static bool write_wav(const char *path, const double *mix, uint32_t count)
{
    unsigned char head[44], *at = head;
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    put(&at, 0x46464952, 4); /* RIFF */
    put(&at, 36 + 2 * count, 4);
    put(&at, 0x45564157, 4); /* WAVE */
    put(&at, 0x20746d66, 4); /* fmt */
    put(&at, 16, 4);
    put(&at, 1, 2); /* plain numbers */
    put(&at, 1, 2);
    put(&at, RATE, 4);
    put(&at, 2 * RATE, 4);
    put(&at, 2, 2);
    put(&at, 16, 2);
    put(&at, 0x61746164, 4); /* data */
    put(&at, 2 * count, 4);
    bool good = fwrite(head, sizeof head, 1, file) == 1;
    for (uint32_t i = 0; i < count && good; ++i) {
        unsigned char sample[2], *to = sample;
        put(&to, (uint32_t)(int32_t)lrint(32767 * fmax(-1, fmin(1, mix[i]))), 2);
        good = fwrite(sample, sizeof sample, 1, file) == 1;
    }
    return fclose(file) == 0 && good;
}

int main(int argc, char **argv)
{
    lode_world world = make_world();
    studio *s = calloc(1, sizeof *s);
    int impacts = 0, rolls = 0, slides = 0;
    if (!s || (argc > 2 && !(s->log = fopen(argv[2], "w"))))
        return 1;
    for (int frame = 0; frame < SECONDS * HERTZ; ++frame) {
        play_scene(world, frame);
        if (lode_world_step(world, STEP) != LODE_OK)
            return 1;
        lode_sounds sounds = lode_world_get_sounds(world);
        play(s, &sounds, frame);
        impacts += sounds.impact_count;
        rolls += sounds.roll_count;
        slides += sounds.slide_count;
    }
    lode_world_destroy(world);
    printf("%d impacts; %d steps of rolling and %d of sliding\n", impacts, rolls, slides);
    bool good = impacts >= 3 && rolls > HERTZ && slides > HERTZ / 2;
    good = (!s->log || fclose(s->log) == 0) && good;
    good = (argc < 2 || write_wav(argv[1], s->mix, RATE * SECONDS)) && good;
    free(s);
    return good ? 0 : 1;
}
