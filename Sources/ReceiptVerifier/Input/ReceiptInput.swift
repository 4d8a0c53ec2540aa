internal import StorekeeperCrypto

/// Unverified input that a client sent as a receipt, with its kind and decoded from base64.
///
/// Source: `Documentation/rules/app-store-rules.md`.
public struct ReceiptInput: Hashable, Sendable {
  /// The kind of the input, by its first bytes.
  public let kind: ReceiptKind
  /// The bytes, decoded from base64 where the kind calls for it.
  let bytes: [UInt8]

  /// Recognizes the kind of a text.
  ///
  /// Line breaks and surrounding white space are ignored. White space inside shows that a form
  /// mangled the text.
  ///
  /// - Parameter text: A receipt in base64, or any other text that was sent instead.
  /// - Throws: ``ReceiptFailure/tooLarge(limit:)`` and, when it looks like a receipt,
  ///   ``ReceiptFailure/badEncoding``.
  public init(text: String) throws(ReceiptFailure) {
    // Most texts are what they look like; only the others need a copy, and a look at every character.
    if text.utf8.count <= ReceiptLimits.textSize, text.utf8.starts(with: "MI".utf8),
      let decoded = Base64.decode(text, .standard)
    {
      try self.init(decoded: decoded)
      return
    }
    try self.init(text: Array(text.utf8)[...])
  }

  /// Recognizes the kind of bytes: a receipt in DER or BER, or a text in UTF-8.
  ///
  /// - Parameter bytes: A receipt, or any other bytes that were sent instead.
  /// - Throws: ``ReceiptFailure/tooLarge(limit:)`` and, when it looks like a receipt in base64,
  ///   ``ReceiptFailure/badEncoding``.
  public init(bytes: [UInt8]) throws(ReceiptFailure) {
    guard let kind = ReceiptKind(binary: bytes) else {
      try self.init(text: bytes[...])
      return
    }
    guard bytes.count <= ReceiptLimits.size else { throw .tooLarge(limit: ReceiptLimits.size) }
    self.init(kind: kind, bytes: bytes)
  }

  private init(kind: ReceiptKind, bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  private init(text: ArraySlice<UInt8>) throws(ReceiptFailure) {
    guard text.count <= ReceiptLimits.textSize else {
      throw .tooLarge(limit: ReceiptLimits.size)
    }
    let text = text.trimmed
    // A property list that is not in base64.
    if text.first == UInt8(ascii: "{") {
      guard text.count <= ReceiptLimits.size else { throw .tooLarge(limit: ReceiptLimits.size) }
      self.init(kind: .transactionReceipt, bytes: Array(text))
      return
    }
    if text.starts(with: "MI".utf8), let decoded = Base64.decode(text, .standard) {
      try self.init(decoded: decoded)
      return
    }
    let (apparentKind, digits) = ReceiptKind.apparent(in: text)
    guard apparentKind.isBase64OfBytes else {
      self.init(kind: apparentKind, bytes: Array(digits))
      return
    }
    guard let decoded = Base64.decode(digits, .standard) else {
      guard apparentKind == .unknown else { throw .badEncoding }
      self.init(kind: .unknown, bytes: Array(digits))
      return
    }
    try self.init(decoded: decoded)
  }

  private init(decoded: [UInt8]) throws(ReceiptFailure) {
    guard decoded.count <= ReceiptLimits.size else { throw .tooLarge(limit: ReceiptLimits.size) }
    self.init(kind: ReceiptKind(binary: decoded) ?? .unknown, bytes: decoded)
  }
}

extension ReceiptInput: CustomStringConvertible, CustomReflectable {
  /// The kind and the size, never the bytes.
  public var description: String { "\(kind.rawValue), \(bytes.count) bytes" }
  /// The kind only.
  public var customMirror: Mirror { Mirror(self, children: ["kind": kind]) }
}

/// The kind of input that a client sent as a receipt, by its first bytes.
///
/// The kind only selects the verifier and the error message; it proves nothing.
///
/// Source: `Documentation/rules/app-store-rules.md`.
public enum ReceiptKind: String, Hashable, Sendable, CaseIterable {
  /// An app receipt from Apple: PKCS #7 in DER, as base64 or as bytes.
  case appReceipt
  /// An app receipt from Xcode or StoreKit Test: PKCS #7 in BER of indefinite length.
  case xcodeReceipt
  /// A transaction receipt of iOS 6 and earlier: a property list.
  case transactionReceipt
  case signedData
  case doubleBase64
  /// Base64 in which a form or a URL turned `+` into a space or `%2B`.
  case formMangledBase64
  case empty
  case unknown
}

extension ReceiptKind {
  /// Returns whether a text has the form of a compact JWS; nothing is decoded.
  package static func isSignedData(_ text: String) -> Bool {
    apparent(in: Array(text.utf8)[...].trimmed).kind == .signedData
  }

