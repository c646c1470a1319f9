# gatecc: build, test, measure. `make help` lists the targets.
#
# Objects go to $(BUILD)/obj, programs to $(BUILD)/bin, the library to $(BUILD)/lib. A variant
# (sanitizers, clang) is the same makefile with another BUILD, CC or CFLAGS.

CC      ?= gcc
BUILD   ?= build
PREFIX  ?= /usr/local
JOBS    ?= $(shell nproc)
WERROR  ?= $(if $(CI),-Werror)

OPT     ?= -O2 -g
WARN    := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
           -Wvla -Wundef -Wpointer-arith -Wwrite-strings
CFLAGS  ?= $(OPT)
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE -Isrc -Iinclude -MMD -MP $(WARN) $(WERROR) $(CFLAGS)
LDLIBS  := -lm

PROGRAMS := $(patsubst src/driver/%.c,%,$(wildcard src/driver/gate.c src/driver/gatecc.c src/driver/gatecheck.c))
MAINS    := $(PROGRAMS:%=$(BUILD)/obj/driver/%.o)
SOURCES  := $(sort $(wildcard src/*/*.c))
OBJECTS  := $(filter-out $(MAINS),$(SOURCES:src/%.c=$(BUILD)/obj/%.o))
LIBRARY  := $(BUILD)/lib/libgate.a

UNIT_SOURCES := $(sort $(wildcard test/unit/*.c))
UNITS        := $(UNIT_SOURCES:test/unit/%.c=$(BUILD)/unit/%)

all: $(PROGRAMS:%=$(BUILD)/bin/%) $(LIBRARY)

$(BUILD)/obj/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(LIBRARY): $(OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/bin/%: $(BUILD)/obj/driver/%.o $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/unit/%: test/unit/%.c $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(LIBRARY) -lcmocka $(LDLIBS)

units: $(UNITS)

clean:
	rm -rf build compile_commands.json

.PHONY: all units clean
.SECONDARY:

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
