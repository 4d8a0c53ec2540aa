/// Where the parts of a certificate stand (RFC 5280 section 4.1).
///
/// Read from DER only, without recursion and without looking into what is not needed: OpenSSL's own
/// reader looks for the kind of each key in all its decoders, which costs more than most signatures.
struct CertificateOutline: Sendable {
  /// What the issuer signed, exactly.
  let signedPart: Range<Int>
  let serialNumber: DERValue
  /// The algorithm of the signature as it is signed.
  let signedAlgorithm: Range<Int>
  let issuer: Range<Int>
  let validity: Certificate.Validity
  let subject: Range<Int>
  let keyInfo: Range<Int>
  let extensions: [CertificateExtension]
  /// The algorithm of the signature as it stands beside it.
  let algorithm: Range<Int>
  let signature: DERBitString

  /// Larger ones than this are nobody's.
  private static let sizeLimit = 1 << 16

  /// Reads a certificate that fills the bytes.
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
    issuer = try DistinguishedName(bytes, in: &fields).place
    validity = try fields.validity(bytes)
    subject = try DistinguishedName(bytes, in: &fields).place
    keyInfo = try fields.keyInfo(bytes)
    let identifiers = fields
    for number: UInt8 in 1...2 where fields.nextTag(bytes) == .primitive(number) {
      _ = try fields.bitString(bytes, tag: .primitive(number))
    }
    // Unique identifiers came with version 2 (section 4.1.2.8), extensions with version 3 (4.1.2.9).
    guard version > 1 || fields.nextTag(bytes) == identifiers.nextTag(bytes) else {
      throw DERReader.Failure()
    }
    extensions = version == 3 ? try fields.extensions(bytes) : []
    try fields.finish()
  }
}

/// One extension (section 4.1.2.9).
struct CertificateExtension: Sendable {
  /// The numbers of its type, without tag and length.
  let type: Range<Int>
  let isCritical: Bool
  /// What is inside its octets.
  let value: Range<Int>
}

extension DERReader {
  /// The version as people say it: 1 when there is none.
  fileprivate mutating func version(_ bytes: [UInt8]) throws(Failure) -> Int {
    guard nextTag(bytes) == .constructed(0) else { return 1 }
    var explicit = try contents(.constructed(0), bytes)
    let number = try explicit.number(bytes)
    try explicit.finish()
    guard (1...2).contains(number) else { throw Failure() }
    return number + 1
  }

  /// An AlgorithmIdentifier (section 4.1.1.2), as far as anybody here knows one: without parameters, or
  /// with NULL, a type or a sequence.
  fileprivate mutating func algorithm(_ bytes: [UInt8]) throws(Failure) -> Range<Int> {
    let whole = try value(.sequence, bytes)
    var parts = DERReader(in: whole.content)
    // OpenSSL reads no key whose algorithm it cannot write out; known ones have some ten bytes.
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
      // Apple's have nine; comparing each with each shall cost nothing.
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
