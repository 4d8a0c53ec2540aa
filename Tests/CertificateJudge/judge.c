#include "CertificateJudge.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

struct Judged {
  X509 *x;
};

static int seconds(const ASN1_TIME *time, int64_t *result) {
  ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
  int days = 0, rest = 0;
  int known = ASN1_TIME_diff(&days, &rest, epoch, time) == 1;
  ASN1_TIME_free(epoch);
  *result = (int64_t)days * 86400 + rest;
  return known;
}

static X509 *read_x509(const uint8_t *der, size_t length) {
  const uint8_t *position = der;
  X509 *x = d2i_X509(NULL, &position, (long)length);
  if (x != NULL && position == der + length) return x;
  X509_free(x);
  return NULL;
}

Judged *judge_read(const uint8_t *der, size_t length) {
  X509 *x = read_x509(der, length);
  uint8_t *written = NULL;
  int64_t time;
  int count = x == NULL ? -1 : i2d_X509(x, &written);
  int fits = count >= 0 && (size_t)count == length && memcmp(written, der, length) == 0 &&
             seconds(X509_get0_notBefore(x), &time) && seconds(X509_get0_notAfter(x), &time);
  OPENSSL_free(written);
  Judged *judged = fits ? malloc(sizeof *judged) : NULL;
  if (judged != NULL) {
    judged->x = x;
  } else {
    X509_free(x);
  }
  ERR_clear_error();
  return judged;
}

void judge_free(Judged *judged) {
  if (judged == NULL) return;
  X509_free(judged->x);
  free(judged);
}

static int kind(EVP_PKEY *key) {
  char name[64];
  if (key == NULL) return 0;
  if (EVP_PKEY_is_a(key, "RSA")) return 1;
  if (!EVP_PKEY_is_a(key, "EC")) return 4;
  if (EVP_PKEY_get_group_name(key, name, sizeof name, NULL) != 1) return 4;
  int nid = OBJ_txt2nid(name);
  return nid == NID_X9_62_prime256v1 ? 2 : nid == NID_secp384r1 ? 3 : 4;
}

void judge_facts(const Judged *judged, JudgedFacts *facts) {
  X509 *x = judged->x;
  memset(facts, 0, sizeof *facts);
  seconds(X509_get0_notBefore(x), &facts->not_before);
  seconds(X509_get0_notAfter(x), &facts->not_after);
  facts->is_well_formed = X509_check_purpose(x, -1, -1) == 1;
  uint32_t flags = X509_get_extension_flags(x);
  facts->is_authority = (flags & EXFLAG_BCONS) != 0 && (flags & EXFLAG_CA) != 0;
  facts->may_sign = (X509_get_key_usage(x) & KU_KEY_CERT_SIGN) != 0;
  facts->path_length = X509_get_pathlen(x);
  facts->has_name_constraints = X509_get_ext_by_NID(x, NID_name_constraints, -1) >= 0;
  facts->key = kind(X509_get0_pubkey(x));
  for (int i = 0; i < X509_get_ext_count(x); i++) {
    X509_EXTENSION *found = X509_get_ext(x, i);
    if (X509_EXTENSION_get_critical(found) != 1 || X509_supported_extension(found) == 1) continue;
    OBJ_obj2txt(facts->critical, sizeof facts->critical, X509_EXTENSION_get_object(found), 1);
    break;
  }
  const ASN1_INTEGER *serial = X509_get0_serialNumber(x);
  for (int i = 0, at = 0; i < ASN1_STRING_length(serial) && at < 128; i++, at += 2) {
    static const char digits[] = "0123456789abcdef";
    uint8_t byte = ASN1_STRING_get0_data(serial)[i];
    facts->serial[at] = digits[byte >> 4];
    facts->serial[at + 1] = digits[byte & 15];
  }
  ERR_clear_error();
}

int judge_issued(const Judged *subject, const Judged *issuer, int level) {
  if (X509_NAME_cmp(X509_get_issuer_name(subject->x), X509_get_subject_name(issuer->x)) != 0) {
    return -1;
  }
  uint32_t flags = X509_get_extension_flags(issuer->x);
  if ((flags & EXFLAG_BCONS) == 0 || (flags & EXFLAG_CA) == 0) return -2;
  if ((X509_get_key_usage(issuer->x) & KU_KEY_CERT_SIGN) == 0) return -3;
  STACK_OF(X509) *trusted = sk_X509_new_null();
  X509_STORE_CTX *context = X509_STORE_CTX_new();
  sk_X509_push(trusted, issuer->x);
  X509_STORE_CTX_init(context, NULL, subject->x, NULL);
  X509_STORE_CTX_set0_trusted_stack(context, trusted);
  X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(context);
  X509_VERIFY_PARAM_set_flags(parameters, X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_NO_CHECK_TIME |
                                              X509_V_FLAG_IGNORE_CRITICAL);
  X509_VERIFY_PARAM_set_auth_level(parameters, level);
  int code = X509_verify_cert(context) == 1 ? X509_V_OK : X509_STORE_CTX_get_error(context);
  int succeeded = X509_STORE_CTX_get0_chain(context) != NULL && code == X509_V_OK;
  X509_STORE_CTX_free(context);
  sk_X509_free(trusted);
  ERR_clear_error();
  return succeeded ? X509_V_OK : code == X509_V_OK ? X509_V_ERR_UNSPECIFIED : code;
}

