internal import StorekeeperCrypto

/// A receipt in the form in which Apple's server wants it: base64 in one line.
///
/// Source: contract on signed data, sections 5.1 and 6.1.
struct ReceiptPayload: Sendable {
  let base64: String

  /// Takes a receipt in base64.
  ///
  /// A text of no known kind is sent as it is, if it has the form of base64: Apple judges it.
  init(text: String) throws(ReceiptFailure) {
    let input = try ReceiptInput(text: text)
    switch input.kind {
    case .appReceipt, .transactionReceipt: base64 = Base64.encode(input.bytes, .standard)
    case .unknown:
      let digits = text.utf8.trimmed.filter { $0 != 0x0A && $0 != 0x0D }
      guard digits.allSatisfy(Self.isDigit) else { throw .inputKind(.unknown) }
      base64 = String(decoding: digits, as: UTF8.self)
    // Apple answers 21002 to a receipt of Xcode, and to all others.
    case .xcodeReceipt, .signedData, .doubleBase64, .formMangledBase64, .empty:
      throw .inputKind(input.kind)
    }
  }

  /// Takes a receipt in DER, or as a property list.
  init(bytes: [UInt8]) throws(ReceiptFailure) {
    let input = try ReceiptInput(bytes: bytes)
    guard input.kind == .appReceipt || input.kind == .transactionReceipt else {
      throw .inputKind(input.kind)
    }
    base64 = Base64.encode(input.bytes, .standard)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
      UInt8(ascii: "="):
      true
    default: false
    }
  }
}

extension String.UTF8View {
  /// Without white space at both ends.
  fileprivate var trimmed: Substring.UTF8View {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let start = drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return start.prefix(0) }
    return start[...last]
  }
}
