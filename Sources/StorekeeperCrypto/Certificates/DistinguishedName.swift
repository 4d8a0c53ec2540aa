internal import CStorekeeperOpenSSL

/// The name of a subject or an issuer (RFC 5280 section 4.1.2.4).
///
/// Names are compared as OpenSSL does: case, repeated spaces and string types do not matter. Names
/// in plain ASCII, such as Apple's, are compared here, others by OpenSSL.
struct DistinguishedName {
  /// The maximum number of attributes; Apple's names have four or five, and OpenSSL is slow with
  /// many.
  private static let maximumCount = 64
  /// The maximum size of a name that OpenSSL compares, in bytes: that of a whole certificate.
  private static let maximumLength = 16 << 10

  let range: Range<Int>

  /// Parses a name.
  init(_ bytes: [UInt8], in reader: inout DERReader) throws(DERReader.Failure) {
    let value = try reader.value(.sequence, bytes)
    range = value.whole
    var names = DERReader(in: value.content)
    var isPlain = true
    var count = 0
    while !names.isAtEnd {
      var attributes = try names.contents(.set, bytes)
      repeat {
        count += 1
        guard count <= Self.maximumCount else { throw DERReader.Failure() }
        var parts = try attributes.contents(.sequence, bytes)
        _ = try parts.objectIdentifier(bytes)
        let tag = parts.nextTag(bytes)
        let text = try parts.value(bytes).content
        try parts.finish()
        // DER does not allow strings in pieces.
        guard let tag, tag == .sequence || tag.rawValue & 0x20 == 0 else {
          throw DERReader.Failure()
        }
        isPlain = isPlain && Self.isPlain(tag, bytes[text])
      } while !attributes.isAtEnd
    }
    guard isPlain || Self.opensslReads(bytes[range]) else { throw DERReader.Failure() }
  }

  /// Returns whether two names are equal.
  static func areEqual(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
    if left.equals(right) { return true }
    guard max(left.count, right.count) <= maximumLength else { return false }
    if let left = canonical(left), let right = canonical(right) { return left == right }
    let areEqual = unsafe withOpenSSL(left) { left in
      unsafe withOpenSSL(right) { right in unsafe X509_NAME_cmp(left, right) == 0 } ?? false
    }
    return areEqual ?? false
  }

  /// Returns whether a string has a common type and consists of printable ASCII.
  private static func isPlain(_ tag: DERTag, _ text: ArraySlice<UInt8>) -> Bool {
    switch tag {
    case .utf8String, .printableString, .ia5String: text.allSatisfy { (0x20...0x7E).contains($0) }
    default: false
    }
  }

  /// Returns the canonical form of a plain name, in which equal names have equal bytes; nil for
  /// others.
  ///
  /// It consists of the types, and of the strings in lower case with spaces trimmed and collapsed.
  private static func canonical(_ name: ArraySlice<UInt8>) -> [UInt8]? {
    let bytes = Array(name)
    do throws(DERReader.Failure) {
      var whole = DERReader(in: 0..<bytes.count)
      var names = try whole.contents(.sequence, bytes)
      var canonical: [UInt8] = []
      while !names.isAtEnd {
        var attributes = try names.contents(.set, bytes)
        var parts = try attributes.contents(.sequence, bytes)
        guard attributes.isAtEnd else { return nil }
        let type = try parts.objectIdentifier(bytes)
        guard let tag = parts.nextTag(bytes) else { return nil }
        let text = bytes[try parts.value(bytes).content]
        guard isPlain(tag, text) else { return nil }
        canonical += bytes[type.whole]
        for (index, word) in text.split(separator: 0x20).enumerated() {
          if index > 0 { canonical.append(0x20) }
          canonical += word.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        }
        // A separator, which occurs in no string.
        canonical.append(0)
      }
      return canonical
    } catch {
      return nil
    }
  }

  private static func opensslReads(_ name: ArraySlice<UInt8>) -> Bool {
    unsafe withOpenSSL(name) { _ in true } ?? false
  }

  private static func withOpenSSL<Result>(
    _ name: ArraySlice<UInt8>, _ body: (OpaquePointer) -> Result
  ) -> Result? {
    let parsed = unsafe parsedDER(Array(name), free: { unsafe X509_NAME_free($0) }) {
      unsafe d2i_X509_NAME(nil, $0, $1)
    }
    guard let parsed = unsafe parsed else { return nil }
    defer { unsafe X509_NAME_free(parsed) }
    return unsafe body(parsed)
  }
}
