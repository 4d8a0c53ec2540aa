/// What the extensions of a certificate say, as far as it decides anything.
struct ExtensionFacts: Sendable {
  /// Whether all that OpenSSL looks into have their form, and none comes twice.
  ///
  /// With a certificate of which this is not so, OpenSSL builds no chain.
  private(set) var areWellFormed = true
  /// Whether basicConstraints says CA:TRUE.
  private(set) var isAuthority = false
  /// How many authorities may follow below.
  private(set) var pathLength: Int?
  /// The first octet of keyUsage, which has the bits of section 4.2.1.3 from the left; nil without.
  private(set) var keyUsage: UInt8?
  /// The identifier of the key.
  private(set) var subjectKeyIdentifier: Range<Int>?
  /// What the issuer's key is identified by.
  private(set) var authorityKeyIdentifier: AuthorityKeyIdentifier?
  /// Whether names below are limited.
  private(set) var hasNameConstraints = false
  /// Whether it is a proxy certificate (RFC 3820), which nobody accepts.
  private(set) var isProxy = false
  /// Whether addresses or autonomous systems are assigned (RFC 3779), which nobody checks.
  private(set) var assignsResources = false

  /// How a certificate identifies its issuer (section 4.2.1.1).
  enum AuthorityKeyIdentifier: Sendable {
    /// By the identifier of its key alone.
    case key(Range<Int>)
    /// By name and number too: where the whole value stands.
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
    // Said twice, nothing is said: OpenSSL takes neither.
    let basic = extensions.count { ExtensionType(bytes[$0.type]) == .basicConstraints }
    if basic > 1 { isAuthority = false }
  }

  private mutating func read(
    _ type: ExtensionType, _ place: Range<Int>, _ bytes: [UInt8]
  ) throws(DERReader.Failure) {
    var value = DERReader(in: place)
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

  /// A SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER OPTIONAL } (section 4.2.1.9).
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

  /// A BIT STRING in which some bit is set (section 4.2.1.3).
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
    // Without any part it says nothing.
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
