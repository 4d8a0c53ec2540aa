internal import CStorekeeperOpenSSL

extension PublicKey {
  /// Creates the key of a SubjectPublicKeyInfo in a common form: an uncompressed point on P-256 or
  /// P-384, or RSA; nil for all others and if OpenSSL refuses it.
  ///
  /// With the numbers given, OpenSSL 3.0 need not search for a decoder, which takes 150 µs.
  static func usualKey(_ info: [UInt8]) -> OpaquePointer? {
    for template in CurveTemplate.all where info.starts(with: template.header) {
      return unsafe template.key(point: Array(info.dropFirst(template.header.count - 1)))
    }
    return unsafe usualRSAKey(info)
  }

  /// The SubjectPublicKeyInfo of a key on P-256 up to and including the first byte of the point, which marks it as
  /// uncompressed (RFC 5480 section 2.2).
  static let p256Header: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
    0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
  ]

  /// Creates a key from an RSAPublicKey: SEQUENCE { modulus INTEGER, publicExponent INTEGER }
  /// (RFC 8017 appendix A.1.1).
  private static func usualRSAKey(_ info: [UInt8]) -> OpaquePointer? {
    guard let numbers = try? RSANumbers(info) else { return nil }
    return unsafe rsaKey(
      modulus: Array(info[numbers.modulus]), exponent: Array(info[numbers.exponent]))
  }

  /// Creates a key from two numbers, big-endian; nil if OpenSSL refuses them.
  static func rsaKey(modulus: [UInt8], exponent: [UInt8]) -> OpaquePointer? {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else { return nil }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    guard unsafe EVP_PKEY_fromdata_init(context) == 1 else { return nil }
    // OpenSSL expects numbers in the native byte order.
    var modulus = modulus
    var exponent = exponent
    if 1.littleEndian == 1 {
      modulus.reverse()
      exponent.reverse()
    }
    var key: OpaquePointer?
    let made = unsafe modulus.withUnsafeMutableBufferPointer { modulus in
      unsafe exponent.withUnsafeMutableBufferPointer { exponent in
        // A parameter points to its name, which must outlive this expression, so it is a C
        // constant.
        var parameters = unsafe [
          OSSL_PARAM_construct_BN(
            copenssl_rsa_modulus(), modulus.baseAddress, modulus.count),
          OSSL_PARAM_construct_BN(
            copenssl_rsa_exponent(), exponent.baseAddress, exponent.count),
          OSSL_PARAM_construct_end(),
        ]
        return unsafe EVP_PKEY_fromdata(
          context, &key, copenssl_selects_public_key(), &parameters)
      }
    }
    return unsafe made == 1 ? key : nil
  }
}

/// The ranges of the numbers of an RSA key, without a leading zero.
struct RSANumbers {
  let modulus: Range<Int>
  let exponent: Range<Int>

  /// The algorithm rsaEncryption, with NULL.
  private static let algorithm: [UInt8] = [
    0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
  ]

  init(_ info: [UInt8]) throws(DERReader.Failure) {
    var whole = DERReader(in: 0..<info.count)
    var parts = try whole.contents(.sequence, info)
    try whole.finish()
    guard info[try parts.value(.sequence, info).whole].elementsEqual(Self.algorithm) else {
      throw DERReader.Failure()
    }
    let bits = try parts.bitString(info)
    try parts.finish()
    guard bits.unusedBits == 0 else { throw DERReader.Failure() }
    var content = DERReader(in: bits.octets)
    var numbers = try content.contents(.sequence, info)
    try content.finish()
    modulus = try Self.positive(in: &numbers, info)
    exponent = try Self.positive(in: &numbers, info)
    try numbers.finish()
  }

  private static func positive(
    in numbers: inout DERReader, _ info: [UInt8]
  ) throws(DERReader.Failure) -> Range<Int> {
    let content = try numbers.integer(info).content
    switch info[content.lowerBound] {
    case 0: return content.dropFirst()
    case ..<0x80: return content
    default: throw DERReader.Failure()
    }
  }
}

/// A key on a curve without a point, to be copied.
@safe
private final class CurveTemplate: @unchecked Sendable {
  // Sendable because OpenSSL allows concurrent use of an EVP_PKEY that is not modified
  // (openssl-threads(7)), and this one is only copied.
  private let key: OpaquePointer
  /// The SubjectPublicKeyInfo up to the point, as ``PublicKey/p256Header`` has it.
  let header: [UInt8]

  /// The templates of both curves, without those that OpenSSL could not create.
  static let all: [CurveTemplate] = [
    CurveTemplate("P-256", header: PublicKey.p256Header),
    CurveTemplate(
      "P-384",
      header: [
        0x30, 0x76, 0x30, 0x10, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x05,
        0x2B, 0x81, 0x04, 0x00, 0x22, 0x03, 0x62, 0x00, 0x04,
      ]),
  ].compactMap(\.self)

  private init?(_ name: String, header: [UInt8]) {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    guard unsafe EVP_PKEY_fromdata_init(context) == 1 else { return nil }
    var text = Array(name.utf8CString)
    var key: OpaquePointer?
    let made = unsafe text.withUnsafeMutableBufferPointer { text in
      var parameters = unsafe [
        OSSL_PARAM_construct_utf8_string(copenssl_group_name(), text.baseAddress, 0),
        OSSL_PARAM_construct_end(),
      ]
      return unsafe EVP_PKEY_fromdata(context, &key, copenssl_selects_parameters(), &parameters)
    }
    guard made == 1, let key = unsafe key else { return nil }
    unsafe self.key = key
    self.header = header
  }

  deinit {
    unsafe EVP_PKEY_free(key)
  }

  /// Returns the key with this point, if the point is on the curve and fills the bytes.
  func key(point: [UInt8]) -> OpaquePointer? {
    // The header contains the length of the whole, which leaves this length for the point.
    guard point.count == Int(header[1]) + 2 - (header.count - 1) else { return nil }
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard let copy = unsafe EVP_PKEY_dup(key) else { return nil }
    guard unsafe EVP_PKEY_set1_encoded_public_key(copy, point, point.count) == 1 else {
      unsafe EVP_PKEY_free(copy)
      return nil
    }
    return unsafe copy
  }
}
