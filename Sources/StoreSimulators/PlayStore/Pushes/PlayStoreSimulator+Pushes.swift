internal import GooglePlayVerifier
public import HTTPMessages
internal import JSONValues
internal import StorekeeperCrypto
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PlayStoreSimulator {
  /// The notifications of all changes by now, oldest first, those that were lost too.
  public var notifications: [TestDeveloperNotification] { notifications(after: 0) }

  /// Returns the notifications after one, by its ``TestDeveloperNotification/number``.
  public func notifications(after number: Int) -> [TestDeveloperNotification] {
    let now = now
    return state.withLock { state in
      state.world.settle(at: now)
      return state.world.notifications(after: number).map(TestDeveloperNotification.init)
    }
  }

  /// The number of the newest notification; 0 before the first.
  package var newestNotificationNumber: Int {
    let now = now
    return state.withLock { state in
      state.world.settle(at: now)
      return state.world.newestNotificationNumber
    }
  }

  /// Sends a notification of any type about a subscription, also one that no call makes.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase` or `otherKind`.
  @discardableResult
  public func notify(
    _ type: PlaySubscriptionNotificationType, about purchase: TestPlayPurchase
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    try change { (world, now) throws(PlayStoreFailure) in
      world.note(type, try world.subscription(of: purchase).token, at: now)
      return purchase.purchaseToken
    }
  }

  /// Sends a test notification, as the button of the Play Console does.
  @discardableResult
  public func sendTestNotification() -> TestDeveloperNotification? {
    let now = now
    return state.withLock { state in
      state.world.settle(at: now)
      state.world.note(.test, at: now)
      return state.world.notifications.last.map(TestDeveloperNotification.init)
    }
  }

  /// Loses the next notifications on their way; only a question shows what happened.
  public func loseNotifications(next count: Int) { state.withLock { $0.world.lossesDue += count } }

  /// Returns the request that pushes a notification, with a new bearer token.
  public func push(
    _ notification: TestDeveloperNotification, as sender: PlayPushSender = .pubSub
  ) throws -> HTTPRequestMessage {
    let (settings, pushes) = (settings, pushes)
    var request = HTTPRequestMessage(
      method: .post, url: pushes.url,
      headers: [.contentType: "application/json", .userAgent: "CloudPubSub-Google"],
      body: envelope(notification, pushes.subscription, settings))
    if let token = try bearerToken(of: sender, pushes) {
      try request.headers.set("Bearer \(token)", for: .authorization)
    }
    return request
  }

  // MARK: The message

  /// Returns Pub/Sub's message with the notification.
  ///
  /// Source: Google Cloud Pub/Sub, "Push subscriptions".
  private func envelope(
    _ notification: TestDeveloperNotification, _ subscription: String, _ settings: Settings
  ) -> [UInt8] {
    let published = JSONValue.string(RFC3339Time(notification.date, fractionDigits: 3).text)
    let id = JSONValue.string(notification.messageID)
    return JSONValue.object([
      "message": .object([
        "attributes": .object([:]),
        "data": .string(Base64.encode(data(notification, settings), .standard)),
        // Google writes both forms of these names.
        "messageId": id, "message_id": id, "publishTime": published, "publish_time": published,
      ]),
      "subscription": .string(subscription),
    ]).serialized
  }

  /// Returns the notification itself, as Google Play writes it.
  private func data(_ notification: TestDeveloperNotification, _ settings: Settings) -> [UInt8] {
    let milliseconds = notification.date.wholeMilliseconds
    let member = notification.record.content.member
    return JSONValue.object([
      "version": .string("1.0"), "packageName": .string(packageName),
      "eventTimeMillis": settings.writesEventTimeAsNumber
        ? .integer(milliseconds) : .string(String(milliseconds)),
      member.name: .object(member.object),
    ]).serialized
  }

  // MARK: The bearer token

  /// Returns the bearer token of a sender; nil for one without.
  ///
  /// Source: Google Cloud Pub/Sub, "Authentication for push subscriptions".
  private func bearerToken(
    of sender: PlayPushSender, _ pushes: PlayPushConfiguration
  ) throws -> String? {
    guard sender != .nobody else { return nil }
    let issued = Int(signatureNow.timeIntervalSince1970)
    var claims: [String: JSONValue] = [
      "iss": .string("https://accounts.google.com"), "aud": .string(pushes.effectiveAudience),
      "azp": .string("100000000000000000000"), "sub": .string("100000000000000000000"),
      "email": .string(pushes.email), "email_verified": .boolean(true),
      "iat": .integer(issued), "exp": .integer(issued + 3600),
    ]
    sender.change(&claims, issued: issued)
    let current = state.withLock { $0.pushKeys.current }
    switch sender {
    case .unknownKey: return try TestPushKey().sign(claims)
    case .altered:
      let signed = try current.sign(claims)
      claims["sub"] = .string("300000000000000000000")
      let parts = signed.split(separator: ".")
      return [
        String(parts[0]), Base64.encode(JSONValue.object(claims).serialized, .url),
        String(parts[2]),
      ].joined(separator: ".")
    case .unsigned:
      let header = JSONValue.object(["alg": .string("none"), "typ": .string("JWT")])
      return [header, .object(claims)].map { Base64.encode($0.serialized, .url) }
        .joined(separator: ".") + "."
    case .pubSub, .stranger, .unverifiedEmail, .otherAudience, .expired, .fromTheFuture,
      .otherIssuer, .nobody:
      return try current.sign(claims)
    }
  }
}

