public import ReceiptVerifier

/// A prefix under which a contract is served.
///
/// Source: linking rules, sections 6.1 and 6.3.
public struct Mount: Hashable, Sendable {
  public let prefix: String
  /// The served contract.
  public let contract: SubscriptionContract
  /// Apple's server that is asked first about receipts.
  public let server: VerifyReceiptServer

  /// Creates a mount.
  ///
  /// Trailing slashes of the prefix are removed.
  public init(
    _ prefix: String, contract: SubscriptionContract = .current,
    server: VerifyReceiptServer = .production
  ) {
    var prefix = prefix
    while prefix.utf8.last == UInt8(ascii: "/") { prefix.unicodeScalars.removeLast() }
    self.prefix = prefix
    self.contract = contract
    self.server = server
  }

  /// The two base paths of the current contract, and those of the contract of 2019 under `/2019`.
  public static let standard = [
    Mount("/api/v1"), Mount("/api/sandbox", server: .sandbox),
    Mount("/2019/api/v1", contract: .legacy),
    Mount("/2019/api/sandbox", contract: .legacy, server: .sandbox),
  ]
}

/// A wire contract of subscriptions.
///
/// Source: linking rules, section 6.
public enum SubscriptionContract: Hashable, Sendable, CaseIterable {
  case current
  /// The contract of 2019, which older clients use: it links and unlinks by receipt.
  case legacy
}
