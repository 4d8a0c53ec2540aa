public import PurchaseStorage

/// An error of an ``OutboxHandler`` that knows what is to become of the message.
public protocol OutboxFailure: Error {
  /// The further fate of the message.
  var disposition: OutboxDisposition { get }
}

/// The further fate of a message that was not delivered.
public enum OutboxDisposition: Hashable, Sendable {
  /// The message failed, and is tried again after a back-off.
  case retry
  /// No such message can be delivered now, so that this one did not fail; it is tried again after a time.
  case postpone(Duration)
  /// The message cannot be delivered as things are; it waits until somebody has it sent again.
  case park(ParkingReason)
}
