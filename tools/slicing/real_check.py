"""Slices of the functions of real programs, beside their originals while the programs do their work."""
import os
import shutil
import tempfile

from slicing import beside_check
from slicing.command import ROOT, run

SOURCES = os.path.join(ROOT, "build", "sources")
PROGRAMS = os.path.join(ROOT, "test", "programs")


class Project:
    """How one is built: files whose functions are sliced, others, options, and the commands that are its workload."""
    def __init__(self, folder, files, others, options, commands, libraries=()):
        self.folder = os.path.join(SOURCES, folder)
        self.files = files.split()
        self.others = others.split()
        self.options = [o.replace("@", self.folder) for o in options.split()]
        self.commands = commands
        self.libraries = list(libraries)


PROJECTS = {
    "sqlite": Project("better-sqlite3/deps/sqlite3", "sqlite3.c", PROGRAMS + "/sql_shell.c",
                      "-DSQLITE_ENABLE_FTS5 -DSQLITE_THREADSAFE=0 -DSQLITE_TEMP_STORE=3 -I@", ["./program <%s/workload.sql" % PROGRAMS], ["-lm", "-lpthread", "-ldl"]),
    "lua": Project("debian-lua5.4/src",
                   "lapi.c lcode.c lctype.c ldebug.c ldo.c ldump.c lfunc.c lgc.c llex.c lmem.c lobject.c lopcodes.c lparser.c "
                   "lstate.c lstring.c ltable.c ltm.c lundump.c lvm.c lzio.c lauxlib.c lbaselib.c lcorolib.c lmathlib.c "
                   "loadlib.c lstrlib.c ltablib.c lutf8lib.c liolib.c loslib.c ldblib.c linit.c", "lua.c",
                   "-DLUA_USE_POSIX -I@", ["./program %s/workload.lua" % PROGRAMS], ["-lm", "-ldl"]),
    "zlib": Project("debian-zlib", "adler32.c compress.c crc32.c deflate.c inffast.c inflate.c infback.c inftrees.c trees.c "
                    "uncompr.c zutil.c gzclose.c gzlib.c gzread.c gzwrite.c", "test/example.c", "-D_LARGEFILE64_SOURCE=1 "
                    "-DHAVE_UNISTD_H -DHAVE_STDARG_H -I@", ["./program file.gz"]),
    "bzip2": Project("debian-bzip2", "blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c", "bzip2.c",
                     "-D_FILE_OFFSET_BITS=64 -I@",
                     ["./program -1 -c <%s/docs/rtl.md >packed" % ROOT, "./program -d -c <packed >unpacked",
                      "./program -9 -c </bin/ls >packed", "./program -d -s -c <packed >unpacked", "./program -t packed"]),
    "expat": Project("debian-expat/expat", "lib/xmlparse.c lib/xmltok.c lib/xmlrole.c",
                     "tests/runtests.c tests/chardata.c tests/structdata.c tests/minicheck.c tests/memcheck.c",
                     "-DXML_POOR_ENTROPY -DHAVE_MEMMOVE -DXML_NS -DXML_DTD -DXML_GE=1 -DXML_CONTEXT_BYTES=1024 -DBYTEORDER=1234 -I@/lib "
                     "-I@/tests", ["./program"]),
}


def files_of(name, effects):
    project = PROJECTS[name]
    return [beside_check.File(os.path.join(project.folder, f), project.options, effects) for f in project.files]


def build(project, files, compiler, folder):
    """Says what is wrong, or builds ./program in the folder."""
    objects = beside_check.compile_all(files, compiler, folder)
    if objects is None:
        return "does not compile"
    others = [o if o.startswith("/") else os.path.join(project.folder, o) for o in project.others]
    status, _, errors = run(beside_check.COMPILERS["gcc"] + project.options + beside_check.WRAPPED +
                            ["-o", os.path.join(folder, "program")] + others + objects + project.libraries, 300)
    return None if status == 0 else "does not link: " + errors[:300]


def check(name, compilers, mock=None, single=False, effects=False, calls=4, keep=None, seed=1):
    """Counts of a project, and what is not right."""
    project = PROJECTS[name]
    files = files_of(name, effects)
    for file in files:
        file.cut_all(mock, single, seed)
    said = []
    for compiler in compilers:
        folder = keep or tempfile.mkdtemp()
        problem = build(project, files, compiler, folder)
        if problem:
            said.append("%s: %s" % (name, problem))
            break
        report = os.path.join(folder, "report")
        environment = dict(os.environ, BESIDE_REPORT=report, BESIDE_CALLS=str(calls))
        environment["BESIDE_EFFECTS"] = "1" if effects else "0"
        for command in project.commands:
            status, _, errors = run(["sh", "-c", command], 3600, cwd=folder, env=environment)
            if status != 0:
                said.append("%s: its workload ends with %s: %s" % (name, status, errors[-200:]))
        beside_check.read_report(report, files, compiler)
        if not keep:
            shutil.rmtree(folder)
    counts = beside_check.Counts()
    for file in files:
        said += ["%s %s: %s" % (name, os.path.basename(file.path), line) for line in file.said]
        counts.add(file.counts)
    return counts, said
