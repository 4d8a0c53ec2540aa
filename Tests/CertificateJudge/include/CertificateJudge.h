#ifndef CERTIFICATE_JUDGE_H
#define CERTIFICATE_JUDGE_H

#include <stddef.h>
#include <stdint.h>

/// A certificate as OpenSSL's X509 functions read it: the judge of our own reader.
typedef struct Judged Judged;

/// Reads a certificate that fills the bytes and that OpenSSL would write the same, with times that it
/// can tell; NULL for anything else.
Judged *judge_read(const uint8_t *der, size_t length);
void judge_free(Judged *judged);

/// What OpenSSL says about a certificate.
typedef struct {
  /// In seconds since 1970 UTC.
  int64_t not_before, not_after;
  /// Whether basicConstraints says so.
  int is_authority;
  /// Whether the key may sign certificates.
  int may_sign;
  /// How many authorities may follow; -1 for any number.
  int64_t path_length;
  int has_name_constraints;
  /// Whether OpenSSL finds no fault in the extensions that it looks into.
  int is_well_formed;
  /// 0 for none that OpenSSL knows, then RSA, P-256, P-384, other.
  int key;
  /// The first critical extension that OpenSSL does not know, in dotted numbers.
  char critical[128];
  /// The serial number in hexadecimal.
  char serial[132];
} JudgedFacts;

void judge_facts(const Judged *judged, JudgedFacts *facts);

/// The number (X509_V_...) with which X509_verify_cert ends for a chain of these two, the issuer taken as
/// trusted; times and critical extensions are not looked at. Issuers that are not named, no authority or
/// may not sign are refused beforehand, with -1, -2 and -3.
int judge_issued(const Judged *subject, const Judged *issuer, int level);

/// Whether a certificate that OpenSSL reads is one that our reader has to read: DER throughout, and
/// nothing that it leaves out on purpose. Nothing else may be asked about it afterwards.
int judge_is_regular(Judged *judged, const uint8_t *der, size_t length);

/// Whether the extensions of a certificate are such that our reader has to find them well-formed where
/// OpenSSL does.
int judge_has_regular_extensions(const Judged *judged);

/// Whether a certificate is signed with an algorithm, and its usual parameters, that our reader knows,
/// and assigns no resources.
int judge_has_usual_signature(const Judged *judged);

/// Writes a new RSA key of 512 bits in PEM, which signs quickly and is worth nothing; whether there was
/// room for it.
int judge_make_weak_key(char *pem, size_t size);

#endif
