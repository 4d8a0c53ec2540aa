internal import StorekeeperCrypto

/// Something that a client sent in the place of a receipt, recognised and decoded from base64.
///
/// Nothing of it is believed.
///
/// Source: contract on signed data, sections 6.1 and 6.2 (step 0).
public struct ReceiptInput: Hashable, Sendable {
  /// What it is, by its first bytes.
  public let kind: ReceiptKind
  /// The bytes, decoded from base64 where that made sense for the kind.
  let bytes: [UInt8]

  /// Recognises a text.
  ///
  /// Line breaks and white space around the text are left out; white space inside it shows that a
  /// form mangled it.
  ///
  /// - Parameter text: A receipt in base64, or whatever was sent in its place.
  /// - Throws: ``ReceiptFailure/tooLarge(limit:)`` and, when it looks like a receipt,
  ///   ``ReceiptFailure/badEncoding``.
  public init(text: String) throws(ReceiptFailure) {
    try self.init(text: Array(text.utf8)[...])
  }

  /// Recognises bytes: a receipt in DER or BER, or a text in UTF-8.
  ///
  /// - Parameter bytes: A receipt, or whatever was sent in its place.
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
    // Base64 takes four thirds; broken into lines of 64, a little more.
    guard text.count <= ReceiptLimits.size / 2 * 3 else {
      throw .tooLarge(limit: ReceiptLimits.size)
    }
    let text = text.trimmed
    // A property list itself, not in base64.
    if text.first == UInt8(ascii: "{") {
      guard text.count <= ReceiptLimits.size else { throw .tooLarge(limit: ReceiptLimits.size) }
      self.init(kind: .transactionReceipt, bytes: Array(text))
      return
    }
    let marks = text.span.marks
    let digits = marks.hasLineBreaks ? text.filter { $0 != 0x0A && $0 != 0x0D }[...] : text
    let apparentKind = ReceiptKind(text: digits, marks)
    guard apparentKind.isBase64OfBytes else {
      self.init(kind: apparentKind, bytes: Array(digits))
      return
    }
    guard let decoded = Base64.decode(digits, .standard) else {
      guard apparentKind == .unknown else { throw .badEncoding }
      self.init(kind: .unknown, bytes: Array(digits))
      return
    }
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

extension ReceiptKind {
  /// The kind of bytes that are no text: a message in DER or BER, or a property list.
  init?(binary bytes: [UInt8]) {
    switch (bytes.first, bytes.dropFirst().first) {
    case (0x30, 0x80): self = .xcodeReceipt
    // A text that begins with "0" has a second character; a length below 0x80 is no receipt.
    case (0x30, let length?) where length > 0x80: self = .appReceipt
    case (UInt8(ascii: "{"), _): self = .transactionReceipt
    default: return nil
    }
  }

  /// The kind of a text without line breaks, by its first characters and by marks inside it.
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

  /// Whether the text stands for bytes that are to be looked at.
  fileprivate var isBase64OfBytes: Bool {
    switch self {
    case .appReceipt, .xcodeReceipt, .transactionReceipt, .unknown: true
    case .signedData, .doubleBase64, .formMangledBase64, .empty: false
    }
  }
}

/// Characters that tell texts apart.
private struct TextMarks {
  var hasLineBreaks = false
  var hasFormMarks = false
  var dots = 0
}

extension Span<UInt8> {
  /// What of them is in a text, found in one pass, as texts are long.
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

extension ArraySlice<UInt8> {
  /// Without white space at both ends.
  fileprivate var trimmed: ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let start = drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return start.prefix(0) }
    return start[...last]
  }
}
