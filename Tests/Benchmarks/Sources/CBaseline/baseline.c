#include "CBaseline.h"

#include <openssl/cms.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct Verification {
  EVP_PKEY *key;
  EVP_PKEY_CTX *context;
  uint8_t digest[64];
  size_t digest_length;
  uint8_t signature[256];
  size_t signature_length;
};

static int sign(Verification *verification) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(verification->key, NULL);
  verification->signature_length = sizeof verification->signature;
  int signed_ = context != NULL && EVP_PKEY_sign_init(context) == 1 &&
                EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1 &&
                EVP_PKEY_sign(context, verification->signature, &verification->signature_length,
                              verification->digest, verification->digest_length) == 1;
  EVP_PKEY_CTX_free(context);
  return signed_;
}

Verification *verification_new(const char *kind, const uint8_t *digest, size_t digest_length) {
  Verification *verification = calloc(1, sizeof *verification);
  if (verification == NULL || digest_length > sizeof verification->digest) {
    free(verification);
    return NULL;
  }
  memcpy(verification->digest, digest, digest_length);
  verification->digest_length = digest_length;
  verification->key = strcmp(kind, "RSA-2048") == 0
                          ? EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)2048)
                          : EVP_PKEY_Q_keygen(NULL, NULL, "EC", kind);
  if (verification->key != NULL && sign(verification)) {
    verification->context = EVP_PKEY_CTX_new(verification->key, NULL);
    if (verification->context != NULL && EVP_PKEY_verify_init(verification->context) == 1 &&
        EVP_PKEY_CTX_set_signature_md(verification->context, EVP_sha256()) == 1) {
      return verification;
    }
  }
  verification_free(verification);
  return NULL;
}

int signing_run(Verification *verification, int count) {
  for (int index = 0; index < count; index++) {
    if (!sign(verification)) return 0;
  }
  return 1;
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

// One thread's work: contexts are not shared between threads.
struct Work {
  Verification verification;
  int count;
  int succeeded;
};

static void *work_run(void *argument) {
  struct Work *work = argument;
  work->verification.context = EVP_PKEY_CTX_new(work->verification.key, NULL);
  work->succeeded = work->verification.context != NULL &&
                    EVP_PKEY_verify_init(work->verification.context) == 1 &&
                    verification_run(&work->verification, work->count);
  EVP_PKEY_CTX_free(work->verification.context);
  return NULL;
}

int verification_run_threads(Verification *verification, int threads, int count) {
  enum { most = 64 };
  struct Work work[most];
  pthread_t ids[most];
  if (threads > most) return 0;
  for (int index = 0; index < threads; index++) {
    work[index] = (struct Work){.verification = *verification, .count = count};
    if (pthread_create(&ids[index], NULL, work_run, &work[index]) != 0) abort();
  }
  int succeeded = 1;
  for (int index = 0; index < threads; index++) {
    pthread_join(ids[index], NULL);
    succeeded = succeeded && work[index].succeeded;
  }
  return succeeded;
}

struct Message {
  EVP_PKEY *key;
  uint8_t *bytes;
  size_t length;
  uint8_t signature[128];
  size_t signature_length;
};

void message_free(Message *message) {
  if (message == NULL) return;
  EVP_PKEY_free(message->key);
  free(message->bytes);
  free(message);
}

Message *message_new(size_t length) {
  Message *message = calloc(1, sizeof *message);
  if (message == NULL) return NULL;
  message->length = length;
  message->bytes = malloc(length);
  message->key = EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
  message->signature_length = sizeof message->signature;
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  int is_signed = message->bytes != NULL && message->key != NULL && context != NULL;
  if (is_signed) memset(message->bytes, 'e', length);
  is_signed = is_signed &&
              EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, message->key) == 1 &&
              EVP_DigestSign(context, message->signature, &message->signature_length,
                             message->bytes, message->length) == 1;
  EVP_MD_CTX_free(context);
  if (is_signed) return message;
  message_free(message);
  return NULL;
}

struct MessageVerifier {
  const Message *message;
  EVP_PKEY_CTX *context;
};

MessageVerifier *message_verifier_new(const Message *message) {
  MessageVerifier *verifier = calloc(1, sizeof *verifier);
  if (verifier == NULL) return NULL;
  verifier->message = message;
  verifier->context = EVP_PKEY_CTX_new(message->key, NULL);
  if (verifier->context != NULL && EVP_PKEY_verify_init(verifier->context) == 1 &&
      EVP_PKEY_CTX_set_signature_md(verifier->context, EVP_sha256()) == 1) {
    return verifier;
  }
  message_verifier_free(verifier);
  return NULL;
}

