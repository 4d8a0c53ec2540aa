import StoreSimulators

/// A real-time developer notification, with the result of its delivery.
struct PlayDelivery: Sendable {
  let notification: TestDeveloperNotification
  /// The address at the time of the event; nil if the notification is not pushed.
  let url: String?
  var state: State
  var attempts: [Delivery.Attempt] = []
  /// The number of attempts, of which the last ones are kept.
  var attemptCount = 0

  enum State: String, Sendable {
    /// It was lost on its way, as ordered.
    case lost
    /// There is no address.
    case unsent
    case underWay
    /// The server acknowledged it.
    case accepted
    /// The first attempts failed; it is pushed again and again.
    case repeated
  }
}
