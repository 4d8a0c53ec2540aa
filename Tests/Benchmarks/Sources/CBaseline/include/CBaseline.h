#ifndef CBASELINE_H
#define CBASELINE_H

#include <stddef.h>
#include <stdint.h>

/// A prepared verification of one signature over SHA-256 under one key.
typedef struct Verification Verification;

/// Prepares a verification by "P-256", "P-384" or "RSA-2048" of a digest signed with a new key; NULL
/// on failure.
Verification *verification_new(const char *kind, const uint8_t *digest, size_t digest_length);

/// Verifies as often as asked; 1 if every one succeeded.
int verification_run(Verification *verification, int count);

/// Signs the digest as often as asked.
int signing_run(Verification *verification, int count);

/// Verifies `count` times on each of `threads` threads; 1 if every one succeeded.
int verification_run_threads(Verification *verification, int threads, int count);

void verification_free(Verification *verification);

/// A message with a P-256 signature, of which each thread takes a verifier of its own.
typedef struct Message Message;
typedef struct MessageVerifier MessageVerifier;

/// Signs a message of so many bytes with a new P-256 key; NULL on failure.
Message *message_new(size_t length);

void message_free(Message *message);

/// Prepares a verifier of a message; NULL on failure.
MessageVerifier *message_verifier_new(const Message *message);

/// Digests the message and verifies its signature as often as asked; 1 if every one succeeded.
int message_verify(MessageVerifier *verifier, int count);

void message_verifier_free(MessageVerifier *verifier);

/// A chain of three certificates in DER whose root has been read.
typedef struct Chain Chain;

/// Takes copies of leaf and intermediate and reads the root; NULL on failure.
Chain *chain_new(const uint8_t *leaf, size_t leaf_length, const uint8_t *intermediate,
                 size_t intermediate_length, const uint8_t *root, size_t root_length);

/// As often as asked, reads leaf and intermediate, checks both signatures up to the root, and makes
/// one verification: the least that X509 functions of OpenSSL can do for a new chain.
int chain_run(Chain *chain, Verification *verification, int count);

void chain_free(Chain *chain);

/// As often as asked, reads a signed message with leaf, intermediate and root, checks the chain's two
/// signatures and the message's: the least that CMS of OpenSSL can do for a receipt.
int message_run(const uint8_t *message, size_t length, int count);

/// CPU time of the process in nanoseconds.
uint64_t cpu_nanoseconds(void);

/// Wall time in nanoseconds.
uint64_t wall_nanoseconds(void);

#endif
