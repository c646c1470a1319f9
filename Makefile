# gatecc: build, test, measure. `make help` lists the targets.
#
# Programs go to $(BUILD)/bin, the library to $(BUILD)/lib, objects to $(BUILD)/obj. A variant
# (clang, sanitizers) is the same makefile with another BUILD, CC, CFLAGS or LDFLAGS.
# V=1 shows the commands in full.

ifeq ($(origin CC),default)
CC      := gcc
endif
BUILD   ?= build
VERSION := $(shell sed -n 's/.*GATECC_VERSION "\(.*\)"/\1/p' src/base/version.h 2>/dev/null)

# Where things are installed, by the names of GNU; PREFIX is the old name of prefix.
PREFIX      ?= /usr/local
prefix      ?= $(PREFIX)
exec_prefix ?= $(prefix)
bindir      ?= $(exec_prefix)/bin
libdir      ?= $(exec_prefix)/lib
includedir  ?= $(prefix)/include
datarootdir ?= $(prefix)/share
datadir     ?= $(datarootdir)
mandir      ?= $(datarootdir)/man
pkgconfigdir ?= $(libdir)/pkgconfig
bashcompletiondir ?= $(datadir)/bash-completion/completions
zshcompletiondir  ?= $(datadir)/zsh/site-functions
fishcompletiondir ?= $(datadir)/fish/vendor_completions.d
INSTALL         ?= install
INSTALL_PROGRAM ?= $(INSTALL)
INSTALL_DATA    ?= $(INSTALL) -m 644

JOBS    ?= $(shell nproc)
TESTS   ?=
SECONDS ?= 60
CFLAGS  ?= -O2 -g
WERROR  ?= $(if $(CI),-Werror)
WARN    := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
           -Wvla -Wundef -Wpointer-arith -Wwrite-strings -Werror=switch \
           -Werror=implicit-function-declaration
# The same objects make the programs and the shared library, in which nobody takes the place of our functions.
PIC      := -fPIC -fno-semantic-interposition
COMPILE  = $(CC) -std=c11 -D_GNU_SOURCE -Isrc -Iinclude $(WARN) $(WERROR) $(PIC) $(CPPFLAGS) $(CFLAGS)
LIBS     = -lm $(LDLIBS)
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined
MAKEFLAGS += --no-print-directory
Q        := $(if $(V),,@)
PARALLEL  = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

below     = $(foreach depth,*/ */*/ */*/*/,$(wildcard $(1)/$(depth)*$(2)))

# Sources are found by folder: a new file needs no line here. MAINS are the files with the main function of a program;
# everything else makes the library. gatecheck and gatecheck-slice are linked from trusted files only, and have tables of
# forms of their own.
MAINS    := $(wildcard src/gate/gate.c src/gatecc/gatecc.c src/gatecheck/gatecheck.c src/gatecheck/gatecheck-slice.c)
PROGRAMS := $(basename $(notdir $(MAINS)))
OWN      := src/gatecheck/gatecheck_forms.c
SOURCES  := $(filter-out $(MAINS) $(OWN),$(sort $(call below,src,.c)))
OBJECTS  := $(SOURCES:src/%.c=$(BUILD)/obj/%.o)
DECIDES  := $(filter-out $(MAINS:src/%.c=$(BUILD)/obj/%.o),$(patsubst src/%.c,$(BUILD)/obj/%.o,$(filter %.c,$(shell tools/trusted --decides))))
LIBRARY  := $(BUILD)/lib/libgatecc.a
PUBLIC   := $(BUILD)/lib/libgate.a
SONAME   := libgate.so.1
SHARED_LIBRARY := $(BUILD)/lib/$(SONAME)
LIBGATE  := $(if $(wildcard src/lib/libgate.c),$(PUBLIC) $(SHARED_LIBRARY))
CHECKER  := $(BUILD)/lib/libgatecheck.a

# Test programs have a main each, in test/unit, test/forge, test/fuzz and bench; test/gen and the
# other files of bench are a library that they share.
UNITS    := $(patsubst test/%.c,$(BUILD)/%,$(sort $(wildcard test/unit/*.c test/forge/*.c)))
FUZZERS  := $(patsubst test/fuzz/%.c,$(BUILD)/%,$(sort $(wildcard test/fuzz/*.c)))
BENCHES  := $(patsubst %.c,$(BUILD)/%,$(shell grep -ls '^int main' bench/*.c))
SHARED   := $(filter-out $(BENCHES:$(BUILD)/%=%.c),$(sort $(wildcard test/gen/*.c bench/*.c)))
SHARED   := $(SHARED:%.c=$(BUILD)/obj/%.o)
HELPERS  := $(BUILD)/lib/libtest.a
RUNNER   := $(BUILD)/test/runner
RUN       = $(RUNNER) --build $(BUILD) --jobs $(JOBS)
FORMAT    = $(call below,src,.[ch]) $(wildcard include/*.h test/*/*.[ch] test/target/*/*/*.[ch] bench/*.[ch] bench/*/*.c)

