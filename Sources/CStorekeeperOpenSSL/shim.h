// What Swift needs of OpenSSL's libcrypto (3.0 or later). Macros and variadic functions, which Swift
// cannot import, become functions with the prefix `copenssl_`.
#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ocsp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// EVP_EC_gen and EVP_RSA_gen are macros over a variadic function, which Ed25519 needs, too.
static inline EVP_PKEY *copenssl_ec_generate(const char *curve) {
  return EVP_PKEY_Q_keygen(NULL, NULL, "EC", curve);
}
static inline EVP_PKEY *copenssl_rsa_generate(size_t bits) {
  return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", bits);
}
static inline EVP_PKEY *copenssl_ed25519_generate(void) {
  return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
}

// What EVP_PKEY_fromdata is to make; the macros are made of others, which Swift does not see through.
static inline int copenssl_selects_parameters(void) { return EVP_PKEY_KEY_PARAMETERS; }
static inline int copenssl_selects_public_key(void) { return EVP_PKEY_PUBLIC_KEY; }

// The names of parameters, which an OSSL_PARAM points to: texts of C stay where they are.
static inline const char *copenssl_rsa_modulus(void) { return OSSL_PKEY_PARAM_RSA_N; }
static inline const char *copenssl_rsa_exponent(void) { return OSSL_PKEY_PARAM_RSA_E; }
static inline const char *copenssl_group_name(void) { return OSSL_PKEY_PARAM_GROUP_NAME; }

// The functions on stacks are macros.
static inline STACK_OF(X509) *copenssl_certificates_new(void) { return sk_X509_new_null(); }
static inline int copenssl_certificates_push(STACK_OF(X509) *stack, X509 *certificate) {
  return sk_X509_push(stack, certificate);
}
static inline void copenssl_certificates_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }
static inline int copenssl_certificates_count(STACK_OF(X509) *stack) { return sk_X509_num(stack); }
static inline X509 *copenssl_certificates_value(STACK_OF(X509) *stack, int index) {
  return sk_X509_value(stack, index);
}
static inline void copenssl_certificates_free_all(STACK_OF(X509) *stack) {
  sk_X509_pop_free(stack, X509_free);
}
static inline int copenssl_signers_count(STACK_OF(CMS_SignerInfo) *stack) {
  return sk_CMS_SignerInfo_num(stack);
}
static inline CMS_SignerInfo *copenssl_signers_value(STACK_OF(CMS_SignerInfo) *stack, int index) {
  return sk_CMS_SignerInfo_value(stack, index);
}
static inline int copenssl_strings_count(STACK_OF(OPENSSL_STRING) *stack) {
  return sk_OPENSSL_STRING_num(stack);
}
static inline const char *copenssl_strings_value(STACK_OF(OPENSSL_STRING) *stack, int index) {
  return sk_OPENSSL_STRING_value(stack, index);
}

// BIO_get_mem_data is a macro.
static inline long copenssl_bio_bytes(BIO *bio, const unsigned char **bytes) {
  return BIO_get_mem_data(bio, (char **)bytes);
}

// OCSP_basic_sign would take the time of a response from the system's clock, and there is no function
// that sets it. The time belongs to the response, which the caller may change.
static inline int copenssl_ocsp_set_produced_at(OCSP_BASICRESP *response, long seconds) {
  ASN1_GENERALIZEDTIME *time = (ASN1_GENERALIZEDTIME *)OCSP_resp_get0_produced_at(response);
  return ASN1_GENERALIZEDTIME_set(time, seconds) != NULL;
}

#endif
