public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message that one worker delivers for a limited time.
public struct OutboxLease: Hashable, Sendable {
  /// The number of the message, the same at each delivery.
  public var number: Int
  public var message: OutboxMessage
  public var createdDate: Date
  public var failures: Int
  public var token: String

  /// Creates a lease.
  public init(
    number: Int, message: OutboxMessage, createdDate: Date, failures: Int, token: String
  ) {
    self.number = number
    self.message = message
    self.createdDate = createdDate
    self.failures = failures
    self.token = token
  }
}
