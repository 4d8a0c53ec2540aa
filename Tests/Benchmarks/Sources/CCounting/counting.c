#define _GNU_SOURCE
#include <dlfcn.h>

#include "CCounting.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name) ((void)(name))
#endif

int64_t allocations_so_far(void) {
  static int64_t (*preloaded)(void);
  if (!preloaded) preloaded = (int64_t (*)(void))dlsym(RTLD_DEFAULT, "preloaded_allocations");
  return preloaded ? preloaded() : -1;
}

int counts_instructions(void) { return RUNNING_ON_VALGRIND != 0; }

void instructions_start(void) {
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
}

void instructions_stop(const char *name) {
  CALLGRIND_DUMP_STATS_AT(name);
  CALLGRIND_STOP_INSTRUMENTATION;
}
