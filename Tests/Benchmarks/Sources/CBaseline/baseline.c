#include "CBaseline.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct Verification {
  EVP_PKEY *key;
  EVP_PKEY_CTX *context;
  uint8_t digest[64];
  size_t digest_length;
  uint8_t signature[160];
  size_t signature_length;
};

static int sign(Verification *verification) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(verification->key, NULL);
  verification->signature_length = sizeof verification->signature;
  int signed_ = context != NULL && EVP_PKEY_sign_init(context) == 1 &&
                EVP_PKEY_sign(context, verification->signature, &verification->signature_length,
                              verification->digest, verification->digest_length) == 1;
  EVP_PKEY_CTX_free(context);
  return signed_;
}

Verification *verification_new(const char *curve, const uint8_t *digest, size_t digest_length) {
  Verification *verification = calloc(1, sizeof *verification);
  if (verification == NULL || digest_length > sizeof verification->digest) {
    free(verification);
    return NULL;
  }
  memcpy(verification->digest, digest, digest_length);
  verification->digest_length = digest_length;
  verification->key = EVP_PKEY_Q_keygen(NULL, NULL, "EC", curve);
  if (verification->key != NULL && sign(verification)) {
    verification->context = EVP_PKEY_CTX_new(verification->key, NULL);
    if (verification->context != NULL && EVP_PKEY_verify_init(verification->context) == 1) {
      return verification;
    }
  }
  verification_free(verification);
  return NULL;
}

int verification_run(Verification *verification, int count) {
  for (int index = 0; index < count; index++) {
    if (EVP_PKEY_verify(verification->context, verification->signature,
                        verification->signature_length, verification->digest,
                        verification->digest_length) != 1) {
      return 0;
    }
  }
  return 1;
}

void verification_free(Verification *verification) {
  if (verification == NULL) return;
  EVP_PKEY_CTX_free(verification->context);
  EVP_PKEY_free(verification->key);
  free(verification);
}

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t cpu_nanoseconds(void) { return nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }

uint64_t wall_nanoseconds(void) { return nanoseconds(CLOCK_MONOTONIC); }
