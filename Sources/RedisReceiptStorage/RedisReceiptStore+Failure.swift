public import PurchaseStorage

extension RedisReceiptStore {
  /// The reason why the server could not be used, without any text of the server.
  ///
  /// After a connection failed or was lost, calls fail with its reason until there is another.
  public enum Failure: Error, PrintableFailure, Hashable, Sendable {
    /// There is no connection: the server was not reached, or closed the connection.
    case notConnected
    /// The server has no certificate of a trusted authority for the host's name.
    case untrustedServer
    /// The server has not replied within the deadline; whether it acted is unknown.
    case timeUp
    /// The server replied an error.
    case refused(RedisErrorCode)
    /// The server replied something else than the protocol, or too much.
    case malformedReply
    /// A value is not text.
    case notAReceipt
  }
}
