public import JWSVerifier
public import ReceiptVerifier
public import Storekeeper

/// The subscription service over HTTP, for any server.
///
/// ```swift
/// let api = SubscriptionAPI(
///   subscriptions, notifications: notifications, authenticator: tokens)
/// let response = await api.respond(to: request)
/// ```
///
/// Both contracts are served, each under its own prefixes (see ``Mount``). The API opens no socket.
/// The host's server reads the request, at most one byte more than ``bodyLimit``, and sends the
/// answer. To check a request before reading its body, call ``RequestResponder/judge(head:)``.
///
/// Answers never reveal internal errors. Status 500 has a fixed text and the ID of the request, and the
/// ``RequestObserver`` receives the error under that ID. Source: linking rules, section 6.
public struct SubscriptionAPI: RequestResponder {
  public var subscriptions: SubscriptionService { core.subscriptions }
  /// The service that receives Apple's notifications; if nil, the webhook is an unknown route.
  public var notifications: NotificationService? { core.notifications }
  /// The service that answers Apple's requests for retention messages; if nil, their path is an
  /// unknown route.
  public var retentionMessages: RetentionMessageService? { core.retentionMessages }
  /// The verifier of clients' signed transactions; if nil, they are not accepted.
  ///
  /// By default it is that of ``notifications``.
  public var verifier: SignedDataVerifier?
  /// The prefixes under which each contract is served.
  public var mounts: [Mount] { core.mounts }
  /// The maximum number of bytes in the body of a request; 1 MiB by default.
  public var bodyLimit = 1 << 20
  public var options: APIOptions { core.options }

  var authenticator: any Authenticator { core.authenticator }
  var table: RouteTable<SubscriptionAPI> { core.table }
  private let core: Core

  /// What never changes, in one place for all copies of the API, as every call has one.
  private final class Core: Sendable {
    let subscriptions: SubscriptionService
    let notifications: NotificationService?
    let retentionMessages: RetentionMessageService?
    let mounts: [Mount]
    let options: APIOptions
    let authenticator: any Authenticator
    let table: RouteTable<SubscriptionAPI>

    init(
      _ subscriptions: SubscriptionService, _ notifications: NotificationService?,
      _ retentionMessages: RetentionMessageService?, _ authenticator: any Authenticator,
      _ mounts: [Mount], _ options: APIOptions
    ) {
      self.subscriptions = subscriptions
      self.notifications = notifications
      self.retentionMessages = retentionMessages
      self.authenticator = authenticator
      self.mounts = mounts
      self.options = options.telling(subscriptions)
      table = RouteTable(
        mounts.flatMap {
          SubscriptionAPI.table(
            $0, notifications: notifications, retentionMessages: retentionMessages)
        })
    }
  }

  /// Creates an API.
  ///
  /// - Parameters:
  ///   - subscriptions: The subscription service.
  ///   - notifications: The service that receives Apple's notifications, or nil to receive none.
  ///   - retentionMessages: The service that answers Apple's requests for retention messages, or nil to answer none.
  ///     The mounts of the current contract serve it; give Apple the URL that ends in
  ///     `/api/v1/webhook/apple/retention-message`.
  ///   - authenticator: The authenticator of callers.
  ///   - mounts: The prefixes under which each contract is served. If two mounts match a path, the first one answers.
  ///   - options: The settings that the APIs of a host share, of which the prefix has no effect.
  public init(
    _ subscriptions: SubscriptionService, notifications: NotificationService? = nil,
    retentionMessages: RetentionMessageService? = nil, authenticator: any Authenticator,
    mounts: [Mount] = Mount.standard, options: APIOptions = APIOptions()
  ) {
    verifier = notifications?.verifier
    core = Core(
      subscriptions, notifications, retentionMessages, authenticator, mounts, options)
  }
}

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
