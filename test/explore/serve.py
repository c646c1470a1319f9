# Hostile requests to gate explore --serve: each is refused, nothing that was not given is read, and the server stays up.
import concurrent.futures
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time

SECRET = "a secret that nobody may see"
LONG = len(sys.argv) > 1 and sys.argv[1] == "long"
checks = 0


def expect(truth, what):
    global checks
    checks += 1
    if not truth:
        sys.exit("serve.py: " + what)


def write(name, text):
    with open(name, "w") as file:
        file.write(text)


# ---- Files: main.c includes own.h; the others are beside it and must not be read.
os.makedirs("given/below", exist_ok=True)
write("given/main.c", '#include "own.h"\n#include <stdio.h>\nint main(void) { return OWN; }\n')
write("given/own.h", "#define OWN 0\n")
write("given/secret.h", f'#define S "{SECRET}"\n')
write("secret.h", f'#define S "{SECRET}"\n')
for name, target in (("given/knot.h", "../secret.h"), ("given/below/knot.h", "../secret.h"), ("given/dir", "..")):
    if not os.path.lexists(name):
        os.symlink(target, name)
if not os.path.exists("given/pipe.h"):
    os.mkfifo("given/pipe.h")

# Headers in a folder of the command line may be included if they were at the start.
os.makedirs("system", exist_ok=True)
write("system/sys_given.h", "#define GIVEN 1\n")
write("system/sys_other.h", f'#define S "{SECRET}"\n')
write("given/main.c", '#include "own.h"\n#include <stdio.h>\n#include <sys_given.h>\nint main(void) { return OWN; }\n')

server = subprocess.Popen(["gate", "explore", "--serve", "-O1", "-isystem", "system", "given/main.c"], stdout=subprocess.PIPE, text=True)
address = server.stdout.readline().strip()
match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", address)
expect(match, "no address: " + address)
port, token = int(match[1]), match[2]


# ---- Asking

PATIENCE = 600  # seconds for an answer, on a machine that does other things as well

def ask(method, path, body=None, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode(errors="replace"), answer.headers
    finally:
        connection.close()


def raw(text):
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        try:
            connection.sendall(text if isinstance(text, bytes) else text.encode())
            connection.shutdown(socket.SHUT_WR)
            got = b""
            while part := connection.recv(65536):
                got += part
        except OSError:
            return 0
    found = re.match(rb"HTTP/1\.[01] (\d+)", got)
    return int(found[1]) if found else 0


JSON = {"Content-Type": "application/json"}


def compile(text, **more):
    body = json.dumps({"file": "given/main.c", "text": text, **more})
    start = time.time()
    while time.time() - start < PATIENCE:
        status, answer, _ = ask("POST", f"/{token}/compile", body, JSON)
        if status != 503:
            return status, answer
        time.sleep(0.05)
    sys.exit("serve.py: busy for ever")


def is_up():
    status, text, _ = ask("GET", f"/{token}/data")
    expect(status == 200 and json.loads(text)["live"], "the server is not up any more")


def memory():
    with open(f"/proc/{server.pid}/status") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])


# Of the server and of the processes that have compiled for it, in seconds.
def processor_time():
    with open(f"/proc/{server.pid}/stat") as file:
        times = file.read().rpartition(")")[2].split()[11:15]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


# ---- What there is

def test_page():
    status, text, headers = ask("GET", f"/{token}/")
    expect(status == 200 and 'id="gate-data"' in text, "the page")
    expect("default-src 'none'" in headers["Content-Security-Policy"], "the policy")
    expect("unsafe" not in headers["Content-Security-Policy"], "the policy")
    expect(headers["X-Content-Type-Options"] == "nosniff" and not headers["Access-Control-Allow-Origin"], "headers")
    status, text = compile("int twice(int x) { return 2 * x; }\n", options=["-O2"], versus=["-O0"])
    data = json.loads(text)
    expect(status == 200 and len(data["pipelines"]) == 2 and data["live"], "a compilation")
    expect(data["pipelines"][0]["functions"][0]["name"] == "twice", "a compilation")
    status, text = compile('#include "own.h"\n#include <stdio.h>\nint f(void) { return OWN + EOF; }\n')
    expect("pipelines" in json.loads(text), "headers that were given: " + text[:200])
    status, text = compile("#include <sys_given.h>\nint f(void) { return GIVEN; }\n", options=["-O1", "-isystem", "system"])
    expect("pipelines" in json.loads(text), "headers of the command line: " + text[:200])
    status, text = compile("int f( { }\n")
    expect(status == 200 and "error:" in json.loads(text)["error"], "mistakes are told")
    with open("/proc/net/tcp") as file:
        listening = [line.split()[1] for line in file if line.split()[3] == "0A"]
    expect(f"0100007F:{port:04X}" in listening and f"00000000:{port:04X}" not in listening, "another address than loopback")


