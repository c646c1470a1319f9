// The server, by libmicrohttpd; without that library, a message. Only this file knows the library.
// It is loaded when there is something to serve: no other command waits for the library and for its
// dependencies.
//
// One thread does everything: it waits for connections, for the output of compilations, and for
// signals. A request for a compilation is set aside until its process has ended. Nothing here reads
// the sent data but its headers.
#include "explore/serve.h"

#include <stdio.h>

#ifdef GATE_HTTP

#include "explore/explore.h"
#include "explore/serve_child.h"
#include "message/json.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    BODY_BYTES = 1 << 20,    // of a request
    CONNECTIONS = 64,        // at once
    HEADER_BYTES = 16 << 10, // that a connection may take
    IDLE_SECONDS = 10,       // without a byte
    REQUEST_SECONDS = 30,    // until a request is there
    TOKEN_DIGITS = 32,
};

// ---- The library

#define HTTP_FUNCTIONS(USE)                                                                        \
    USE(add_response_header)                                                                       \
    USE(create_response_from_buffer)                                                               \
    USE(destroy_response)                                                                          \
    USE(get_connection_info)                                                                       \
    USE(get_daemon_info)                                                                           \
    USE(get_fdset)                                                                                 \
    USE(get_timeout)                                                                               \
    USE(lookup_connection_value)                                                                   \
    USE(queue_response)                                                                            \
    USE(resume_connection)                                                                         \
    USE(run_from_select)                                                                           \
    USE(start_daemon)                                                                              \
    USE(stop_daemon)                                                                               \
    USE(suspend_connection)

typedef struct {
#define USE(name) __typeof__(MHD_##name) *name;
    HTTP_FUNCTIONS(USE)
#undef USE
} Http;

static bool http_find(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found;
}

// False after a message.
static bool http_load(Http *http) {
    void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
#define USE(name) &&http_find(library, "MHD_" #name, &http->name)
    bool good = library HTTP_FUNCTIONS(USE);
#undef USE
    if (!good)
        fprintf(stderr, "gate: --serve needs libmicrohttpd (tools/install-deps explorer): %s\n",
                dlerror());
    return good;
}

// ---- The server

typedef struct Request Request;

typedef struct {
    Http http;
    const ServeOptions *options;
    struct MHD_Daemon *daemon;
    uint16_t port;
    char token[TOKEN_DIGITS + 1];
    char hosts[2][32], origins[2][40];
    ServeJob jobs[SERVE_JOBS];
    Out policy;
    struct Visit {
        struct MHD_Connection *connection; // NULL: free
        double since;
        bool asked; // its request is there
    } visits[CONNECTIONS];
} Server;

// A request for a compilation.
struct Request {
    Out body;
    bool too_long;
    double since;
    struct MHD_Connection *connection;
    bool ended;
    int status; // of the process
    bool stopped, overflowed;
    Out text, said;
};

// ---- Answers

static enum MHD_Result answer(Server *server, struct MHD_Connection *connection, unsigned status,
                              const char *type, const char *text, size_t length, bool copy) {
    struct MHD_Response *response = server->http.create_response_from_buffer(
        length, (void *)(uintptr_t)text, copy ? MHD_RESPMEM_MUST_COPY : MHD_RESPMEM_PERSISTENT);
    if (!response) return MHD_NO;
    const char *const headers[][2] = {{"Content-Type", type},
                                      {"Content-Security-Policy", server->policy.text},
                                      {"X-Content-Type-Options", "nosniff"},
                                      {"X-Frame-Options", "DENY"},
                                      {"Referrer-Policy", "no-referrer"},
                                      {"Cross-Origin-Resource-Policy", "same-origin"},
                                      {"Cross-Origin-Opener-Policy", "same-origin"},
                                      {"Cache-Control", "no-store"}};
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        server->http.add_response_header(response, headers[i][0], headers[i][1]);
    enum MHD_Result result = server->http.queue_response(connection, status, response);
    server->http.destroy_response(response);
    return result;
}

static enum MHD_Result refuse(Server *server, struct MHD_Connection *connection, unsigned status,
                              const char *line) {
    return answer(server, connection, status, "text/plain; charset=utf-8", line, strlen(line),
                  true);
}

