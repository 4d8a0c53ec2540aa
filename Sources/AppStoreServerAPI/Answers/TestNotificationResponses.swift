public import JSONValues
public import ReceiptModels

/// The acceptance of a request for a test notification.
///
/// Source: Apple, `SendTestNotificationResponse`.
public struct SendTestNotificationResponse: FieldModel {
  /// The token to ask for the status of the test with, for six months.
  public var testNotificationToken: String?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("testNotificationToken", &testNotificationToken)
  }
}

/// The test notification and the attempts to send it.
///
/// Decoding verifies nothing.
///
/// Source: Apple, `CheckTestNotificationResponse`.
public struct CheckTestNotificationResponse: FieldModel {
  public var signedPayload: String?
  public var sendAttempts: [SendAttempt]?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("signedPayload", &signedPayload)
    try coder("sendAttempts", &sendAttempts)
  }
}
