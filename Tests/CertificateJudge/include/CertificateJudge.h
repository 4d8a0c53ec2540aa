#ifndef CERTIFICATE_JUDGE_H
#define CERTIFICATE_JUDGE_H

#include <stddef.h>
#include <stdint.h>

/// A certificate as parsed by OpenSSL's X509 functions, the reference for our parser.
typedef struct Judged Judged;

/// Parses a certificate that fills the bytes and that OpenSSL would encode identically, with times that
/// it can convert; NULL for anything else.
Judged *judge_read(const uint8_t *der, size_t length);
void judge_free(Judged *judged);

/// The facts that OpenSSL reports about a certificate.
typedef struct {
  /// In seconds since 1970 UTC.
  int64_t not_before, not_after;
  /// Whether basicConstraints makes it an authority.
  int is_authority;
  /// Whether the key may sign certificates.
  int may_sign;
  /// The maximum number of authorities below; -1 for any number.
  int64_t path_length;
  int has_name_constraints;
  /// Whether OpenSSL finds no fault in the extensions that it parses.
  int is_well_formed;
  /// 0 for an unknown kind of key, then RSA, P-256, P-384, other.
  int key;
  /// The first critical extension that OpenSSL does not know, in dotted numbers.
  char critical[128];
  /// The serial number in hexadecimal.
  char serial[132];
} JudgedFacts;

void judge_facts(const Judged *judged, JudgedFacts *facts);

/// The result (X509_V_...) of X509_verify_cert for a chain of these two with a trusted issuer; times
/// and critical extensions are not checked. An issuer that is not named, is not an authority or may not
/// sign is refused before that, with -1, -2 and -3.
int judge_issued(const Judged *subject, const Judged *issuer, int level);

/// The result (X509_V_...) of X509_verify_cert with OpenSSL's strict checks for a chain to a trusted root,
/// as Apple's server libraries verify; times are not checked.
int judge_strictly(const Judged *leaf, const Judged *intermediate, const Judged *root);

/// Whether our parser must accept a certificate that OpenSSL accepts: it is DER throughout, without
/// deliberately unsupported parts. The certificate must not be used afterwards.
int judge_is_regular(Judged *judged, const uint8_t *der, size_t length);

/// Whether our parser must find the extensions of a certificate well formed if OpenSSL does.
int judge_has_regular_extensions(const Judged *judged);

/// Whether a certificate is signed with an algorithm, and its usual parameters, that our parser
/// supports, and assigns no resources.
int judge_has_usual_signature(const Judged *judged);

/// Writes a new RSA key of 512 bits in PEM, which signs quickly and is insecure; returns whether there
/// was room for it.
int judge_make_weak_key(char *pem, size_t size);

#endif
