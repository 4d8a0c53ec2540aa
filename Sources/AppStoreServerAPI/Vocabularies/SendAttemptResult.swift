internal import JSONValues
public import ReceiptModels

/// The result of an attempt to send a notification.
///
/// Source: Apple, `sendAttemptResult`.
public struct SendAttemptResult: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The server answered with success.
  public static let success = SendAttemptResult(rawValue: "SUCCESS")
  /// The server did not answer in time.
  public static let timedOut = SendAttemptResult(rawValue: "TIMED_OUT")
  /// TLS or a certificate failed.
  public static let tlsIssue = SendAttemptResult(rawValue: "TLS_ISSUE")
  /// The server redirected in a circle.
  public static let circularRedirect = SendAttemptResult(rawValue: "CIRCULAR_REDIRECT")
  /// The server did not answer.
  public static let noResponse = SendAttemptResult(rawValue: "NO_RESPONSE")
  /// The connection failed.
  public static let socketIssue = SendAttemptResult(rawValue: "SOCKET_ISSUE")
  /// The server answered in an unsupported character set.
  public static let unsupportedCharset = SendAttemptResult(rawValue: "UNSUPPORTED_CHARSET")
  /// The server sent an invalid answer.
  public static let invalidResponse = SendAttemptResult(rawValue: "INVALID_RESPONSE")
  /// The server closed the connection too early.
  public static let prematureClose = SendAttemptResult(rawValue: "PREMATURE_CLOSE")
  /// The server answered with another status than success.
  public static let unsuccessfulHTTPResponseCode = SendAttemptResult(
    rawValue: "UNSUCCESSFUL_HTTP_RESPONSE_CODE")
  /// Any other failure.
  public static let other = SendAttemptResult(rawValue: "OTHER")

  /// The values that Apple documents.
  public static let allCases: [SendAttemptResult] = [
    success, timedOut, tlsIssue, circularRedirect, noResponse, socketIssue, unsupportedCharset,
    invalidResponse, prematureClose, unsuccessfulHTTPResponseCode, other,
  ]
}