// What a compilation has come to. A program with mistakes is an answer, too.
static enum MHD_Result answer_compiled(Server *server, struct MHD_Connection *connection,
                                       Request *request) {
    if (request->status == SERVE_BAD_REQUEST) {
        out_char(&request->said, '\0');
        return refuse(server, connection, MHD_HTTP_BAD_REQUEST, request->said.text);
    }
    Out text = {0};
    const char *why = request->stopped ? "gate: the compilation was stopped: it took too long\n"
                      : request->overflowed ? "gate: there is too much to show\n"
                      : request->status < 0
                          ? "gate: the compilation was stopped: it took too long or too "
                            "much memory\n"
                          : NULL;
    if (request->status == 0 && !why) {
        out_bytes(&text, request->text.text, request->text.length);
    } else {
        if (why) out_text(&request->said, why);
        out_text(&text, "{\"format\":1,\"error\":");
        json_string(&text, request->said.text, request->said.length);
        out_text(&text, "}\n");
    }
    enum MHD_Result result =
        answer(server, connection, MHD_HTTP_OK, "application/json", text.text, text.length, true);
    out_free(&text);
    return result;
}

// ---- Who may ask

// Takes as long whatever the text is.
static bool same_secret(const char *text, const char *secret) {
    unsigned difference = 0;
    for (int i = 0; i < TOKEN_DIGITS; i++) difference |= (unsigned char)(text[i] ^ secret[i]);
    return difference == 0;
}

// What of the address follows the token; NULL if that is not right.
static const char *behind_token(const Server *server, const char *path) {
    if (strlen(path) < TOKEN_DIGITS + 2 || path[0] != '/' || path[TOKEN_DIGITS + 1] != '/')
        return NULL;
    return same_secret(path + 1, server->token) ? path + TOKEN_DIGITS + 2 : NULL;
}

