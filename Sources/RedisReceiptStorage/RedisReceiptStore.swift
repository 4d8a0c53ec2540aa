public import PurchaseStorage
public import ReceiptModels
internal import StorekeeperLocks

/// A receipt store in Redis, or in a server that speaks its protocol, such as Valkey.
///
/// The key of a receipt is `iap:receipt:1000000322563042-Production`, and its value the receipt
/// alone, so that other programs can read it. Apple's stamp has a key of its own,
/// `{iap:receipt:1000000322563042-Production}:as-of`, in milliseconds since 1970; the braces keep
/// both on one node of a cluster. A receipt without a stamp, which another program wrote, is as of
/// `Date.distantPast`. A script compares and writes both keys, so that an older receipt never
/// replaces a newer one, whoever writes at the same time.
///
/// Every call ends within the deadline of the configuration. The first connection is waited for;
/// later ones never are: while the server is away, calls fail at once, and a thread of the store
/// tries to connect again after pauses of up to five seconds. A connection on which a reply is late
/// or malformed is closed.
///
/// Copies share one thread and one connection, which end with the last copy. Commands that wait at
/// the same time are sent together.
public struct RedisReceiptStore: ReceiptStore {
  /// The maximum length of a receipt, in bytes.
  public static let maximumLength = 8 << 20

  public let configuration: Configuration
  private let owner: LineOwner

  /// Creates a store, which connects with its first call; the prefix of the keys must have no braces.
  public init(_ configuration: Configuration) {
    precondition(
      !configuration.keyPrefix.contains { "{}".contains($0) },
      "The prefix of the keys must have no braces.")
    self.configuration = configuration
    owner = LineOwner(configuration)
  }

  /// Returns the receipt, or nil if there is none.
  ///
  /// - Throws: `StorageFailure.invalidValue` for an invalid identifier or environment, ``Failure``,
  ///   `CancellationError`.
  public func receipt(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) async throws -> StoredReceipt? {
    let key = try RedisReceiptKey(originalTransactionID, environment, configuration)
    guard case .array(let values) = try await reply(to: .reading(key)), values.count == 2 else {
      throw Failure.malformedReply
    }
    guard let text = try values[0].receipt else { return nil }
    return StoredReceipt(
      originalTransactionID: originalTransactionID, environment: environment, receipt: text,
      asOf: try RedisReceiptStamp.date(values[1], of: text))
  }

  /// Stores the receipt unless a later one is there.
  ///
  /// - Throws: `StorageFailure.invalidValue` for an invalid value, ``Failure``, `CancellationError`.
  public func put(_ receipt: StoredReceipt) async throws {
    try receipt.checkTexts()
    let key = try RedisReceiptKey(
      receipt.originalTransactionID, receipt.environment, configuration)
    _ = try await reply(
      to: .putting(receipt, under: key, timeToLive: configuration.timeToLive))
  }

  /// Removes the receipt and its stamp, if there is one.
  ///
  /// - Throws: `StorageFailure.invalidValue` for an invalid identifier or environment, ``Failure``,
  ///   `CancellationError`.
  public func remove(
    _ originalTransactionID: String, environment: AppStoreEnvironment
  ) async throws {
    let key = try RedisReceiptKey(originalTransactionID, environment, configuration)
    _ = try await reply(to: .removing(key))
  }

  private func reply(to command: RedisCommand) async throws -> RedisReply {
    let line = owner.line
    let call = RedisCall(command, deadline: .after(configuration.deadline))
    let waited = await ContinuousClock().wait(atMost: configuration.deadline) {
      await line.result(of: call)
    }
    switch waited {
    case .value(let result): return try result.get()
    case .timeUp:
      line.giveUpFirstConnection()
      throw Failure.timeUp
    case .cancelled: throw CancellationError()
    }
  }
}

extension RedisReceiptStore {
  /// The reason why the server could not be used, without any text of the server.
  ///
  /// After a connection failed or was lost, calls fail with its reason until there is another.
  @nonexhaustive
  public enum Failure: Error, PrintableFailure, Hashable, Sendable {
    /// There is no connection: the server was not reached, or closed the connection.
    case notConnected
    /// The server has no certificate of a trusted authority for the host's name.
    case untrustedServer
    /// The server has not replied within the deadline; whether it acted is unknown.
    case timeUp
    case refused(RedisErrorCode)
    /// The server replied something else than the protocol, or too much.
    case malformedReply
    /// A value is not text.
    case notAReceipt
  }
}
