internal import JSONValues
public import ReceiptModels

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