## all              build the programs and the library (the default)
all: $(PROGRAMS:%=$(BUILD)/bin/%) $(LIBGATE)

## demo             build, then compile a small C program with every check on: check, show its gates, run, compare
demo:
	@$(MAKE) $(PARALLEL) all
	$(BUILD)/bin/gate check examples/motivating.c
	$(BUILD)/bin/gate show gsa examples/motivating.c
	$(BUILD)/bin/gate run gsa examples/motivating.c
	$(BUILD)/bin/gate compare examples/motivating.c
	$(BUILD)/bin/gatecc -Werror=pipeline --certificate=$(BUILD)/motivating.gcert \
	    -o $(BUILD)/motivating examples/motivating.c
	$(BUILD)/bin/gatecheck $(BUILD)/motivating.gcert
	$(BUILD)/motivating

## test             fetch what the tests need, build, run every test; TESTS='PATTERN...' runs some
test:
	tools/install-deps build test torture csmith explorer $(if $(CI),clang format)
	$(if $(CI),$(MAKE) $(PARALLEL) check-format clang)
	$(MAKE) $(PARALLEL) check

## test-long        also the tests that take minutes; goes on where it was stopped, while the sources are the same
STATE = $(shell find Makefile README.md bench docs examples include packaging python src test tools -type f | sort | xargs cksum | cksum | tr ' ' -)
test-long:
	tools/install-deps build test torture csmith explorer
	$(MAKE) $(PARALLEL) check RUN='$(RUN) --long --limit 7200 --record $(BUILD)/test/long.record --state $(STATE)$(GATE_LONG:%=-%)'

## test-projects    build some 100 projects of others and run their own tests: some hours; TESTS='NAME...' takes some of them
test-projects:
	tools/install-deps build projects
	$(MAKE) $(PARALLEL) all
	tools/projects -b $(BUILD)/bin/gatecc $(TESTS)

## bare-machine     run README.md's commands on a minimal Debian; OPTIONS='-b -r RELEASE first', see tools/bare-machine --help
bare-machine:
	tools/install-deps bare
	tools/bare-machine $(OPTIONS)

## update           make what the text tests now print their expectation; look at the difference
update: all $(RUNNER)
	$(RUN) --update --only text --only document $(TESTS)

## asan             build with address and undefined-behaviour sanitizers, run unit and text tests
asan:
	tools/install-deps build test
	$(MAKE) $(PARALLEL) check BUILD=build/asan CFLAGS='-O1 -g -fno-omit-frame-pointer $(SANITIZE)' \
	    RUN='GATE_QUICK=1 ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=print_stacktrace=1 $$(RUNNER) \
	    --build build/asan --jobs $(JOBS) --limit 600 --only unit --only text'

## valgrind         run unit and text tests under valgrind
VALGRIND := valgrind -q --error-exitcode=99 --leak-check=no
valgrind:
	tools/install-deps build test valgrind
	$(MAKE) $(PARALLEL) all units $(RUNNER)
	@mkdir -p $(BUILD)/valgrind
	@for p in $(PROGRAMS); do f=$(BUILD)/valgrind/$$p; \
	    printf '#!/bin/sh\nexec %s %s "$$@"\n' '$(VALGRIND)' $(abspath $(BUILD))/bin/$$p >$$f; \
	    chmod +x $$f; done
	GATE_QUICK=1 $(RUN) --limit 1800 --bin $(BUILD)/valgrind --prefix '$(VALGRIND)' \
	    --except test/valgrind.txt --only unit --only text $(TESTS)

## mutate           damage the trusted code on purpose and list what no test notices; TESTS='FILE|FUNCTION...', OPTIONS
mutate:
	tools/install-deps build test
	tools/mutate --jobs $(JOBS) $(OPTIONS) $(TESTS)

