// <time.h> and its neighbours on a simulated clock.
//
// World.clock counts microseconds since the start of the program. It moves only when it is asked
// for the time or told to sleep, so that runs are repeatable and loops that wait for a moment end.
// The time zone is UTC.
#include "run/world/externals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SECOND = 1000000, TICK = 1000 };

static const uint64_t start_of_time = 1700000000; // 2023-11-14 22:13:20 UTC

// The time in microseconds since the start.
static uint64_t ask_clock(ExternalCall *call) {
    return call->world->clock += TICK;
}

void external_time(ExternalCall *call) {
    uint64_t now = start_of_time + ask_clock(call) / SECOND;
    give_i64(call, now);
    if (arg_i64(call, 0)) external_store(call, CHUNK_I64, arg_i64(call, 0), value_i64(now));
}

void external_clock(ExternalCall *call) {
    give_i64(call, ask_clock(call));
}

// Two i64: seconds and, in units of 1 / `units`, the rest.
static void put_time(ExternalCall *call, uint64_t address, uint64_t units) {
    uint64_t now = ask_clock(call);
    uint64_t parts[2] = {start_of_time + now / SECOND, now % SECOND * (units / SECOND)};
    external_put(call, address, parts, sizeof parts);
}

void external_gettimeofday(ExternalCall *call) {
    put_time(call, arg_i64(call, 0), SECOND);
}
void external_clock_gettime(ExternalCall *call) {
    put_time(call, arg_i64(call, 1), 1000000000);
}
void external_difftime(ExternalCall *call) {
    call->result = value_f64(difftime((time_t)arg_i64(call, 0), (time_t)arg_i64(call, 1)));
}

void external_sleep(ExternalCall *call) {
    call->world->clock += (uint64_t)arg_i32(call, 0) * SECOND;
}
void external_usleep(ExternalCall *call) {
    call->world->clock += arg_i32(call, 0);
}
void external_nanosleep(ExternalCall *call) {
    Value seconds, rest;
    if (external_load(call, CHUNK_I64, arg_i64(call, 0), &seconds) &&
        external_load(call, CHUNK_I64, arg_i64(call, 0) + 8, &rest))
        call->world->clock += as_i64(seconds) * SECOND + as_i64(rest) / 1000;
}

// ---- Calendar
//
// struct tm is nine i32, in the host's order, then at 40 the offset from UTC and at 48 the address
// of the zone's name.

enum { TM_FIELDS = 9, TM_SIZE = 56 };

static void tm_to_bytes(World *world, const struct tm *tm, bool local, uint8_t *bytes) {
    int32_t fields[TM_FIELDS] = {tm->tm_sec,  tm->tm_min,  tm->tm_hour, tm->tm_mday, tm->tm_mon,
                                 tm->tm_year, tm->tm_wday, tm->tm_yday, tm->tm_isdst};
    uint64_t zone = local ? external_static(world, STATIC_ZONE_UTC, "zone", "UTC", 4)
                          : external_static(world, STATIC_ZONE_GMT, "zone", "GMT", 4);
    memset(bytes, 0, TM_SIZE);
    memcpy(bytes, fields, sizeof fields);
    memcpy(bytes + 48, &zone, sizeof zone);
}

static bool tm_at(ExternalCall *call, uint64_t address, struct tm *tm) {
    int32_t fields[TM_FIELDS];
    const uint8_t *bytes = external_read(call, address, sizeof fields);
    if (!bytes) return false;
    memcpy(fields, bytes, sizeof fields);
    *tm = (struct tm){.tm_sec = fields[0],
                      .tm_min = fields[1],
                      .tm_hour = fields[2],
                      .tm_mday = fields[3],
                      .tm_mon = fields[4],
                      .tm_year = fields[5],
                      .tm_wday = fields[6],
                      .tm_yday = fields[7],
                      .tm_isdst = fields[8],
                      .tm_zone = "UTC"};
    return true;
}

static bool time_at(ExternalCall *call, uint64_t address, time_t *time) {
    Value value;
    if (!external_load(call, CHUNK_I64, address, &value)) return false;
    *time = (time_t)as_i64(value);
    return true;
}

// Breaks down the time at the first argument's address and stores it at `address`.
static void break_down(ExternalCall *call, uint64_t address, bool local) {
    time_t time;
    struct tm tm;
    uint8_t bytes[TM_SIZE];
    if (!time_at(call, arg_i64(call, 0), &time)) return;
    if (!gmtime_r(&time, &tm)) {
        external_errno(call, errno);
        return;
    }
    tm_to_bytes(call->world, &tm, local, bytes);
    if (external_put(call, address, bytes, sizeof bytes)) give_i64(call, address);
}

static uint64_t static_tm(ExternalCall *call) {
    return external_static(call->world, STATIC_TIME, "tm", NULL, TM_SIZE);
}

void external_gmtime(ExternalCall *call) {
    break_down(call, static_tm(call), false);
}
void external_localtime(ExternalCall *call) {
    break_down(call, static_tm(call), true);
}
void external_gmtime_r(ExternalCall *call) {
    break_down(call, arg_i64(call, 1), false);
}
void external_localtime_r(ExternalCall *call) {
    break_down(call, arg_i64(call, 1), true);
}

// Also puts the fields into their ranges.
void external_mktime(ExternalCall *call) {
    struct tm tm;
    uint8_t bytes[TM_SIZE];
    if (!tm_at(call, arg_i64(call, 0), &tm)) return;
    give_i64(call, (uint64_t)timegm(&tm));
    tm_to_bytes(call->world, &tm, true, bytes);
    external_put(call, arg_i64(call, 0), bytes, sizeof bytes);
}

static void give_time_text(ExternalCall *call, const struct tm *tm) {
    char text[64] = {0};
    if (!asctime_r(tm, text)) return;
    uint64_t address = external_static(call->world, STATIC_TIME_TEXT, "asctime", NULL, sizeof text);
    if (external_put(call, address, text, sizeof text)) give_i64(call, address);
}

void external_asctime(ExternalCall *call) {
    struct tm tm;
    if (tm_at(call, arg_i64(call, 0), &tm)) give_time_text(call, &tm);
}

void external_ctime(ExternalCall *call) {
    time_t time;
    struct tm tm;
    if (time_at(call, arg_i64(call, 0), &time) && gmtime_r(&time, &tm)) give_time_text(call, &tm);
}

// The program may claim more room than it has, so the host gets no more than a result can need, and
// only what it wrote is copied.
void external_strftime(ExternalCall *call) {
    uint64_t length, size = arg_i64(call, 1);
    struct tm tm;
    const char *format = external_string(call, arg_i64(call, 2), &length);
    if (!format || !tm_at(call, arg_i64(call, 3), &tm)) return;
    uint64_t room = size < 256 * (length + 1) ? size : 256 * (length + 1);
    char *text = xmalloc(room + 1);
    size_t written = room ? strftime(text, room, format, &tm) : 0;
    if (written && external_put(call, arg_i64(call, 0), text, written + 1)) give_i64(call, written);
    if (!written && room && !length) external_put(call, arg_i64(call, 0), "", 1);
    free(text);
}