int judge_strictly(const Judged *leaf, const Judged *intermediate, const Judged *root) {
  STACK_OF(X509) *others = sk_X509_new_null();
  X509_STORE *store = X509_STORE_new();
  X509_STORE_CTX *context = X509_STORE_CTX_new();
  sk_X509_push(others, intermediate->x);
  X509_STORE_add_cert(store, root->x);
  X509_STORE_CTX_init(context, store, leaf->x, others);
  X509_VERIFY_PARAM_set_flags(X509_STORE_CTX_get0_param(context),
                              X509_V_FLAG_X509_STRICT | X509_V_FLAG_NO_CHECK_TIME);
  int code = X509_verify_cert(context) == 1 ? X509_V_OK : X509_STORE_CTX_get_error(context);
  X509_STORE_CTX_free(context);
  X509_STORE_free(store);
  sk_X509_free(others);
  ERR_clear_error();
  return code;
}

// Whether OpenSSL would encode a name identically. It caches the bytes, so the name is built anew.
static int is_regular_name(const X509_NAME *name) {
  if (X509_NAME_entry_count(name) > 64) return 0;
  X509_NAME *again = X509_NAME_new();
  int regular = again != NULL;
  int last = -1;
  for (int i = 0; regular && i < X509_NAME_entry_count(name); i++) {
    const X509_NAME_ENTRY *entry = X509_NAME_get_entry(name, i);
    int type = ASN1_STRING_type(X509_NAME_ENTRY_get_data(entry));
    // OpenSSL does not parse the content of a sequence.
    if (type == V_ASN1_SEQUENCE || type == V_ASN1_OTHER) regular = 0;
    int set = X509_NAME_ENTRY_set(entry);
    regular = regular && X509_NAME_add_entry(again, entry, -1, set == last ? -1 : 0) == 1;
    last = set;
  }
  uint8_t *first = NULL, *second = NULL;
  int count = i2d_X509_NAME(name, &first);
  regular = regular && count >= 0 && i2d_X509_NAME(again, &second) == count &&
            memcmp(first, second, (size_t)count) == 0;
  OPENSSL_free(first);
  OPENSSL_free(second);
  X509_NAME_free(again);
  return regular;
}

static int is_regular_time(const ASN1_TIME *time) {
  int length = ASN1_STRING_length(time);
  int expected = ASN1_STRING_type(time) == V_ASN1_UTCTIME ? 13 : 15;
  return length == expected && ASN1_STRING_get0_data(time)[length - 1] == 'Z';
}

static int is_regular_algorithm(const X509_ALGOR *algorithm) {
  int type = 0;
  X509_ALGOR_get0(NULL, &type, NULL, algorithm);
  return type == V_ASN1_UNDEF || type == V_ASN1_NULL || type == V_ASN1_OBJECT;
}

// Whether the critical flag of an extension is TRUE in DER or absent: OpenSSL preserves other values.
static int is_regular_criticality(X509_EXTENSION *extension) {
  X509_EXTENSION *again = X509_EXTENSION_create_by_OBJ(
      NULL, X509_EXTENSION_get_object(extension), X509_EXTENSION_get_critical(extension),
      X509_EXTENSION_get_data(extension));
  uint8_t *first = NULL, *second = NULL;
  int count = i2d_X509_EXTENSION(extension, &first);
  int regular = count > 0 && i2d_X509_EXTENSION(again, &second) == count &&
                memcmp(first, second, (size_t)count) == 0;
  OPENSSL_free(first);
  OPENSSL_free(second);
  X509_EXTENSION_free(again);
  return regular;
}

static int is_regular(X509 *x, const uint8_t *der, size_t length) {
  const uint8_t *position = der;
  long count = 0;
  int tag = 0, class = 0;
  if (length > 65536 || X509_get_ext_count(x) > 64) return 0;
  ASN1_get_object(&position, &count, &tag, &class, (long)length);
  const uint8_t *signed_part = position;
  ASN1_get_object(&position, &count, &tag, &class, (long)(der + length - position));
  const ASN1_BIT_STRING *issuer = NULL, *subject = NULL;
  X509_get0_uids(x, &issuer, &subject);
  long version = X509_get_version(x);
  if (version == 0 && (*position == 0xA0 || issuer != NULL || subject != NULL)) return 0;
  if (version < 0 || version > 2 || (version < 2 && X509_get0_extensions(x) != NULL)) return 0;
  for (int i = 0; i < X509_get_ext_count(x); i++) {
    if (!is_regular_criticality(X509_get_ext(x, i))) return 0;
  }
  const X509_ALGOR *outer = NULL;
  X509_ALGOR *key = NULL;
  X509_get0_signature(NULL, &outer, x);
  X509_PUBKEY_get0_param(NULL, NULL, NULL, &key, X509_get_X509_PUBKEY(x));
  if (!is_regular_algorithm(X509_get0_tbs_sigalg(x)) || !is_regular_algorithm(outer) ||
      !is_regular_algorithm(key) || !is_regular_name(X509_get_subject_name(x)) ||
      !is_regular_name(X509_get_issuer_name(x)) || !is_regular_time(X509_get0_notBefore(x)) ||
      !is_regular_time(X509_get0_notAfter(x))) {
    return 0;
  }
  uint8_t *again = NULL;
  int written = i2d_re_X509_tbs(x, &again);
  int equal = written > 0 && signed_part + written <= der + length &&
              position + count == signed_part + written &&
              memcmp(signed_part, again, (size_t)written) == 0;
  OPENSSL_free(again);
  return equal;
}

