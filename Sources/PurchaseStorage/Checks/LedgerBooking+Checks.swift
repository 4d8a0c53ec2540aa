package import CreditPolicy
package import JSONValues
internal import ReceiptModels

extension LedgerBooking: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(.creditUserID, userID.rawValue)
    try check(.creditEnvironment, environment?.rawValue)
    try check(.eventID.from(origin), eventID)
    try check(.changeType.from(origin), changeType.rawValue)
    try check(.subjectType.from(origin), subjectType)
    try check(.subjectID.from(origin), subjectID)
  }

  /// The side of what is booked: a purchase, or else the service that books.
  private var origin: StorageFailure.Field.Origin { environment == nil ? .caller : .evidence }

  /// Returns the booking with its metadata as they are read from a row: a number without a fraction becomes an
  /// integer.
  ///
  /// - Throws: `StorageFailure.invalidValue` for a text that no row can have, or for metadata that are longer than 64
  ///   KiB, nested too deeply, or have a name that is too long.
  func storable() throws(StorageFailure) -> LedgerBooking {
    try checkTexts()
    guard !metadata.isEmpty else { return self }
    let object = JSONValue.object(metadata)
    let field = StoredText.Field.metadata.from(origin)
    guard object.isNested(atMost: JSONValue.maximumDepth) else {
      throw .invalidValue(field: field.name)
    }
    let bytes = object.serialized
    guard field.shape.lengths.contains(bytes.count) else { throw .invalidValue(field: field.name) }
    if object.isReadAsWritten { return self }
    guard case .object(let members)? = try? JSONValue(parsing: bytes) else {
      throw .invalidValue(field: field.name)
    }
    var booking = self
    booking.metadata = members
    return booking
  }

  package var storedMetadata: String {
    String(decoding: JSONValue.object(metadata).serialized, as: UTF8.self)
  }

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