int message_verify(MessageVerifier *verifier, int count) {
  const Message *message = verifier->message;
  for (int index = 0; index < count; index++) {
    uint8_t digest[32];
    unsigned int length = sizeof digest;
    if (EVP_Digest(message->bytes, message->length, digest, &length, EVP_sha256(), NULL) != 1 ||
        EVP_PKEY_verify(verifier->context, message->signature, message->signature_length, digest,
                        length) != 1) {
      return 0;
    }
  }
  return 1;
}

void message_verifier_free(MessageVerifier *verifier) {
  if (verifier == NULL) return;
  EVP_PKEY_CTX_free(verifier->context);
  free(verifier);
}

struct Chain {
  uint8_t *ders[2];
  size_t lengths[2];
  X509 *root;
};

static X509 *read_certificate(const uint8_t *der, size_t length) {
  return d2i_X509(NULL, &der, (long)length);
}

Chain *chain_new(const uint8_t *leaf, size_t leaf_length, const uint8_t *intermediate,
                 size_t intermediate_length, const uint8_t *root, size_t root_length) {
  Chain *chain = calloc(1, sizeof *chain);
  if (chain == NULL) return NULL;
  const uint8_t *ders[2] = {leaf, intermediate};
  size_t lengths[2] = {leaf_length, intermediate_length};
  for (int index = 0; index < 2; index++) {
    chain->lengths[index] = lengths[index];
    chain->ders[index] = malloc(lengths[index]);
    if (chain->ders[index] != NULL) memcpy(chain->ders[index], ders[index], lengths[index]);
  }
  chain->root = read_certificate(root, root_length);
  if (chain->ders[0] != NULL && chain->ders[1] != NULL && chain->root != NULL) return chain;
  chain_free(chain);
  return NULL;
}

// Whether the issuer, taken as trusted, issued the certificate; times are not looked at.
static int is_issued(X509 *certificate, X509 *issuer) {
  STACK_OF(X509) *trusted = sk_X509_new_null();
  X509_STORE_CTX *context = X509_STORE_CTX_new();
  int succeeded = 0;
  if (trusted != NULL && context != NULL && sk_X509_push(trusted, issuer) > 0 &&
      X509_STORE_CTX_init(context, NULL, certificate, NULL) == 1) {
    X509_STORE_CTX_set0_trusted_stack(context, trusted);
    X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_flags(parameters, X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_NO_CHECK_TIME);
    succeeded = X509_verify_cert(context) == 1;
  }
  X509_STORE_CTX_free(context);
  sk_X509_free(trusted);
  return succeeded;
}

int chain_run(Chain *chain, Verification *verification, int count) {
  for (int index = 0; index < count; index++) {
    X509 *leaf = read_certificate(chain->ders[0], chain->lengths[0]);
    X509 *intermediate = read_certificate(chain->ders[1], chain->lengths[1]);
    int succeeded = leaf != NULL && intermediate != NULL && is_issued(intermediate, chain->root) &&
                    is_issued(leaf, intermediate) && verification_run(verification, 1);
    X509_free(leaf);
    X509_free(intermediate);
    if (!succeeded) return 0;
  }
  return 1;
}

void chain_free(Chain *chain) {
  if (chain == NULL) return;
  free(chain->ders[0]);
  free(chain->ders[1]);
  X509_free(chain->root);
  free(chain);
}

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t cpu_nanoseconds(void) { return nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }

uint64_t wall_nanoseconds(void) { return nanoseconds(CLOCK_MONOTONIC); }

// Whether each certificate but a self-issued one is signed by another of them.
static int are_signed(STACK_OF(X509) *certificates) {
  int count = sk_X509_num(certificates);
  for (int subject = 0; subject < count; subject++) {
    X509 *certificate = sk_X509_value(certificates, subject);
    if (X509_check_issued(certificate, certificate) == X509_V_OK) continue;
    int place = 0;
    while (place < count &&
           X509_check_issued(sk_X509_value(certificates, place), certificate) != X509_V_OK) {
      place++;
    }
    if (place == count) return 0;
    EVP_PKEY *key = X509_get0_pubkey(sk_X509_value(certificates, place));
    if (X509_verify(certificate, key) != 1) return 0;
  }
  return count == 3;
}

int message_run(const uint8_t *message, size_t length, int count) {
  for (int index = 0; index < count; index++) {
    const uint8_t *position = message;
    CMS_ContentInfo *parsed = d2i_CMS_ContentInfo(NULL, &position, (long)length);
    STACK_OF(X509) *certificates = CMS_get1_certs(parsed);
    int valid = certificates != NULL && are_signed(certificates) &&
                CMS_verify(parsed, certificates, NULL, NULL, NULL,
                           CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY | CMS_NOINTERN) == 1;
    sk_X509_pop_free(certificates, X509_free);
    CMS_ContentInfo_free(parsed);
    if (!valid) return 0;
  }
  return 1;
}
