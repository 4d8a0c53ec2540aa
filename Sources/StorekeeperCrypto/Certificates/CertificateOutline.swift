/// The ranges of the parts of a certificate (RFC 5280 section 4.1).
///
/// The certificate must be in DER and is parsed without recursion, only as far as needed. OpenSSL's
/// parser searches all its decoders for the kind of each key, which costs more than most
/// signatures.
struct CertificateOutline: Sendable {
  /// The exact bytes that the issuer signed.
  let signedPart: Range<Int>
  let serialNumber: DERValue
  let signedAlgorithm: Range<Int>
  let issuer: Range<Int>
  let validity: Certificate.Validity
  let subject: Range<Int>
  let keyInfo: Range<Int>
  let extensions: [CertificateExtension]
  let algorithm: Range<Int>
  let signature: DERBitString

  private static let sizeLimit = 1 << 16

  /// Parses a certificate that fills the bytes.
  init(_ bytes: [UInt8]) throws(DERReader.Failure) {
    guard bytes.count <= Self.sizeLimit else { throw DERReader.Failure() }
    var whole = DERReader(in: 0..<bytes.count)
    var parts = try whole.contents(.sequence, bytes)
    try whole.finish()
    let signedPart = try parts.value(.sequence, bytes)
    self.signedPart = signedPart.whole
    algorithm = try parts.algorithm(bytes)
    signature = try parts.bitString(bytes)
    try parts.finish()

    var fields = DERReader(in: signedPart.content)
    let version = try fields.version(bytes)
    serialNumber = try fields.integer(bytes)
    signedAlgorithm = try fields.algorithm(bytes)
    issuer = try DistinguishedName(bytes, in: &fields).range
    validity = try fields.validity(bytes)
    subject = try DistinguishedName(bytes, in: &fields).range
    keyInfo = try fields.keyInfo(bytes)
    let identifiers = fields
    for number: UInt8 in 1...2 where fields.nextTag(bytes) == .primitive(number) {
      _ = try fields.bitString(bytes, tag: .primitive(number))
    }
    // Unique identifiers require version 2 (section 4.1.2.8), extensions version 3 (4.1.2.9).
    guard version > 1 || fields.nextTag(bytes) == identifiers.nextTag(bytes) else {
      throw DERReader.Failure()
    }
    extensions = version == 3 ? try fields.extensions(bytes) : []
    try fields.finish()
  }
}

/// An extension (section 4.1.2.9).
struct CertificateExtension: Sendable {
  let type: Range<Int>
  let isCritical: Bool
  let value: Range<Int>
}

extension DERReader {
  /// Reads the version, from 1 to 3; 1 if it is absent.
  fileprivate mutating func version(_ bytes: [UInt8]) throws(Failure) -> Int {
    guard nextTag(bytes) == .constructed(0) else { return 1 }
    var explicit = try contents(.constructed(0), bytes)
    let number = try explicit.number(bytes)
    try explicit.finish()
    guard (1...2).contains(number) else { throw Failure() }
    return number + 1
  }

  /// Reads an AlgorithmIdentifier (section 4.1.1.2) without parameters, or with NULL, an object
  /// identifier or a sequence.
  fileprivate mutating func algorithm(_ bytes: [UInt8]) throws(Failure) -> Range<Int> {
    let whole = try value(.sequence, bytes)
    var parts = DERReader(in: whole.content)
    // OpenSSL refuses keys whose algorithm it cannot print; known identifiers have about ten bytes.
    guard try parts.objectIdentifier(bytes).content.count <= 64 else { throw Failure() }
    switch parts.nextTag(bytes) {
    case nil: break
    case .objectIdentifier: _ = try parts.objectIdentifier(bytes)
    case .sequence: _ = try parts.value(bytes)
    case .null:
      guard try parts.value(bytes).content.isEmpty else { throw Failure() }
    default: throw Failure()
    }
    try parts.finish()
    return whole.whole
  }

  fileprivate mutating func keyInfo(_ bytes: [UInt8]) throws(Failure) -> Range<Int> {
    let whole = try value(.sequence, bytes)
    var parts = DERReader(in: whole.content)
    _ = try parts.algorithm(bytes)
    _ = try parts.bitString(bytes)
    try parts.finish()
    return whole.whole
  }

  fileprivate mutating func validity(
    _ bytes: [UInt8]
  ) throws(Failure) -> Certificate.Validity {
    var ends = try contents(.sequence, bytes)
    let notBefore = try ends.time(bytes)
    let notAfter = try ends.time(bytes)
    try ends.finish()
    return Certificate.Validity(notBefore: notBefore, notAfter: notAfter)
  }

  fileprivate mutating func extensions(
    _ bytes: [UInt8]
  ) throws(Failure) -> [CertificateExtension] {
    guard nextTag(bytes) == .constructed(3) else { return [] }
    var explicit = try contents(.constructed(3), bytes)
    var list = try explicit.contents(.sequence, bytes)
    try explicit.finish()
    var extensions: [CertificateExtension] = []
    while !list.isAtEnd {
      // Apple's certificates have nine; the limit bounds the comparison of each with each.
      guard extensions.count < 64 else { throw Failure() }
      var parts = try list.contents(.sequence, bytes)
      let type = try parts.objectIdentifier(bytes)
      let isCritical = try parts.flag(bytes)
      let value = try parts.value(.octetString, bytes)
      try parts.finish()
      extensions.append(
        CertificateExtension(type: type.content, isCritical: isCritical, value: value.content))
    }
    return extensions
  }
}
