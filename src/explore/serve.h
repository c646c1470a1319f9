// The served page: a server on the loopback address, for one user and one page.
//
// A client that knows the token in the address may get the page and have C compiled; other clients
// get nothing. Each compilation is a process of its own, bounded in time, memory and output; how
// many there are at once, how many connections, and how large requests are is bounded, too.
// docs/explore.md lists the attacks that this prevents.
#pragma once

#include "base/out.h"

// The exit status of a compilation that could not begin: it printed a line about the request.
enum { SERVE_BAD_REQUEST = 3 };

typedef struct {
    uint32_t port;   // 0: any
    const Out *page; // the answer to GET of the address
    const Out *data; // the answer to GET of data
    // Compiles what a request's body asks for and writes the answer to a descriptor; runs in a
    // process of its own. Its output on standard error is shown if its exit status is not 0.
    int (*compile)(void *context, const char *body, size_t length, int answer);
    void *context;
} ServeOptions;

// Prints the address and serves until SIGINT or SIGTERM. An exit status: 0 if that came, 2 if there
// is no server, after a message.
int serve(const ServeOptions *options);
// Whether there is a server in this program: libmicrohttpd was there when it was built.
bool serve_is_built(void);