## bootstrap        let gatecc compile itself, and the result itself again: both must be the same bytes, and pass the tests
STAGE2 := build/stage2
STAGE3 := build/stage3
BOOTSTRAP = CFLAGS='-O2 -g -Werror=pipeline'
bootstrap-compare:
	$(MAKE) $(PARALLEL) all BUILD=$(STAGE2) CC=$(abspath $(BUILD))/bin/gatecc $(BOOTSTRAP)
	$(MAKE) $(PARALLEL) all BUILD=$(STAGE3) CC=$(abspath $(STAGE2))/bin/gatecc $(BOOTSTRAP)
	tools/same-files $(STAGE2) $(STAGE3) '*.o' $(PROGRAMS:%=bin/%)

bootstrap: all
	tools/install-deps build test torture csmith explorer
	$(MAKE) bootstrap-compare
	$(MAKE) $(PARALLEL) check BUILD=$(STAGE3) CC=$(abspath $(STAGE2))/bin/gatecc $(BOOTSTRAP)

## clang            build everything with clang, warnings as errors
clang:
	tools/install-deps build test clang
	$(MAKE) $(PARALLEL) all units benches CC=clang BUILD=build/clang WERROR=-Werror

## fuzz             build the fuzz targets into build/fuzz
fuzz:
	tools/install-deps build fuzz
	$(MAKE) $(PARALLEL) fuzzers BUILD=build/fuzz CC=clang \
	    CFLAGS='-O1 -g -fsanitize=fuzzer-no-link $(SANITIZE)'

## fuzz-run         run each fuzz target for SECONDS=N, on its corpus and a scratch corpus
fuzz-run: fuzz
	tools/fuzz-run $(SECONDS) $(FUZZERS:$(BUILD)/%=%)

## bench            measure; prints tables
bench:
	tools/install-deps build bench
	$(MAKE) $(PARALLEL) all benches
	BUILT=$(abspath $(BUILD)) bench/run $(TESTS)

## format           lay out the C files with clang-format; check-format only complains
format check-format:
	tools/install-deps format
	@clang-format $(if $(filter format,$@),-i,--dry-run -Werror) $(FORMAT)

## trusted          bring the tables in docs/TRUSTED.md up to date
trusted: $(BUILD)/bin/gatecheck
	tools/trusted --update