static const char *header(const Server *server, struct MHD_Connection *connection,
                          const char *name) {
    return server->http.lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static bool is_one_of(const char *text, const char *first, const char *second) {
    return text && (strcmp(text, first) == 0 || strcmp(text, second) == 0);
}

// A name that leads here by somebody else's trick with the DNS is not ours, and neither is a page
// of another origin.
static bool is_ours(const Server *server, struct MHD_Connection *connection) {
    const char *origin = header(server, connection, "Origin"),
               *site = header(server, connection, "Sec-Fetch-Site");
    return is_one_of(header(server, connection, "Host"), server->hosts[0], server->hosts[1]) &&
           (!origin || is_one_of(origin, server->origins[0], server->origins[1])) &&
           (!site || is_one_of(site, "same-origin", "none"));
}

// ---- Requests

static enum MHD_Result start_job(Server *server, Request *request) {
    for (int i = 0; i < SERVE_JOBS; i++) {
        ServeJob *job = &server->jobs[i];
        if (job->process) continue;
        if (!job_start(job, server->options, request->body.text, request->body.length)) break;
        job->owner = request;
        server->http.suspend_connection(request->connection);
        return MHD_YES;
    }
    return refuse(server, request->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                  "busy with other compilations\n");
}

// The first time the headers are there; then pieces of the body; then nothing is left; and once
// more when the compilation has ended.
static enum MHD_Result take_compile(Server *server, struct MHD_Connection *connection,
                                    const char *data, size_t *size, void **state) {
    Request *request = *state;
    if (!request) {
        const char *type = header(server, connection, "Content-Type"),
                   *length = header(server, connection, "Content-Length");
        if (!type || strncmp(type, "application/json", 16) != 0)
            return refuse(server, connection, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE,
                          "only application/json\n");
        if (length && (strlen(length) > 7 || atoi(length) > BODY_BYTES))
            return refuse(server, connection, MHD_HTTP_CONTENT_TOO_LARGE, "too large\n");
        request = *state = xmalloc(sizeof *request);
        *request = (Request){.since = serve_now(), .connection = connection};
        return MHD_YES;
    }
    if (request->ended) return answer_compiled(server, connection, request);
    if (*size) {
        request->too_long |= request->body.length + *size > BODY_BYTES;
        if (!request->too_long) out_bytes(&request->body, data, *size);
        *size = 0;
        return serve_now() - request->since > REQUEST_SECONDS ? MHD_NO : MHD_YES;
    }
    if (request->too_long)
        return refuse(server, connection, MHD_HTTP_CONTENT_TOO_LARGE, "too large\n");
    return start_job(server, request);
}

static void note_asked(Server *server, const struct MHD_Connection *connection) {
    for (int i = 0; i < CONNECTIONS; i++)
        if (server->visits[i].connection == connection) server->visits[i].asked = true;
}

static enum MHD_Result take(void *context, struct MHD_Connection *connection, const char *path,
                            const char *method, const char *version, const char *data, size_t *size,
                            void **state) {
    Server *server = context;
    (void)version;
    if (*state) return take_compile(server, connection, data, size, state);
    if (!is_ours(server, connection))
        return refuse(server, connection, MHD_HTTP_FORBIDDEN, "not for you\n");
    const char *what = behind_token(server, path);
    bool compile = what && strcmp(what, "compile") == 0, page = what && *what == '\0';
    if (!compile && !page && (!what || strcmp(what, "data") != 0))
        return refuse(server, connection, MHD_HTTP_NOT_FOUND, "there is nothing here\n");
    if (strcmp(method, compile ? "POST" : "GET") != 0)
        return refuse(server, connection, MHD_HTTP_METHOD_NOT_ALLOWED, "not in this way\n");
    note_asked(server, connection);
    if (compile) return take_compile(server, connection, data, size, state);
    const Out *text = page ? server->options->page : server->options->data;
    return answer(server, connection, MHD_HTTP_OK,
                  page ? "text/html; charset=utf-8" : "application/json", text->text, text->length,
                  false);
}

static void forget(void *context, struct MHD_Connection *connection, void **state,
                   enum MHD_RequestTerminationCode code) {
    Server *server = context;
    Request *request = *state;
    (void)code;
    for (int i = 0; i < CONNECTIONS; i++) {
        if (server->visits[i].connection != connection) continue;
        server->visits[i].asked = false;
        server->visits[i].since = serve_now();
    }
    if (!request) return;
    for (int i = 0; i < SERVE_JOBS; i++)
        if (server->jobs[i].owner == request) server->jobs[i].owner = NULL;
    out_free(&request->body);
    out_free(&request->text);
    out_free(&request->said);
    free(request);
    *state = NULL;
}

// ---- Connections that do not ask for anything

static void notice(void *context, struct MHD_Connection *connection, void **state,
                   enum MHD_ConnectionNotificationCode code) {
    Server *server = context;
    (void)state;
    bool begins = code == MHD_CONNECTION_NOTIFY_STARTED;
    for (int i = 0; i < CONNECTIONS; i++) {
        struct Visit *visit = &server->visits[i];
        if (visit->connection != (begins ? NULL : connection)) continue;
        *visit = (struct Visit){.connection = begins ? connection : NULL, .since = serve_now()};
        return;
    }
}

// Who sends a byte now and then is not idle, but keeps others out.
static void close_slow(Server *server) {
    for (int i = 0; i < CONNECTIONS; i++) {
        struct Visit *visit = &server->visits[i];
        if (!visit->connection || visit->asked || serve_now() - visit->since < REQUEST_SECONDS)
            continue;
        const union MHD_ConnectionInfo *info =
            server->http.get_connection_info(visit->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        if (info) shutdown(info->connect_fd, SHUT_RDWR);
        visit->since = serve_now();
    }
}

// ---- Compilations

static void finish_job(Server *server, ServeJob *job) {
    Request *request = job->owner;
    bool stopped = job->stopped, overflowed = job->overflowed;
    int status = job_end(job);
    job->owner = NULL;
    if (!request) {
        out_free(&job->text);
        out_free(&job->said);
        return;
    }
    request->ended = true;
    request->status = status;
    request->stopped = stopped;
    request->overflowed = overflowed;
    request->text = job->text;
    request->said = job->said;
    job->text = job->said = (Out){0};
    server->http.resume_connection(request->connection);
}

static void look_after_jobs(Server *server) {
    for (int i = 0; i < SERVE_JOBS; i++) {
        ServeJob *job = &server->jobs[i];
        if (!job->process) continue;
        job_stop(job, false);
        if (job_read(job)) finish_job(server, job);
    }
}

static void stop_jobs(Server *server) {
    for (int i = 0; i < SERVE_JOBS; i++) {
        ServeJob *job = &server->jobs[i];
        if (!job->process) continue;
        job_stop(job, true);
        finish_job(server, job);
    }
}

// ---- The loop

static int block_signals(void) {
    sigset_t set;
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void wait_for(int file, fd_set *set, int *last) {
    if (file < 0 || file >= FD_SETSIZE) return;
    FD_SET(file, set);
    if (file > *last) *last = file;
}

static bool wait_for_something(Server *server, int signals) {
    fd_set reading, writing, failing;
    int last = -1;
    MHD_UNSIGNED_LONG_LONG timeout;
    struct timeval wait = {.tv_sec = 1};
    FD_ZERO(&reading);
    FD_ZERO(&writing);
    FD_ZERO(&failing);
    if (server->http.get_fdset(server->daemon, &reading, &writing, &failing, &last) != MHD_YES)
        return false;
    wait_for(signals, &reading, &last);
    for (int i = 0; i < SERVE_JOBS; i++) {
        if (!server->jobs[i].process) continue;
        wait_for(server->jobs[i].answer, &reading, &last);
        wait_for(server->jobs[i].messages, &reading, &last);
    }
    if (server->http.get_timeout(server->daemon, &timeout) == MHD_YES && timeout < 1000)
        wait = (struct timeval){.tv_usec = (suseconds_t)timeout * 1000};
    if (select(last + 1, &reading, &writing, &failing, &wait) < 0) return errno == EINTR;
    if (FD_ISSET(signals, &reading)) return false;
    look_after_jobs(server);
    close_slow(server);
    server->http.run_from_select(server->daemon, &reading, &writing, &failing);
    return true;
}

static bool make_token(Server *server) {
    unsigned char bytes[TOKEN_DIGITS / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(server->token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

static bool start(Server *server) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)server->options->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server->daemon = server->http.start_daemon(
        MHD_ALLOW_SUSPEND_RESUME, (uint16_t)server->options->port, NULL, NULL, take, server,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADER_BYTES, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_NOTIFY_COMPLETED, forget, server, MHD_OPTION_NOTIFY_CONNECTION, notice, server,
        MHD_OPTION_END);
    if (!server->daemon) return false;
    server->port = server->http.get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    const char *const names[] = {"127.0.0.1", "localhost"};
    for (int i = 0; i < 2; i++) {
        snprintf(server->hosts[i], sizeof server->hosts[i], "%s:%u", names[i], server->port);
        snprintf(server->origins[i], sizeof server->origins[i], "http://%s:%u", names[i],
                 server->port);
    }
    return true;
}

int serve(const ServeOptions *options) {
    Server *server = xmalloc(sizeof *server);
    *server = (Server){.options = options};
    int signals = block_signals(), status = 2;
    explore_write_policy(&server->policy, true);
    out_char(&server->policy, '\0');
    if (!http_load(&server->http)) {
        status = 2;
    } else if (signals < 0 || !make_token(server)) {
        fprintf(stderr, "gate: cannot serve: %s\n", strerror(errno));
    } else if (!start(server)) {
        fprintf(stderr, "gate: cannot serve at port %u of 127.0.0.1: %s\n", options->port,
                strerror(errno));
    } else {
        printf("http://127.0.0.1:%u/%s/\n", server->port, server->token);
        fflush(stdout);
        while (wait_for_something(server, signals)) continue;
        stop_jobs(server);
        server->http.stop_daemon(server->daemon);
        status = 0;
    }
    out_free(&server->policy);
    free(server);
    return status;
}

bool serve_is_built(void) {
    return true;
}

#else

int serve(const ServeOptions *options) {
    (void)options;
    fputs("gate: this program was built without libmicrohttpd, which --serve needs; install it "
          "(tools/install-deps explorer) and build again\n",
          stderr);
    return 2;
}

bool serve_is_built(void) {
    return false;
}

#endif
