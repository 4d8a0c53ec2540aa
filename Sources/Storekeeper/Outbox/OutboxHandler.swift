public import PurchaseStorage
public import ReceiptModels

/// A delivery of messages of some kinds, for example by e-mail or as events.
///
/// A message counts as delivered unless ``deliver(_:number:)`` throws. A message may be delivered
/// again with the same number after a failure, a crash or an expired lease; a handler that must not
/// repeat an effect remembers the numbers. A handler ignores messages of unknown kinds, without an
/// error. What it cannot deliver for lack of an account, it ignores as well, or parks.
public protocol OutboxHandler: Sendable {
  /// The kinds of messages that the handler takes; nil, as by default, for all that no other handler names.
  var kinds: Set<OutboxMessage.Kind>? { get }

  /// The kinds of messages that stay in the outbox for now, untouched; none by default.
  ///
  /// It is asked before each batch, so that a handler may hold back what it cannot deliver at the moment. Only kinds
  /// that the handler takes count.
  var heldKinds: Set<OutboxMessage.Kind> { get }

  /// Delivers a message, whose number is the same for each attempt.
  ///
  /// - Throws: Any error, to have the message delivered again later; an ``OutboxFailure`` decides about that itself.
  func deliver(_ message: OutboxMessage, number: Int) async throws

  /// Returns what becomes of a message after an error, where that depends on the number of its failures, this one
  /// counted; nil, as by default, to leave it to the error.
  func disposition(after error: any Error, failures: Int) -> OutboxDisposition?
}

extension OutboxHandler {
  public var kinds: Set<OutboxMessage.Kind>? { nil }

  public var heldKinds: Set<OutboxMessage.Kind> { [] }

  public func disposition(after error: any Error, failures: Int) -> OutboxDisposition? { nil }
}

/// An error of an ``OutboxHandler`` that knows what is to become of the message.
public protocol OutboxFailure: Error {
  var disposition: OutboxDisposition { get }

  /// Whether the host is told that a message was postponed; true by default.
  var isReported: Bool { get }
}

extension OutboxFailure {
  public var isReported: Bool { true }
}

/// The further fate of a message that was not delivered.
public enum OutboxDisposition: Hashable, Sendable {
  /// The message failed, and is tried again after a back-off.
  case retry
  /// The message failed, and is tried again after a time.
  case retryAfter(Duration)
  /// No such message can be delivered now, so that this one did not fail; it is tried again after a time.
  case postpone(Duration)
  /// The message cannot be delivered as things are; it waits until somebody has it sent again.
  case park(ParkingReason)
}
