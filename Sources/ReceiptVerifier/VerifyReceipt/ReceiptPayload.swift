internal import JSONValues
internal import StorekeeperCrypto

/// A receipt in the form that Apple's server requires: base64 in one line.
///
/// Source: `Documentation/rules/app-store-rules.md`.
struct ReceiptPayload: Sendable {
  let base64: String

  /// Creates a payload from a receipt in base64.
  ///
  /// A text of unknown kind is sent unchanged, if it has the form of base64, and Apple decides.
  init(text: String) throws(ReceiptFailure) {
    let input = try ReceiptInput(text: text)
    switch input.kind {
    case .appReceipt, .transactionReceipt:
      // A text of which nothing was left out is the one that encoding makes, as decoding is strict.
      let isWhole = text.utf8.count == (input.bytes.count + 2) / 3 * 4
      base64 = isWhole ? text : Base64.encode(input.bytes, .standard)
    case .unknown:
      let digits = text.utf8.trimmed.filter { $0 != 0x0A && $0 != 0x0D }
      guard digits.allSatisfy(Self.isDigit) else { throw .inputKind(.unknown) }
      base64 = String(decoding: digits, as: UTF8.self)
    // Apple would answer 21002 to each of these.
    case .xcodeReceipt, .signedData, .doubleBase64, .formMangledBase64, .empty:
      throw .inputKind(input.kind)
    }
  }

  /// Creates a payload from a receipt in DER, or as a property list.
  init(bytes: [UInt8]) throws(ReceiptFailure) {
    let input = try ReceiptInput(bytes: bytes)
    guard input.kind == .appReceipt || input.kind == .transactionReceipt else {
      throw .inputKind(input.kind)
    }
    base64 = Base64.encode(input.bytes, .standard)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "+/=".utf8.contains(byte)
  }
}