## install          copy programs, libraries, header, man pages and completions below prefix (and DESTDIR)
##                  bindir, libdir, includedir, mandir, datadir, ... may be set; install-strip: without symbols
# Each file that is installed, as FROM:FOLDER; links come after them. uninstall removes the same.
MANPAGES  := $(wildcard docs/man/*.[1-8])
INSTALLED  = $(PROGRAMS:%=$(BUILD)/bin/%:$(bindir)) \
    $(LIBGATE:%=%:$(libdir)) include/gate.h:$(includedir) \
    $(BUILD)/lib/gate.pc:$(pkgconfigdir) \
    $(foreach page,$(MANPAGES),$(page):$(mandir)/man$(subst .,,$(suffix $(page)))) \
    $(patsubst %,%:$(bashcompletiondir),$(wildcard packaging/completion/bash/*)) \
    $(patsubst %,%:$(zshcompletiondir),$(wildcard packaging/completion/zsh/*)) \
    $(patsubst %,%:$(fishcompletiondir),$(wildcard packaging/completion/fish/*))
from       = $(firstword $(subst :, ,$(1)))
to         = $(DESTDIR)$(lastword $(subst :, ,$(1)))
mode       = $(if $(filter $(BUILD)/bin/%,$(1)),$(INSTALL_PROGRAM),$(INSTALL_DATA))

install: all $(BUILD)/lib/gate.pc
	@$(INSTALL) -d $(sort $(foreach file,$(INSTALLED),$(call to,$(file))))
	$(foreach file,$(INSTALLED),$(call mode,$(file)) $(call from,$(file)) $(call to,$(file))/$(newline))
	ln -sf $(SONAME) $(DESTDIR)$(libdir)/libgate.so

install-strip:
	$(MAKE) install INSTALL_PROGRAM='$(INSTALL_PROGRAM) -s'
	strip --strip-unneeded $(DESTDIR)$(libdir)/$(SONAME)
	strip --strip-debug $(DESTDIR)$(libdir)/libgate.a

## uninstall        remove what install has copied
uninstall:
	rm -f $(DESTDIR)$(libdir)/libgate.so $(foreach file,$(INSTALLED),$(call to,$(file))/$(notdir $(call from,$(file))))

# The paths are those of this install, not of the last one.
$(BUILD)/lib/gate.pc: packaging/gate.pc.in FORCE
	@mkdir -p $(@D)
	@sed -e 's|@prefix@|$(prefix)|' -e 's|@exec_prefix@|$(exec_prefix)|' -e 's|@libdir@|$(libdir)|' \
	    -e 's|@includedir@|$(includedir)|' -e 's|@version@|$(VERSION)|' $< >$@

define newline


endef

## dist             the sources as build/dist/gatecc-VERSION.tar.xz, the same bytes each time
dist:
	@tools/make-dist $(BUILD)/dist $(VERSION)

## deb              Debian packages in build/deb, looked at by lintian; DEB_BUILD_OPTIONS=nocheck for no tests
deb:
	tools/install-deps build package
	@tools/make-deb $(BUILD)/deb $(VERSION)

## compile_commands.json   the compile commands, for editors
compile_commands.json: FORCE
	@tools/compile-commands '$(COMPILE) -I.' $(call below,src,.c) $(wildcard test/*/*.c bench/*.c) > $@

## clean            remove everything that was built
clean:
	rm -rf build compile_commands.json

## help             this list
help:
	@sed -n 's/^## //p' Makefile

# Builds everything that is tested and runs the tests: the part that `test` and its variants share.
check: all units $(RUNNER)
	$(RUN) $(TESTS)
units: $(UNITS)
fuzzers: $(FUZZERS)
benches: $(BENCHES)
growth-steps: $(BUILD)/growth

# A stamp is a file that changes only when its text does: other flags rebuild everything, another
# set of objects rebuilds the library. make itself writes the text: a shell takes no list of this length in a folder deep down.
$(BUILD)/flags: TEXT = $(COMPILE) $(LDFLAGS) $(LIBS)
$(BUILD)/objects: TEXT = $(OBJECTS) $(SHARED)
$(BUILD)/page.files: TEXT = $(PAGE)
$(BUILD)/http: TEXT = $(HTTP)
$(BUILD)/flags $(BUILD)/objects $(BUILD)/page.files $(BUILD)/http: FORCE
	$(shell mkdir -p $(@D))$(file >$@.new,$(TEXT))
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# EXTRA is what only some targets add; private, or their prerequisites would see it, too.
define compile
@mkdir -p $(@D)
@echo '  compile $<'
$(Q)$(COMPILE) $(EXTRA) -MMD -MP -c -o $@ $<
endef
$(BUILD)/obj/%.o: src/%.c $(BUILD)/flags
	$(compile)
$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	$(compile)
$(BUILD)/obj/test/%.o $(BUILD)/obj/bench/%.o: private EXTRA := -I.

# gate explore --serve needs libmicrohttpd, which it loads when it runs; if its header is not there, or with HTTP=, everything
# else is built. The compiler is asked without a #, which GNU make below 4.3 and from 4.3 on pass to a shell in different ways.
ifeq ($(origin HTTP),undefined)
HTTP     := $(shell $(CC) $(CPPFLAGS) -include microhttpd.h -E -x c /dev/null >/dev/null 2>&1 && echo microhttpd)
endif
$(BUILD)/obj/explore/serve.o: $(BUILD)/http
$(BUILD)/obj/explore/serve.o: private EXTRA := $(if $(HTTP),-DGATE_HTTP)

# The page of gate explore, in the program: its modules in one piece. It is compiled from standard input: the name
# of a folder would make each build another.
PAGE     := $(sort $(wildcard src/explore/page/*))
$(BUILD)/page.c: $(PAGE) tools/bundle-page $(BUILD)/page.files
	@mkdir -p $(@D)
	@echo '  bundle $@'
	$(Q)tools/bundle-page src/explore/page >$@
$(BUILD)/obj/explore/page.o: $(BUILD)/page.c src/explore/page.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -c -o $@ -x c - <$<

$(LIBRARY): $(OBJECTS) $(if $(PAGE),$(BUILD)/obj/explore/page.o) $(BUILD)/objects
$(CHECKER): $(DECIDES) $(BUILD)/objects src/tiers.txt
$(HELPERS): $(SHARED) $(BUILD)/objects
$(LIBRARY) $(CHECKER) $(HELPERS):
	@mkdir -p $(@D)
	@rm -f $@
	@echo '  archive $@'
	$(Q)$(AR) qcs $@ $(filter %.o,$^)

# For others there is one object in which only the names that include/gate.h declares are visible, of what these need.
# Memory and files that it asks for go through src/lib/program_memory.c, by which a call that lacks memory comes back.
WRAPPED := malloc calloc realloc free open close fopen fopencookie fclose fatal stack_run
$(BUILD)/lib/gate.o: $(LIBRARY) include/gate.h tools/api-names
	@mkdir -p $(@D)
	$(Q)tools/api-names --names include/gate.h >$(BUILD)/lib/names
	$(Q)tools/api-names --script include/gate.h >$(BUILD)/lib/gate.map
	$(Q)$(LD) -r -o $@ $(WRAPPED:%=--wrap=%) $$(sed 's/^/-u /' $(BUILD)/lib/names) $(LIBRARY)
	$(Q)objcopy --keep-global-symbols=$(BUILD)/lib/names $@

$(PUBLIC): $(BUILD)/lib/gate.o
	@rm -f $@
	@echo '  archive $@'
	$(Q)$(AR) qcs $@ $<

$(SHARED_LIBRARY): $(BUILD)/lib/gate.o
	@echo '  link $@'
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=$(BUILD)/lib/gate.map \
	    -o $@ $< $(LIBS) -pthread
	$(Q)ln -sf $(SONAME) $(@D)/libgate.so

# gatecheck tells what it is made of: it is linked twice, as the first map has the list for the second. What is compiled for that
# comes from standard input: the name of a folder would make each build another.
$(BUILD)/gatecheck.map: $(BUILD)/obj/gatecheck/gatecheck.o $(CHECKER) tools/trusted
	$(Q)BUILT=$(BUILD) tools/trusted --no-source >$(BUILD)/no_trusted.c
	$(Q)$(COMPILE) -c -o $(BUILD)/no_trusted.o -x c - <$(BUILD)/no_trusted.c
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $(BUILD)/gatecheck.first $(BUILD)/obj/gatecheck/gatecheck.o $(BUILD)/no_trusted.o \
	    $(CHECKER) $(LIBS) -Wl,-Map=$@
	$(Q)rm -f $(BUILD)/gatecheck.first
$(BUILD)/trusted.c: $(BUILD)/gatecheck.map
	$(Q)BUILT=$(BUILD) tools/trusted --source >$@
$(BUILD)/obj/trusted.o: $(BUILD)/trusted.c
	$(Q)$(COMPILE) -c -o $@ -x c - <$<
$(BUILD)/bin/gatecheck: $(BUILD)/obj/gatecheck/gatecheck.o $(BUILD)/obj/trusted.o $(CHECKER)
$(BUILD)/bin/gatecheck-slice: $(BUILD)/obj/gatecheck/gatecheck-slice.o $(CHECKER)
$(BUILD)/bin/gate: $(BUILD)/obj/gate/gate.o $(LIBRARY)
$(BUILD)/bin/gatecc: $(BUILD)/obj/gatecc/gatecc.o $(LIBRARY)
$(UNITS): $(BUILD)/%: $(BUILD)/obj/test/%.o $(HELPERS) $(LIBRARY)
$(UNITS): private EXTRA := -lcmocka
$(FUZZERS): $(BUILD)/%: $(BUILD)/obj/test/fuzz/%.o $(HELPERS) $(LIBRARY)
$(FUZZERS): private EXTRA := -fsanitize=fuzzer
$(BENCHES): $(BUILD)/%: $(BUILD)/obj/%.o $(HELPERS) $(LIBRARY)
$(BUILD)/growth: $(patsubst %,$(BUILD)/obj/test/%.o,cert/growth gen/hostile gen/hostile_object gen/damage) $(CHECKER)
$(PROGRAMS:%=$(BUILD)/bin/%) $(UNITS) $(FUZZERS) $(BENCHES) $(BUILD)/growth:
	@mkdir -p $(@D)
	@echo '  link $@'
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(EXTRA) $(LIBS)

# The runner is a tool, not a thing under test: no sanitizers.
$(RUNNER): $(wildcard test/runner/*.[ch])
	@mkdir -p $(@D)
	@echo '  compile $@'
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE $(WARN) $(WERROR) -O1 -g -o $@ $(filter %.c,$^)

FORCE:
.PHONY: all demo test test-long test-projects bare-machine update asan valgrind mutate bootstrap bootstrap-compare clang fuzz fuzz-run bench format check-format \
        trusted install install-strip uninstall dist deb clean help check units fuzzers benches growth-steps FORCE
.SECONDARY:
.DELETE_ON_ERROR:

EVERY_OBJECT = $(OBJECTS) $(SHARED) $(MAINS:src/%.c=$(BUILD)/obj/%.o) \
    $(UNITS:$(BUILD)/%=$(BUILD)/obj/test/%.o) $(FUZZERS:$(BUILD)/%=$(BUILD)/obj/test/fuzz/%.o) \
    $(BENCHES:$(BUILD)/%=$(BUILD)/obj/%.o) $(BUILD)/obj/test/cert/growth.o
-include $(patsubst %.o,%.d,$(EVERY_OBJECT))