def test_paths():
    other = token[:-1] + ("0" if token[-1] != "0" else "1")
    for path in ("/", "/data", "/compile", f"/{other}/", f"/{other}/data", f"/{token}", f"/{token[:-1]}/", f"/{token}x/", f"//{token}/",
                 f"/{token}/x", f"/{token}//", f"/{token}/../", f"/{token}/../../etc/passwd", f"/{token}/%2e%2e/%2e%2e/etc/passwd",
                 f"/{token}/data/", "/" + token.upper() + "/x", "/etc/passwd", "/given/secret.h", f"/{token}/given/main.c", "/" + "a" * 3000):
        expect(ask("GET", path)[0] == 404, "path " + path[:60])
    for path in ("/" + "a" * 100000, f"/{token}/" + "a" * 2000000):
        expect(raw(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n") in (0, 400, 413, 414, 431), "a long path")
    expect(raw(f"GET /{token}\0/data HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n") != 200, "a NUL in a path")
    is_up()


def test_others():
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port}x", f"127.0.0.1.evil.example:{port}", f"127.0.0.1:{port + 1}", ""):
        expect(ask("GET", f"/{token}/", headers={"Host": host})[0] in (400, 403), "host " + host)
    expect(raw(f"GET /{token}/ HTTP/1.1\r\n\r\n") in (400, 403), "no host")
    expect(raw(f"GET /{token}/ HTTP/1.0\r\n\r\n") in (400, 403), "no host")
    expect(ask("GET", f"/{token}/", headers={"Host": f"localhost:{port}"})[0] == 200, "localhost")
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{port}", f"http://127.0.0.1:{port + 1}", f"http://127.0.0.1:{port}.evil.example", ""):
        expect(ask("GET", f"/{token}/data", headers={"Origin": origin})[0] == 403, "origin " + origin)
        expect(ask("POST", f"/{token}/compile", '{"text":""}', {**JSON, "Origin": origin})[0] == 403, "origin " + origin)
    expect(ask("GET", f"/{token}/data", headers={"Origin": f"http://127.0.0.1:{port}"})[0] == 200, "our own origin")
    expect(ask("GET", f"/{token}/", headers={"Sec-Fetch-Site": "cross-site"})[0] == 403, "another site")


def test_methods():
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "HEAD", "TRACE", "CONNECT", "POST", "BREW"):
        expect(ask(method, f"/{token}/")[0] in (400, 405, 501), "method " + method)
    expect(ask("GET", f"/{token}/compile")[0] == 405, "GET compile")
    expect(raw("nonsense\r\n\r\n") != 200 and raw(b"\x16\x03\x01\x02\x00") != 200 and raw("\r\n" * 1000) != 200, "no HTTP")
    is_up()


