#ifndef CBASELINE_H
#define CBASELINE_H

#include <stddef.h>
#include <stdint.h>

/// A prepared ECDSA verification of one signature under one key.
typedef struct Verification Verification;

/// Prepares a verification on "P-256" or "P-384" of a digest signed with a new key; NULL on failure.
Verification *verification_new(const char *curve, const uint8_t *digest, size_t digest_length);

/// Verifies as often as asked; 1 if every one succeeded.
int verification_run(Verification *verification, int count);

void verification_free(Verification *verification);

/// CPU time of the process in nanoseconds.
uint64_t cpu_nanoseconds(void);

/// Wall time in nanoseconds.
uint64_t wall_nanoseconds(void);

#endif
