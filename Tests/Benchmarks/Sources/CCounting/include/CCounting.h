/// The means to count what work costs: allocations, and instructions under valgrind.
#ifndef CCOUNTING_H
#define CCOUNTING_H

#include <stdint.h>

/// The allocations of this process so far, or -1 unless Tests/Benchmarks/Counts/allocations.c is preloaded.
int64_t allocations_so_far(void);

/// Whether the process runs under callgrind.
int counts_instructions(void);

/// Begins to count instructions, from zero.
void instructions_start(void);

/// Ends it, and writes those since the beginning as a part of callgrind's file, under a name.
void instructions_stop(const char *name);

#endif