def test_bodies():
    path = f"/{token}/compile"
    expect(ask("POST", path, "{}", {"Content-Type": "text/plain"})[0] == 415, "another type")
    expect(ask("POST", path, "{}", {})[0] == 415, "no type")
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    for length in ("1048577", "99999999", "999999999999999999", "99999999999999999999999", "-1", "x", "0x10"):
        expect(raw(head + f"Content-Length: {length}\r\n\r\nabc") in (0, 400, 413), "length " + length)
    chunk = b"10000\r\n" + b"a" * 65536 + b"\r\n"
    expect(raw((head + "Transfer-Encoding: chunked\r\n\r\n").encode() + chunk * 40 + b"0\r\n\r\n") in (0, 413), "many chunks")
    expect(raw(head + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc") in (0, 400, 413), "a huge chunk")
    for body in ("", "{", "[]", "null", '{"text":1}', '{"text":"a"', '{"text":"\\ud800"}', '{"text":"\\u0000"}', '{"text":"a"}x', "[" * 100000,
                 '{"file":"/etc/passwd","text":""}', '{"file":"given/secret.h","text":""}', '{"options":[]}', '{"text":"","options":[[]]}'):
        expect(ask("POST", path, body, JSON)[0] == 400, "body " + body[:60])
    for option in ("-I/etc", "-I", "-include", "-include/etc/passwd", "@/etc/passwd", "-o", "-o/tmp/x", "--dump-rejected=/tmp", "--check=matrix", "--stats",
                   "-fprofile-use=/etc/passwd", "-Wp,-I/etc", "-isystem/etc", "-imacros", "/etc/passwd", "--serve", "-D", "--off=" + "a" * 1000, "--data"):
        expect(ask("POST", path, json.dumps({"text": "", "options": [option]}), JSON)[0] == 400, "option " + option[:60])
        expect(ask("POST", path, json.dumps({"text": "", "versus": [option]}), JSON)[0] == 400, "option " + option[:60])
    expect(ask("POST", path, json.dumps({"text": "", "options": ["-O1"] * 65}), JSON)[0] == 400, "many options")
    is_up()


# ---- Sources that want to read what they may not

def test_includes():
    for name in ('"/etc/passwd"', '"../secret.h"', '"secret.h"', '"knot.h"', '"below/knot.h"', '"dir/secret.h"', '"below/../secret.h"', '"pipe.h"',
                 '"/proc/self/environ"', '"/dev/zero"', "<../../etc/passwd>", "</etc/passwd>", f'"{os.getcwd()}/secret.h"', '"."', '"/"', '"-"',
                 '"own.h/../secret.h"', '"../given/secret.h"', "<linux/../../../etc/passwd>", "<sys_other.h>"):
        status, text = compile(f"#include {name}\nconst char *s = S;\n")
        expect(status == 200 and SECRET not in text and "root:" not in text, "include " + name)
        expect("cannot include" in json.loads(text)["error"], "include " + name + ": " + text[:300])
        status, text = compile(f"#if __has_include({name})\nint there;\n#else\nint nobody_there(void) {{ return 0; }}\n#endif\n")
        expect("nobody_there" in text, "__has_include " + name)
    for text in ('#line 1 "/etc/passwd"\nint f(int x) { return x; }\n', 'asm(".incbin \\"/etc/passwd\\"");\nint f(void) { return 0; }\n',
                 '#pragma GCC dependency "/etc/passwd"\nint f(void) { return 0; }\n', '#embed "/etc/passwd"\n',
                 'int f(void) { asm(".include \\"/etc/passwd\\""); return 0; }\n', '#pragma include_alias("own.h", "/etc/passwd")\n#include "own.h"\n',
                 '#define N </etc/passwd>\n#include N\n', '_Pragma("GCC dependency \\"../secret.h\\"") int x;\n',
                 '#include <stdio.h>\nint main(void) { char b[99]; FILE *f = fopen("secret.h", "r"); return f && fgets(b, 99, f) ? puts(b) : 0; }\n',
                 '#include <stdio.h>\nint main(void) { FILE *f = fopen("written", "w"); fputs("x", f); return fclose(f); }\n'):
        status, answer = compile(text)
        expect(status == 200 and SECRET not in answer and "root:x" not in answer, "source " + text)
    expect(not os.path.exists("written") and not os.path.exists("given/written"), "a file was written")
    expect(sorted(os.listdir("given")) == ["below", "dir", "knot.h", "main.c", "own.h", "pipe.h", "secret.h"], "a file was written")


# ---- Sources that want too much

def bombs():
    yield "nested", "int f(void) { return " + "(" * 200000 + "1" + ")" * 200000 + "; }\n"
    yield "deep", "int f(int x) { " + "if (x) { " * 3000 + "x++;" + " }" * 3000 + " return x; }\n"
    yield "itself", '#include "main.c"\n'
    yield "array", "char a[1L << 40];\nint main(void) { for (long i = 0; i < 1L << 40; i++) a[i] = 1; return 0; }\n"
    yield "endless", "int main(void) { for (;;); }\n"
    yield "recursion", "int main(void) { return main() + 1; }\n"
    yield "memory", "#include <stdlib.h>\nint main(void) { for (;;) malloc(1 << 30); }\n"
    yield "output", "#include <stdio.h>\nint main(void) { for (;;) puts(\"output\"); }\n"
    yield "structs", "".join(f"struct s{i + 1} {{ struct s{i} a, b; }};\n" if i else "struct s1 { int a, b; };\n" for i in range(60)) + "int f(void) { return sizeof(struct s60); }\n"
    if not LONG:
        return
    yield "deeper", "int f(int x) { " + "if (x) { " * 20000 + "x++;" + " }" * 20000 + " return x; }\n"
    yield "macros", "#define A0 x;\n" + "".join(f"#define A{i + 1} A{i} A{i} A{i} A{i}\n" for i in range(14)) + "void f(int x) { A14 }\n"
    yield "tokens", "int f(int x) { return x" + "+x*3" * 250000 + "; }\n"
    yield "cases", "int f(int x) { switch (x) {" + "".join(f"case {i}: x ^= {i * 7};" for i in range(30000)) + "} return x; }\n"
    yield "init", "int a[] = {" + "1," * 400000 + "};\n"


def test_bombs():
    for name, text in bombs():
        start = processor_time()
        status, answer = compile(text)
        expect(status == 200 and ("pipelines" in json.loads(answer) or json.loads(answer)["error"]), "bomb " + name)
        took = processor_time() - start
        print(f"  {name}: {took:.1f} s, {answer[:100] if 'error' in answer[:30] else len(answer)}")
        expect(took < 60, f"bomb {name} took long")
        is_up()
    expect(memory() < 400000, f"the server has {memory()} kB")


# ---- Many at once

def test_slow():
    half = f"POST /{token}/compile HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{"
    idle = []
    for i in range(40):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(half.encode() if i % 2 else b"GET /")
        idle.append(connection)
    is_up()
    for connection in idle:
        connection.close()
    is_up()


# Who sends a byte now and then is closed after a while.
def test_trickle():
    if not LONG:
        return
    connection = socket.create_connection(("127.0.0.1", port))
    start = time.time()
    try:
        while time.time() - start < PATIENCE:
            connection.sendall(b"G" if time.time() - start < 1 else b"a")
            time.sleep(1)
    except OSError:
        pass
    expect(25 < time.time() - start < PATIENCE, f"a trickle was let go on for {time.time() - start:.0f} s")
    is_up()


def test_connections():
    flood = []
    for _ in range(150):
        try:
            connection = socket.create_connection(("127.0.0.1", port), timeout=0.2)
            connection.sendall(b"GET ")
            flood.append(connection)
        except OSError:
            pass
    expect(memory() < 400000, f"the server has {memory()} kB")
    for connection in flood:
        connection.close()
    start = time.time()
    while time.time() - start < PATIENCE:
        try:
            is_up()
            return
        except OSError:
            time.sleep(0.1)
    expect(False, "the server does not come back after a flood")


def test_many():
    def one(i):
        try:
            return ask("POST", f"/{token}/compile", json.dumps({"text": f"int f{i}(int x) {{ return x + {i}; }}\n"}), JSON)[0]
        except OSError:
            return 0
    with concurrent.futures.ThreadPoolExecutor(200) as pool:
        answers = list(pool.map(one, range(200)))
    print({status: answers.count(status) for status in set(answers)})
    expect(set(answers) <= {0, 200, 503} and 200 in answers, f"200 at once: {sorted(set(answers))}")
    expect(memory() < 400000, f"the server has {memory()} kB")
    is_up()


try:
    for test in (test_page, test_paths, test_others, test_methods, test_bodies, test_includes, test_bombs, test_slow, test_trickle, test_connections, test_many):
        start = time.time()
        test()
        expect(server.poll() is None, "the server has ended")
        print(f"{test.__name__}: {time.time() - start:.1f} s, {memory()} kB")
    server.send_signal(signal.SIGTERM)
    expect(server.wait(10) == 0, "it does not end well")
finally:
    if server.poll() is None:
        server.kill()
print(f"{checks} checks")