int judge_is_regular(Judged *judged, const uint8_t *der, size_t length) {
  int regular = is_regular(judged->x, der, length);
  ERR_clear_error();
  return regular;
}

static int is_regular_extension(X509 *x, int index) {
  static const int known[] = {
      NID_basic_constraints, NID_key_usage, NID_ext_key_usage, NID_netscape_cert_type,
      NID_subject_key_identifier, NID_authority_key_identifier, NID_subject_alt_name,
      NID_name_constraints, NID_crl_distribution_points};
  X509_EXTENSION *extension = X509_get_ext(x, index);
  const ASN1_OBJECT *type = X509_EXTENSION_get_object(extension);
  int nid = OBJ_obj2nid(type);
  if (X509_get_ext_by_OBJ(x, type, index) >= 0) return 0;
  int is_known = 0;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) is_known |= nid == known[i];
  if (!is_known) return 1;
  void *value = X509V3_EXT_d2i(extension);
  X509_EXTENSION *again = value == NULL ? NULL : X509V3_EXT_i2d(nid, 0, value);
  int regular = again != NULL && ASN1_OCTET_STRING_cmp(X509_EXTENSION_get_data(extension),
                                                       X509_EXTENSION_get_data(again)) == 0;
  X509_EXTENSION_free(again);
  if (value != NULL && nid == NID_crl_distribution_points) {
    for (int i = 0; i < sk_DIST_POINT_num(value); i++) {
      const DIST_POINT *point = sk_DIST_POINT_value(value, i);
      if (point->distpoint == NULL || point->distpoint->type != 0) regular = 0;
    }
  }
  if (value != NULL && nid == NID_basic_constraints) {
    const BASIC_CONSTRAINTS *constraints = value;
    const ASN1_INTEGER *length = constraints->pathlen;
    if (constraints->ca != 0 && constraints->ca != 0xFF) regular = 0;
    if (length != NULL && ASN1_STRING_length(length) > 7) regular = 0;
  }
  if (value != NULL) {
    ASN1_item_free(value, ASN1_ITEM_ptr(X509V3_EXT_get(extension)->it));
  }
  return regular;
}

int judge_has_regular_extensions(const Judged *judged) {
  int regular = 1;
  for (int i = 0; regular && i < X509_get_ext_count(judged->x); i++) {
    regular = is_regular_extension(judged->x, i);
  }
  ERR_clear_error();
  return regular;
}

int judge_has_usual_signature(const Judged *judged) {
  X509 *x = judged->x;
  int type = 0;
  const ASN1_OBJECT *object = NULL;
  X509_ALGOR_get0(&object, &type, NULL, X509_get0_tbs_sigalg(x));
  int usual = 0;
  switch (OBJ_obj2nid(object)) {
  case NID_sha1WithRSAEncryption:
  case NID_sha256WithRSAEncryption:
  case NID_sha384WithRSAEncryption:
  case NID_sha512WithRSAEncryption:
    usual = type == V_ASN1_NULL;
    break;
  case NID_ecdsa_with_SHA1:
  case NID_ecdsa_with_SHA256:
  case NID_ecdsa_with_SHA384:
  case NID_ecdsa_with_SHA512:
    usual = type == V_ASN1_UNDEF;
    break;
  }
  if (X509_get_ext_by_NID(x, NID_sbgp_ipAddrBlock, -1) >= 0) usual = 0;
  if (X509_get_ext_by_NID(x, NID_sbgp_autonomousSysNum, -1) >= 0) usual = 0;
  ERR_clear_error();
  return usual;
}

int judge_make_weak_key(char *pem, size_t size) {
  EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)512);
  BIO *bio = BIO_new(BIO_s_mem());
  char *text = NULL;
  int written = PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL) == 1;
  long count = BIO_get_mem_data(bio, &text);
  int fits = written && count > 0 && (size_t)count < size;
  if (fits) {
    memcpy(pem, text, (size_t)count);
    pem[count] = 0;
  }
  BIO_free(bio);
  EVP_PKEY_free(key);
  return fits;
}
