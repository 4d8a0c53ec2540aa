package import CreditPolicy
package import JSONValues
package import ReceiptModels

// The values of credits.

extension CreditTransaction {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(.evidence("environment"), purchase.environment.rawValue, .kind)
    try StoredText.check(.evidence("transactionID"), purchase.transactionID, .creditTransactionID)
    try StoredText.check(
      .evidence("originalTransactionID"), purchase.originalTransactionID, .creditTransactionID)
    try StoredText.check(.evidence("bundleID"), purchase.bundleID, .word)
    try StoredText.check(.evidence("productID"), purchase.productID, .productID)
    try StoredText.check(.caller("userID"), userID?.rawValue, .accountID)
    try StoredText.check("productCode", productCode, .word)
    try StoredText.check(.evidence("ledgerEventID"), ledgerEventID, .word)
  }
}

extension LedgerBooking {
  /// Checks that a row can hold every text but the metadata.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(.caller("userID"), userID.rawValue, .accountID)
    try StoredText.check(.evidence("environment"), environment?.rawValue, .kind)
    try StoredText.check(field("eventID"), eventID, .word)
    try StoredText.check(field("changeType"), changeType.rawValue, .kind)
    try StoredText.check(field("subjectType"), subjectType, .kind)
    try StoredText.check(field("subjectID"), subjectID, .word)
  }

  /// A field that comes from a purchase, or else from the service that books.
  private func field(_ name: String) -> StorageFailure.Field {
    StorageFailure.Field(name, from: environment == nil ? .caller : .evidence)
  }

  /// The metadata as it is stored, and as it is read from there: a number without a fraction becomes an
  /// integer.
  ///
  /// - Throws: `StorageFailure.invalidValue` if it is longer than 64 KiB, nested too deeply, or has a
  ///   name that is too long.
  package func storableMetadata() throws(StorageFailure) -> (
    text: String, value: [String: JSONValue]
  ) {
    guard !metadata.isEmpty else { return ("{}", [:]) }
    let object = JSONValue.object(metadata)
    guard object.isNested(atMost: JSONValue.maximumDepth) else {
      throw .invalidValue(field: field("metadata"))
    }
    let bytes = object.serialized
    guard StoredText.Shape.metadata.lengths.contains(bytes.count) else {
      throw .invalidValue(field: field("metadata"))
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if object.isReadAsWritten { return (text, metadata) }
    guard case .object(let members)? = try? JSONValue(parsing: bytes) else {
      throw .invalidValue(field: field("metadata"))
    }
    return (text, members)
  }
}

extension LedgerBooking {
  /// Reads stored metadata.
  ///
  /// - Throws: `StorageFailure.database` unless it is a JSON object.
  package static func metadata(stored text: String) throws -> [String: JSONValue] {
    guard text != "{}" else { return [:] }
    guard case .object(let members)? = try? JSONValue(parsing: Array(text.utf8)) else {
      throw StorageFailure.database(code: 0, detail: "the metadata of an entry is no object")
    }
    return members
  }
}

extension JSONValue {
  /// Whether it is certain that parsing its text gives the same value.
  fileprivate var isReadAsWritten: Bool {
    switch self {
    case .null, .boolean, .integer, .string: true
    case .number: false
    case .array(let elements): elements.allSatisfy(\.isReadAsWritten)
    case .object(let members):
      members.allSatisfy { name, value in
        name.utf8.count <= JSONValue.maximumNameLength && value.isReadAsWritten
      }
    }
  }

  /// Whether arrays and objects are nested no deeper than this.
  fileprivate func isNested(atMost depth: Int) -> Bool {
    switch self {
    case .null, .boolean, .integer, .number, .string: true
    case .array(let elements):
      depth > 0 && elements.allSatisfy { $0.isNested(atMost: depth - 1) }
    case .object(let members):
      depth > 0 && members.values.allSatisfy { $0.isNested(atMost: depth - 1) }
    }
  }
}

extension CreditNotification {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(.evidence("uuid"), uuid, .notificationKey)
    try StoredText.check(.evidence("type"), type, .place)
    try StoredText.check(.evidence("subtype"), subtype, .place)
    try StoredText.check(.evidence("environment"), environment.rawValue, .kind)
    try StoredText.check(.evidence("transactionID"), transactionID, .creditTransactionID)
  }
}

extension StarterClaim {
  /// Checks the texts of a claim that is to be marked.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package static func check(
    identity: String, userID: AccountID, transactionID: String
  ) throws(StorageFailure) {
    try StoredText.check("identity", identity, .identity)
    try StoredText.check(.caller("userID"), userID.rawValue, .accountID)
    try StoredText.check(.evidence("transactionID"), transactionID, .creditTransactionID)
  }
}
