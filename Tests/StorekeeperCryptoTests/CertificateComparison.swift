import StorekeeperCertificateJudge

#if FUZZING
  @testable import StorekeeperCrypto
#else
  import StorekeeperCrypto
#endif

/// The comparison of our certificate parser with OpenSSL's X509 functions, which are the reference.
///
/// Our parser never accepts a certificate that OpenSSL refuses. It accepts all others, except for
/// deliberately unsupported parts, which `judge.c` detects with OpenSSL.
struct CertificateComparison {
  /// A certificate as parsed by both.
  @safe
  final class Reading {
    let der: [UInt8]
    fileprivate let ours: Certificate?
    fileprivate let judged: OpaquePointer?

    init(_ der: [UInt8]) {
      self.der = der
      ours = Certificate(der: der)
      unsafe judged = judge_read(der, der.count)
    }

    deinit {
      unsafe judge_free(judged)
    }

    fileprivate var hasRegularExtensions: Bool {
      unsafe judged.map { unsafe judge_has_regular_extensions($0) == 1 } ?? false
    }

    fileprivate var hasUsualSignature: Bool {
      unsafe judged.map { unsafe judge_has_usual_signature($0) == 1 } ?? false
    }
  }

  /// Returns the first difference in the parsed certificate, or nil.
  static func difference(reading der: [UInt8]) -> String? {
    difference(in: Reading(der))
  }

  /// Returns the first difference in the verdict on a link, or in its parsed certificates, or nil.
  static func difference(issuing subject: [UInt8], by issuer: [UInt8], level: Int) -> String? {
    difference(issuing: Reading(subject), by: Reading(issuer), level: level)
  }

  /// Returns the first difference in the verdict on a link of parsed certificates, or nil.
  static func difference(issuing subject: Reading, by issuer: Reading, level: Int) -> String? {
    if let difference = difference(in: subject) ?? difference(in: issuer) { return difference }
    guard let ours = subject.ours, let ourIssuer = issuer.ours else { return nil }
    let judgement = unsafe judge_issued(subject.judged, issuer.judged, Int32(level))
    do throws(Certificate.IssuanceFailure) {
      try ours.checkIssued(by: ourIssuer, securityLevel: level)
      return judgement == 0 ? nil : "issued, but OpenSSL says \(judgement)"
    } catch {
      guard judgement == 0 else { return nil }
      let isOnPurpose =
        subject.der == issuer.der
        || [subject, issuer].contains { !$0.hasRegularExtensions || !$0.hasUsualSignature }
      return isOnPurpose ? nil : "not issued (\(error)), but OpenSSL says it is"
    }
  }

  private static func difference(in reading: Reading) -> String? {
    let der = reading.der
    guard let judged = unsafe reading.judged else {
      return reading.ours == nil ? nil : "read, but not by OpenSSL"
    }
    guard let ours = reading.ours else {
      let isFault = unsafe judge_is_regular(judged, der, der.count) == 1
      return isFault ? "not read, but OpenSSL does" : nil
    }
    var facts = JudgedFacts()
    unsafe judge_facts(judged, &facts)
    let key: Int32 =
      switch ours.publicKey?.kind {
      case nil: 0
      case .rsa: 1
      case .p256: 2
      case .p384: 3
      case .ed25519, .other: 4
      }
    let validity = Certificate.Validity(
      notBefore: Int(facts.not_before), notAfter: Int(facts.not_after))
    if ours.validity != validity { return "validity \(ours.validity)" }
    if key != facts.key { return "kind of key \(key), \(facts.key)" }
    if ours.hasNameConstraints != (facts.has_name_constraints == 1) { return "name constraints" }
    let critical = unsafe withUnsafeBytes(of: facts.critical) { unsafe text($0) }
    if ours.unknownCriticalExtension(besides: []) ?? "" != critical {
      return "critical \(critical)"
    }
    let serial = unsafe withUnsafeBytes(of: facts.serial) { unsafe text($0) }.drop { $0 == "0" }
    if !serial.isEmpty, serial.count < 128, ours.serialNumber != serial {
      return "serial \(serial)"
    }
    guard ours.isWellFormed else {
      let isFault = facts.is_well_formed == 1 && reading.hasRegularExtensions
      return isFault ? "an extension is not well-formed, but OpenSSL finds no fault" : nil
    }
    guard facts.is_well_formed == 1 || ours.isOfUnsupportedKind else {
      return "the extensions are well-formed, but not for OpenSSL"
    }
    guard facts.is_well_formed == 1 else { return nil }
    if ours.isAuthority != (facts.is_authority == 1) { return "authority" }
    if ours.maySignCertificates != (facts.may_sign == 1) { return "key usage" }
    if ours.pathLength ?? -1 != Int(facts.path_length) { return "path length" }
    return nil
  }

  private static func text(_ characters: UnsafeRawBufferPointer) -> String {
    unsafe String(decoding: characters.prefix { $0 != 0 }, as: UTF8.self)
  }
}