/// The sender of a push, or a sender that pretends to be Pub/Sub.
public enum PlayPushSender: String, Hashable, Sendable, CaseIterable {
  /// Google's Pub/Sub, with a good bearer token.
  case pubSub
  /// Another customer of Google, whose token is signed by Google for our audience, with another e-mail
  /// address.
  case stranger
  /// The right e-mail address, which Google has not verified.
  case unverifiedEmail
  /// A good token for another audience.
  case otherAudience
  /// A token that was good an hour ago.
  case expired
  /// A token that is dated an hour ahead.
  case fromTheFuture
  case otherIssuer
  /// A token that somebody altered after it was signed.
  case altered
  /// A token that a key of somebody else signed.
  case unknownKey
  /// A token without a signature, with the algorithm `none`.
  case unsigned
  case nobody

  /// Changes the claims of a good token.
  func change(_ claims: inout [String: JSONValue], issued: Int) {
    switch self {
    case .stranger:
      claims["email"] = .string("someone@another-project.iam.gserviceaccount.com")
      claims["sub"] = .string("200000000000000000000")
    case .unverifiedEmail: claims["email_verified"] = .boolean(false)
    case .otherAudience: claims["aud"] = .string("https://other.example.com/webhook")
    case .expired:
      claims["iat"] = .integer(issued - 7200)
      claims["exp"] = .integer(issued - 3600)
    case .fromTheFuture:
      claims["iat"] = .integer(issued + 3600)
      claims["exp"] = .integer(issued + 7200)
    case .otherIssuer: claims["iss"] = .string("https://issuer.example.com")
    case .pubSub, .altered, .unknownKey, .unsigned, .nobody: break
    }
  }
}

/// The address and the identities of the pushes of a ``PlayStoreSimulator``.
public struct PlayPushConfiguration: Hashable, Sendable {
  /// The address of the server's endpoint.
  public var url: String
  /// The audience of the bearer tokens; nil for the address.
  public var audience: String?
  /// The e-mail address of the service account as which Pub/Sub pushes.
  public var email: String
  /// The name of the subscription to the topic.
  public var subscription: String

  /// Creates a configuration.
  public init(
    url: String = "https://api.example.com/webhook/google", audience: String? = nil,
    email: String = "push@example-project.iam.gserviceaccount.com",
    subscription: String = "projects/example-project/subscriptions/play-notifications"
  ) {
    self.url = url
    self.audience = audience
    self.email = email
    self.subscription = subscription
  }

  var effectiveAudience: String { audience ?? url }
}