  /// Returns the kind of a text by its form, and the text without line breaks.
  fileprivate static func apparent(
    in text: ArraySlice<UInt8>
  ) -> (kind: ReceiptKind, digits: ArraySlice<UInt8>) {
    let marks = text.span.marks
    let digits = marks.hasLineBreaks ? text.filter { $0 != 0x0A && $0 != 0x0D }[...] : text
    return (ReceiptKind(text: digits, marks), digits)
  }

  /// Creates the kind of binary input: a message in DER or BER, or a property list.
  init?(binary bytes: [UInt8]) {
    switch (bytes.first, bytes.dropFirst().first) {
    case (0x30, 0x80): self = .xcodeReceipt
    // In a text that begins with "0", the second byte is below 0x80, which is no receipt's length.
    case (0x30, let length?) where length > 0x80: self = .appReceipt
    case (UInt8(ascii: "{"), _): self = .transactionReceipt
    default: return nil
    }
  }

  /// Creates the kind of a text without line breaks, by its first characters and its marks.
  fileprivate init(text: ArraySlice<UInt8>, _ marks: TextMarks) {
    if text.isEmpty {
      self = .empty
    } else if marks.hasFormMarks {
      self = .formMangledBase64
    } else if text.starts(with: "eyJ".utf8), marks.dots == 2 {
      self = .signedData
    } else if ["TUl", "ZXdv", "ZXlK"].contains(where: { text.starts(with: $0.utf8) }) {
      self = .doubleBase64
    } else if text.starts(with: "MIAG".utf8) {
      self = .xcodeReceipt
    } else if text.starts(with: "MI".utf8) {
      self = .appReceipt
    } else if text.starts(with: "ewo".utf8) {
      self = .transactionReceipt
    } else {
      self = .unknown
    }
  }

  /// Whether the text is decoded, to recognize the bytes.
  fileprivate var isBase64OfBytes: Bool {
    switch self {
    case .appReceipt, .xcodeReceipt, .transactionReceipt, .unknown: true
    case .signedData, .doubleBase64, .formMangledBase64, .empty: false
    }
  }
}

/// The characters of a text that tell its kind.
private struct TextMarks {
  var hasLineBreaks = false
  var hasFormMarks = false
  var dots = 0
}

extension Span<UInt8> {
  /// The marks in a text, found in one pass because texts are long.
  fileprivate var marks: TextMarks {
    var marks = TextMarks()
    for index in indices {
      switch self[index] {
      case 0x0A, 0x0D: marks.hasLineBreaks = true
      case UInt8(ascii: " "), UInt8(ascii: "%"): marks.hasFormMarks = true
      case UInt8(ascii: "."): marks.dots += 1
      default: break
      }
    }
    return marks
  }
}

extension BidirectionalCollection<UInt8> {
  /// The collection without surrounding white space.
  var trimmed: SubSequence {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let start = drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return start.prefix(0) }
    return start[...last]
  }
}

/// The limits on input before it is verified.
enum ReceiptLimits {
  /// The maximum size of a receipt in bytes; the largest genuine one seen has 79,104.
  static let size = 1 << 20
  /// The maximum size of a receipt as text: base64 takes four thirds, and a little more in lines of 64.
  static let textSize = size / 2 * 3
  /// The maximum number of embedded certificates.
  static let certificates = 10
  /// The maximum size of a certificate in bytes.
  static let certificateSize = 1 << 14
  /// The maximum time by which a creation date may be ahead of our clock, in seconds.
  static let clockLeeway = 300.0
}
