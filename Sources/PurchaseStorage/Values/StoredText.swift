package import ReceiptModels

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What a text must be to be stored, the same in every store.
///
/// Source: contract on linking, sections 1.1, 1.2, 1.3 and 4.5.
package enum StoredText {
  /// What a text is, and with it how long it may be.
  package enum Shape: Hashable, Sendable, CaseIterable {
    /// An identifier of a transaction: 1 to 64 digits.
    case transactionID
    /// An identifier of an account or of a row: 1 to 128 visible ASCII characters.
    case accountID
    /// A worker's token: 1 to 64 visible ASCII characters.
    case token
    /// What tells a notification from another: 1 to 255 bytes.
    case notificationKey
    /// A product: 1 to 255 bytes.
    case productID
    /// Any other text: at most 1,024 bytes.
    case other
    /// A receipt in base64: 1 byte to 8 MiB.
    case receipt
    /// A compact JWS: 1 byte to 256 KiB.
    case signedPayload

    /// How many bytes of UTF-8 it may have.
    package var lengths: ClosedRange<Int> {
      switch self {
      case .transactionID: 1...TransactionIDs.maximumLength
      case .accountID: 1...AccountID.maximumLength
      case .token: 1...64
      case .notificationKey, .productID: 1...255
      case .other: 0...1024
      case .receipt: 1...(8 << 20)
      case .signedPayload: 1...(256 << 10)
      }
    }
  }

  /// Whether the text has the shape; one with a zero byte has none.
  package static func fits(_ text: String, _ shape: Shape) -> Bool {
    guard shape.lengths.contains(text.utf8.count) else { return false }
    switch shape {
    case .transactionID: return TransactionIDs.areDigits(text)
    case .accountID, .token: return text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    case .notificationKey, .productID, .other, .receipt, .signedPayload: return !text.hasZeroByte
    }
  }

  /// Throws unless the text has the shape.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field.
  package static func check(
    _ field: String, _ text: String, _ shape: Shape
  ) throws(StorageFailure) {
    guard fits(text, shape) else { throw .invalidValue(field: field) }
  }

  /// Throws unless there is no text, or one that has the shape.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field.
  package static func check(
    _ field: String, _ text: String?, _ shape: Shape
  ) throws(StorageFailure) {
    if let text { try check(field, text, shape) }
  }

  /// Throws unless the environment is one of the two whose purchases are stored.
  ///
  /// - Throws: `StorageFailure.invalidValue` with `environment`.
  package static func check(_ environment: AppStoreEnvironment) throws(StorageFailure) {
    guard environment == .production || environment == .sandbox else {
      throw .invalidValue(field: "environment")
    }
  }
}

extension String {
  /// Whether there is a zero byte in it, which C libraries take for the end.
  package var hasZeroByte: Bool {
    var text = self
    return text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return false }
      return unsafe memchr(start, 0, bytes.count) != nil
    }
  }
}
