public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A page of the notifications that Apple sent or tried to send.
///
/// Decoding verifies nothing. Source: Apple, `NotificationHistoryResponse`.
public struct NotificationHistoryResponse: FieldModel {
  /// The place to continue at in the next call.
  public var paginationToken: String?
  public var hasMore: Bool?
  public var notificationHistory: [NotificationHistoryItem]?
  public var additionalMembers: [String: JSONValue] = [:]
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
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("attemptDate", &attemptDate)
    try coder("sendAttemptResult", &sendAttemptResult)
  }
}

/// The result of an attempt to send a notification.
///
/// Source: Apple, `sendAttemptResult`.
public struct SendAttemptResult: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let success = Self(rawValue: "SUCCESS")
  public static let timedOut = Self(rawValue: "TIMED_OUT")
  /// TLS or a certificate failed.
  public static let tlsIssue = Self(rawValue: "TLS_ISSUE")
  public static let circularRedirect = Self(rawValue: "CIRCULAR_REDIRECT")
  public static let noResponse = Self(rawValue: "NO_RESPONSE")
  public static let socketIssue = Self(rawValue: "SOCKET_ISSUE")
  public static let unsupportedCharset = Self(rawValue: "UNSUPPORTED_CHARSET")
  public static let invalidResponse = Self(rawValue: "INVALID_RESPONSE")
  public static let prematureClose = Self(rawValue: "PREMATURE_CLOSE")
  /// The server answered with another status than success.
  public static let unsuccessfulHTTPResponseCode = Self(rawValue: "UNSUCCESSFUL_HTTP_RESPONSE_CODE")
  public static let other = Self(rawValue: "OTHER")

  public static let allCases: [Self] = [
    success, timedOut, tlsIssue, circularRedirect, noResponse, socketIssue, unsupportedCharset,
    invalidResponse, prematureClose, unsuccessfulHTTPResponseCode, other,
  ]
}

/// The acceptance of a request for a test notification.
///
/// Source: Apple, `SendTestNotificationResponse`.
public struct SendTestNotificationResponse: FieldModel {
  /// The token to ask for the status of the test with, for six months.
  public var testNotificationToken: String?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("testNotificationToken", &testNotificationToken)
  }
}

/// The test notification and the attempts to send it.
///
/// Decoding verifies nothing. Source: Apple, `CheckTestNotificationResponse`.
public struct CheckTestNotificationResponse: FieldModel {
  public var signedPayload: String?
  public var sendAttempts: [SendAttempt]?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("signedPayload", &signedPayload)
    try coder("sendAttempts", &sendAttempts)
  }
}
