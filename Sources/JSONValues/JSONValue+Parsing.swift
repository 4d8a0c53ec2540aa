extension JSONValue {
  /// An error in JSON text.
  @nonexhaustive
  public enum SyntaxFailure: Error, Hashable, Sendable {
    /// The byte breaks the grammar of RFC 8259, or the text ends there too early.
    case unexpectedByte(offset: Int)
    /// A string is not UTF-8, or escapes half of a surrogate pair.
    ///
    /// The offset is that of the byte after the quotation mark, or that of the escape.
    case invalidString(offset: Int)
    /// A number is outside the range of `Double`.
    case numberOutOfRange(offset: Int)
    /// Arrays and objects are nested too deeply.
    case tooDeep(limit: Int)
    /// The name of a member is longer than the limit.
    case nameTooLong(offset: Int, limit: Int)

    /// The offset of the first byte at fault.
    package var offset: Int {
      switch self {
      case .unexpectedByte(let offset), .invalidString(let offset), .numberOutOfRange(let offset),
        .nameTooLong(let offset, _):
        offset
      case .tooDeep: 0
      }
    }
  }

  /// The maximum depth of nested arrays and objects.
  public static let maximumDepth = 64

  /// The maximum length of a member name, in bytes of UTF-8.
  ///
  /// The time to hash a string grows with the square of a run of combining marks, so names must be
  /// short. Apple's have a few dozen bytes at most.
  public static let maximumNameLength = 128

  /// Creates a value from JSON text.
  ///
  /// Only white space may surround the text. Byte-order marks, trailing commas, comments and
  /// invalid UTF-8 are errors. The first of duplicate members of an object is kept and the others
  /// are dropped, as in Foundation's `JSONDecoder`. Nesting is limited to ``maximumDepth``, and
  /// names to ``maximumNameLength``. The caller limits the size.
  ///
  /// Foundation's decoder is not used, because one reader has to find the signing date before the
  /// signature is verified and fill the model afterwards, keep unknown members, and limit the depth.
  /// Decoding the same model with Foundation takes about as long as verifying the signature.
  ///
  /// Source: RFC 8259.
  ///
  /// - Parameter bytes: The text in UTF-8.
  /// - Throws: ``SyntaxFailure``, with the offset in bytes.
  public init(parsing bytes: [UInt8]) throws(SyntaxFailure) {
    let text = try JSONText(checking: bytes, within: .values)
    self = text.value(at: text.root)
  }

  /// Returns the members of a JSON object, or nil for any other text and if two have the same name.
  ///
  /// Source: RFC 7515 section 4, RFC 7519 section 4.
  package static func uniqueMembers(of bytes: [UInt8]) -> [String: JSONValue]? {
    guard let text = try? JSONText(checking: bytes, within: .values),
      case .object(let members) = text.value(at: text.root),
      Array(text.members(at: text.root)).count == members.count
    else { return nil }
    return members
  }
}
