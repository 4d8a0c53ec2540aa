internal import OrderPolicy
internal import ReceiptModels

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The rules for texts that can be stored, the same in every store.
///
/// Source: `Documentation/rules/linking-rules.md`.
package enum StoredText {
  /// The kind of a text, which determines its length and characters.
  package enum Shape: Hashable, Sendable, CaseIterable {
    /// An identifier of a transaction: 1 to 64 digits for Apple, a word and a text for Google.
    case transactionID
    /// An identifier of an account or of a row: 1 to 128 visible ASCII characters.
    case accountID
    /// An opaque identifier of a user: 1 to 128 bytes.
    case userID
    /// A worker's token: 1 to 64 visible ASCII characters.
    case token
    /// The key of a notification: 1 to 255 bytes.
    case notificationKey
    /// The name of a job: 1 to 100 bytes.
    case job
    /// The place of a job: at most 255 bytes.
    case place
    /// A revision of a history, or a token of a question: 1 to 2,048 bytes.
    case revision
    /// A word of the App Store: 1 to 255 bytes.
    case word
    /// An answer of ours in JSON: 1 to 65,535 bytes, which MariaDB takes.
    case answer
    /// A product: 1 to 255 bytes.
    case productID
    /// Any other text: at most 1,024 bytes.
    case other
    /// A receipt in base64: 1 byte to 8 MiB.
    case receipt
    /// The evidence of an order: 1 byte to 1 MiB.
    case orderReceipt
    /// A compact JWS: 1 byte to 256 KiB.
    case signedPayload
    /// An identifier of a credit product's transaction, which is opaque text: 1 to 200 bytes.
    case creditTransactionID
    /// An environment that need not be one of the App Store's, or a kind of entries in a ledger: 1 to 64
    /// bytes.
    case kind
    /// The code of a country or a currency: 1 to 8 bytes.
    case code
    /// The key of a source of figures: 1 to 512 bytes.
    case source
    /// The identity of a buyer of starter packs: 1 to 1,024 bytes.
    case identity
    /// Details of a booking in JSON: 2 bytes to 64 KiB.
    case metadata

    /// The possible numbers of bytes in UTF-8.
    package var lengths: ClosedRange<Int> {
      switch self {
      case .transactionID: 1...TransactionIDs.maximumStoredLength
      case .accountID, .userID: 1...AccountID.maximumLength
      case .token: 1...64
      case .job: 1...100
      case .notificationKey, .productID, .word: 1...255
      case .place: 0...255
      case .revision: 1...2048
      case .answer: 1...65_535
      case .other: 0...1024
      case .receipt: 1...(8 << 20)
      case .orderReceipt: SubscriptionOrder.receiptLengths
      case .signedPayload: 1...(256 << 10)
      case .creditTransactionID: 1...200
      case .kind: 1...64
      case .code: 1...8
      case .source: 1...512
      case .identity: 1...1024
      case .metadata: 2...(64 << 10)
      }
    }
  }

  /// Whether the text has the shape; a text with a zero byte has no shape.
  package static func fits(_ text: String, _ shape: Shape) -> Bool {
    guard shape.lengths.contains(text.utf8.count) else { return false }
    switch shape {
    case .transactionID: return TransactionIDs.areStorable(text)
    case .accountID, .token: return text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    case .userID, .notificationKey, .job, .place, .revision, .word, .answer, .productID, .other,
      .receipt, .orderReceipt, .signedPayload, .creditTransactionID, .kind, .code, .source,
      .identity, .metadata:
      return !text.hasZeroByte
    }
  }
}

extension String {
  /// Whether the text contains a zero byte, which C libraries take for its end.
  package var hasZeroByte: Bool {
    var text = self
    return text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return false }
      return unsafe memchr(start, 0, bytes.count) != nil
    }
  }
}
