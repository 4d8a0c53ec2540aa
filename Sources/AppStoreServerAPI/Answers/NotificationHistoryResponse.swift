public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A page of the notifications that Apple sent or tried to send.
///
/// Decoding verifies nothing.
///
/// Source: Apple, `NotificationHistoryResponse`.
public struct NotificationHistoryResponse: FieldModel {
  /// The place to continue at in the next call.
  public var paginationToken: String?
  public var hasMore: Bool?
  public var notificationHistory: [NotificationHistoryItem]?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("paginationToken", &paginationToken)
    try coder("hasMore", &hasMore)
    try coder("notificationHistory", &notificationHistory)
  }
}

/// A notification and the attempts to send it.
///
/// Source: Apple, `NotificationHistoryResponseItem`.
public struct NotificationHistoryItem: FieldModel {
  public var signedPayload: String?
  /// The attempts, at most six.
  public var sendAttempts: [SendAttempt]?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("signedPayload", &signedPayload)
    try coder("sendAttempts", &sendAttempts)
  }
}

/// An attempt to send a notification.
///
/// Source: Apple, `sendAttemptItem`.
public struct SendAttempt: FieldModel {
  public var attemptDate: Date?
  public var sendAttemptResult: SendAttemptResult?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("attemptDate", &attemptDate)
    try coder("sendAttemptResult", &sendAttemptResult)
  }
}
