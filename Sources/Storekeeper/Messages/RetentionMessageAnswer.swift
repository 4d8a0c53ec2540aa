public import ReceiptModels

/// The answer to a request for a retention message, with the time it took.
public struct RetentionMessageAnswer: Hashable, Sendable {
  /// The response for Apple, or nil for Apple's default message.
  public let response: RealtimeResponse?
  /// The time from the call of the service to the answer.
  public let duration: Duration
}
