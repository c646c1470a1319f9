// The served page: a server on the loopback address, for one user and one page.
//
// A client that knows the token in the address may get the page and have C compiled; other clients
// get nothing. Each compilation is a process of its own, bounded in time, memory and output; how
// many there are at once, how many connections, and how large requests are is bounded, too.
// docs/explore.md lists the attacks that this prevents.
#pragma once

#include "base/out.h"

// How a compilation ends that could not begin: what it printed is a line about the request.
enum { SERVE_BAD_REQUEST = 3 };

typedef struct {
    uint32_t port;   // 0: any
    const Out *page; // what GET of the address yields
    const Out *data; // what GET of data yields
    // Compiles what a request's body asks for and writes the answer to a descriptor; runs in a
    // process of its own. What it prints on standard error is told if the exit status that it
    // yields is not 0.
    int (*compile)(void *context, const char *body, size_t length, int answer);
    void *context;
} ServeOptions;

// Prints the address and serves until SIGINT or SIGTERM. An exit status: 0 if that came, 2 if there
// is no server, after a message.
int serve(const ServeOptions *options);
// Whether there is a server in this program: libmicrohttpd was there when it was built.
bool serve_is_built(void);
