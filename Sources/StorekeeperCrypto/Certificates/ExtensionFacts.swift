/// The relevant content of a certificate's extensions.
struct ExtensionFacts: Sendable {
  /// Whether all extensions that OpenSSL parses are well formed, and none is repeated.
  ///
  /// Otherwise OpenSSL refuses to build a chain with the certificate.
  private(set) var areWellFormed = true
  /// Whether basicConstraints says CA:TRUE.
  private(set) var isAuthority = false
  /// The maximum number of authorities below.
  private(set) var pathLength: Int?
  /// The first octet of keyUsage, with the bits of section 4.2.1.3 from the left; nil if absent.
  private(set) var keyUsage: UInt8?
  private(set) var subjectKeyIdentifier: Range<Int>?
  private(set) var authorityKeyIdentifier: AuthorityKeyIdentifier?
  private(set) var hasNameConstraints = false
  /// Whether it is a proxy certificate (RFC 3820), which is refused.
  private(set) var isProxy = false
  /// Whether addresses or autonomous systems are assigned (RFC 3779), which is refused.
  private(set) var assignsResources = false

  /// The identification of an issuer (section 4.2.1.1).
  enum AuthorityKeyIdentifier: Sendable {
    /// Only the key identifier, with its range.
    case key(Range<Int>)
    /// Also name or serial number, with the range of the whole value.
    case other(Range<Int>)
  }

  init(_ extensions: [CertificateExtension], _ bytes: [UInt8]) {
    for (index, found) in extensions.enumerated() {
      let type = bytes[found.type]
      if extensions[..<index].contains(where: { bytes[$0.type].elementsEqual(type) }) {
        areWellFormed = false
      }
      guard let known = ExtensionType(type) else { continue }
      do throws(DERReader.Failure) {
        try read(known, found.value, bytes)
      } catch {
        areWellFormed = false
      }
    }
    // OpenSSL ignores both of two basicConstraints.
    let basic = extensions.count { ExtensionType(bytes[$0.type]) == .basicConstraints }
    if basic > 1 { isAuthority = false }
  }

  private mutating func read(
    _ type: ExtensionType, _ range: Range<Int>, _ bytes: [UInt8]
  ) throws(DERReader.Failure) {
    var value = DERReader(in: range)
    switch type {
    case .basicConstraints: try readBasicConstraints(&value, bytes)
    case .keyUsage: try readKeyUsage(&value, bytes)
    case .subjectKeyIdentifier:
      subjectKeyIdentifier = try value.value(.octetString, bytes).content
    case .authorityKeyIdentifier: try readAuthorityKeyIdentifier(&value, bytes)
    case .nameConstraints:
      hasNameConstraints = true
      try value.checkedByOpenSSL(type, bytes)
    case .subjectAlternativeName, .revocationListPoints, .extendedKeyUsage, .netscapeType:
      try value.checkedByOpenSSL(type, bytes)
    case .proxy:
      isProxy = true
      return
    case .addressBlocks, .autonomousSystems:
      assignsResources = true
      return
    case .policies, .policyMappings, .policyConstraints, .inhibitAnyPolicy: return
    }
    try value.finish()
  }

  /// Reads a SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER OPTIONAL } (section
  /// 4.2.1.9).
  private mutating func readBasicConstraints(
    _ value: inout DERReader, _ bytes: [UInt8]
  ) throws(DERReader.Failure) {
    var parts = try value.contents(.sequence, bytes)
    let isAuthority = try parts.flag(bytes)
    let pathLength = parts.isAtEnd ? nil : try parts.number(bytes)
    try parts.finish()
    self.isAuthority = isAuthority
    guard pathLength.map({ $0 >= 0 }) ?? true else { throw DERReader.Failure() }
    self.pathLength = pathLength
  }

  /// Reads a BIT STRING with at least one bit set (section 4.2.1.3).
  private mutating func readKeyUsage(
    _ value: inout DERReader, _ bytes: [UInt8]
  ) throws(DERReader.Failure) {
    let bits = try value.bitString(bytes)
    guard bytes[bits.octets].prefix(2).contains(where: { $0 != 0 }),
      let first = bits.octets.first
    else { throw DERReader.Failure() }
    keyUsage = bytes[first]
  }

  private mutating func readAuthorityKeyIdentifier(
    _ value: inout DERReader, _ bytes: [UInt8]
  ) throws(DERReader.Failure) {
    var copy = value
    let whole = try copy.value(.sequence, bytes)
    var parts = DERReader(in: whole.content)
    // An empty identifier has no effect.
    if parts.isAtEnd {
      value = copy
      return
    }
    if let key = try parts.optional(.primitive(0), bytes), parts.isAtEnd {
      authorityKeyIdentifier = .key(key.content)
      value = copy
      return
    }
    try value.checkedByOpenSSL(.authorityKeyIdentifier, bytes)
    authorityKeyIdentifier = .other(whole.whole)
  }
}
