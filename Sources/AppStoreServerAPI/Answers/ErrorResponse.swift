public import JSONValues
public import ReceiptModels

/// The error of Apple's server APIs in an answer.
///
/// Code and text are read independently: one of the wrong JSON type stays nil and is kept in
/// ``additionalMembers``. Source: App Store Server API rules, section 3.
public struct ErrorResponse: FieldModel {
  /// The code, whose first three digits are the status.
  public var errorCode: Int?
  public var errorMessage: String?

  /// Members that this version does not know, and a code or text of the wrong JSON type.
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.readable("errorCode", &errorCode)
    try coder.readable("errorMessage", &errorMessage)
  }
}

extension FieldCoder {
  /// Reads or writes an optional field; a value of the wrong JSON type leaves the field nil and is
  /// kept among the additional members.
  fileprivate mutating func readable<Value: FieldValue>(
    _ name: String, _ value: inout Value?
  ) throws(FieldTypeFailure) {
    if direction == .reading, let json = self[name], (try? Value(json: json)) == nil { return }
    try self(name, &value)
  }
}
