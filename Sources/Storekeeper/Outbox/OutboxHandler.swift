public import ReceiptModels

/// The host's way to tell: sends e-mails, forwards events.
///
/// Laws: a message whose delivery does not throw counts as delivered. A message may come again with the
/// same number, after a failure, a crash or a lease that ran out; whoever must not repeat an effect
/// remembers the numbers. Kinds that are not known are ignored, not refused.
public protocol OutboxHandler: Sendable {
  /// Delivers a message.
  ///
  /// - Parameters:
  ///   - message: What to tell.
  ///   - number: The number of the message, the same at each delivery.
  /// - Throws: Anything, if the message is to come again.
  func deliver(_ message: OutboxMessage, number: Int) async throws
}
