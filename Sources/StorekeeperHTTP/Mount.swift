public import LinkPolicy
public import ReceiptVerifier

/// A prefix under which a contract is served.
///
/// Source: contract on linking, sections 6.1 and 6.3.
public struct Mount: Hashable, Sendable {
  /// What the paths begin with, such as `/api/v1`; without a slash at its end.
  public let prefix: String
  /// Which contract is spoken.
  public let contract: LinkContract
  /// Which of Apple's servers is asked first about receipts.
  public let server: VerifyReceiptServer

  /// A mount; slashes at the end of the prefix are dropped.
  public init(
    _ prefix: String, contract: LinkContract = .current, server: VerifyReceiptServer = .production
  ) {
    var prefix = prefix
    while prefix.utf8.last == UInt8(ascii: "/") { prefix.unicodeScalars.removeLast() }
    self.prefix = prefix
    self.contract = contract
    self.server = server
  }

  /// The two base addresses of the current contract, and the same of the contract of 2019 under
  /// `/2019`.
  public static let standard = [
    Mount("/api/v1"), Mount("/api/sandbox", server: .sandbox),
    Mount("/2019/api/v1", contract: .year2019),
    Mount("/2019/api/sandbox", contract: .year2019, server: .sandbox),
  ]
}
