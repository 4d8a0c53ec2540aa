import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperHTTP
import StorekeeperTesting
import Testing

/// The tables of statuses, which are read from the page and compared with the answers of the routes.
@Suite("Documentation/guides/receiving-notifications.md")
struct NotificationStatusTests {
  private static let forger = Result { try TestAuthority() }

  @Test(
    "each notification of Apple gets the status in the table", arguments: AppleHost.Kind.allCases)
  func apple(kind: AppleHost.Kind) async throws {
    let table = try Self.table("Apple's notifications")
    #expect(table.count == Self.situations.count)
    for row in table {
      let play = try #require(Self.situations[row.situation], "no test of: \(row.situation)")
      let host = try AppleHost(kind)
      let status = try await play(host).status.code
      #expect(row.statuses[kind.column] == "\(status)", "\(row.situation)")
    }
  }

  @Test("Apple sends again after each status in the table but 200")
  func again() throws {
    for row in try Self.table("Apple's notifications") {
      let again = Set(row.statuses.dropLast()).subtracting(["200"]).sorted()
      let isMixed = row.statuses.contains("200")
      let text = again.isEmpty ? "no" : isMixed ? "after \(again.joined(separator: ", "))" : "yes"
      #expect(row.statuses.last == text, "\(row.situation)")
    }
  }

  /// Each row of the table as a request.
  private static let situations:
    [String: @Sendable (AppleHost) async throws -> HTTPResponseMessage] = [
      "is new": { try await $0.post($0.notification()) },
      "came before": { host in
        _ = try await host.post(host.notification())
        return try await host.post(host.notification())
      },
      "has a type that is not known": { host in
        try await host.post(host.notification(NotificationType(rawValue: "MADE_UP")))
      },
      "is a refund that can't be decoded": { host in
        try await host.post(host.notification { $0["storefrontId"] = .integer(143_441) })
      },
      "is no refund, and can't be decoded": { host in
        try await host.post(host.notification(.didRenew) { $0["storefrontId"] = .integer(143_441) })
      },
      "is of another environment than Apple's two": { host in
        try await host.post(
          host.notification(
            change: { $0["environment"] = .string("Xcode") },
            envelope: { $0.data?.environment = .xcode }))
      },
      "is no JSON object": { try await $0.post("[]") },
      "is forged or changed": { host in
        try await host.post(host.notification(signer: try forger.get()))
      },
      "is a refund with a forged transaction": { host in
        try await host.post(host.notification(inner: try forger.get()))
      },
      "is no refund, and has a forged transaction": { host in
        try await host.post(host.notification(.didRenew, inner: try forger.get()))
      },
      "has an identifier that is no number": { host in
        try await host.post(host.notification { $0["transactionId"] = .string("30000000000000a") })
      },
      "is about another app": { host in
        try await host.post(
          host.notification(
            change: { $0["bundleId"] = .string("com.example.other") },
            envelope: { $0.data?.bundleID = "com.example.other" }))
      },
      "is about a subscription whose product nobody named": { host in
        try await host.post(
          host.notification(.didRenew) {
            $0["type"] = .string("Auto-Renewable Subscription")
            $0["productId"] = .string("com.example.forgotten")
            $0["expiresDate"] = .integer(1_702_000_000_000)
          })
      },
      "is too long": { host in
        try await host.post(String(repeating: " ", count: host.kind.limit) + host.notification())
      },
      "is compressed (`Content-Encoding`)": { host in
        try await host.post(host.notification(), headers: [.contentEncoding: "gzip"])
      },
      "comes while Apple can't be asked about the certificate": { host in
        let host = try AppleHost(host.kind, isOCSPAway: true)
        return try await host.post(host.notification())
      },
      "comes while the store fails": { host in
        let host = try AppleHost(host.kind, isStoreAway: true)
        return try await host.post(host.notification())
      },
      "comes with another method than POST": { host in
        await host.api.respond(to: HTTPRequestMessage(method: .put, url: host.kind.path))
      },
      "is of version 1 with a wrong password": { host in
        try await host.post(#"{"notification_type":"REFUND","password":"x"}"#)
      },
    ]

  // MARK: Google

  @Test("each push of Google gets the status in the table")
  func google() async throws {
    let table = try Self.table("Google's notifications")
    #expect(table.count == Self.pushes.count)
    for row in table {
      let play = try #require(Self.pushes[row.situation], "no test of: \(row.situation)")
      let status = try await play(GoogleHost()).status.code
      #expect(row.statuses.first == "\(status)", "\(row.situation)")
      #expect(row.statuses.last == (status == 204 ? "no" : "yes"))
    }
  }

  private static let pushes: [String: @Sendable (GoogleHost) async throws -> HTTPResponseMessage] =
    [
      "is new": { host in await host.api.respond(to: try host.push()) },
      "came before": { host in
        let push = try host.push()
        _ = await host.api.respond(to: push)
        return await host.api.respond(to: push)
      },
      "is damaged": { host in
        var push = try host.push()
        push.body = Array("{}".utf8)
        return await host.api.respond(to: push)
      },
      "is about another app": { host in
        let other = try GoogleHost(expecting: "com.example.other")
        return await other.api.respond(to: try other.push())
      },
      "has no token, or a forged one": { host in
        var push = try host.push()
        try push.headers.set("Bearer a.b.c", for: .authorization)
        return await host.api.respond(to: push)
      },
      "is longer than 1 MiB": { host in
        var push = try host.push()
        push.body = Array(repeating: UInt8(ascii: " "), count: PubSubPush.maximumSize + 1)
        return await host.api.respond(to: push)
      },
      "comes while Google can't be asked about the purchase": { host in
        let push = try host.push()
        host.play.fail(next: nil, with: .transportFailure(.timedOut))
        return await host.api.respond(to: push)
      },
      "comes while the store fails": { _ in
        let host = try GoogleHost(isStoreAway: true)
        return await host.api.respond(to: try host.push())
      },
    ]

  // MARK: The page

  private struct Row {
    let situation: String
    let statuses: [String]
  }

  /// The first table below a heading.
  private static func table(_ heading: String) throws -> [Row] {
    var path = #filePath
    for _ in 1...4 {
      path = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    }
    path += "/Documentation/guides/receiving-notifications.md"
    let text = String(
      decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { $0 != "## \(heading)" }.drop { !$0.hasPrefix("| ") }.prefix { $0.hasPrefix("| ") }
    return lines.dropFirst(2).map { line in
      let cells = line.split(separator: " | ").map { cell in
        var cell = String(cell)
        if cell.hasPrefix("| ") { cell.removeFirst(2) }
        if cell.hasSuffix(" |") { cell.removeLast(2) }
        return cell
      }
      return Row(situation: cells[0], statuses: Array(cells.dropFirst()))
    }
  }
}

/// A host that has one of the APIs, or credits and memberships.
struct AppleHost {
  enum Kind: CaseIterable {
    case subscriptions, entitlements, orders, credits, creditsBesideMemberships

    var column: Int {
      switch self {
      case .subscriptions: 0
      case .entitlements: 1
      case .orders: 2
      case .credits: 3
      case .creditsBesideMemberships: 4
      }
    }

    var path: String {
      switch self {
      case .subscriptions, .entitlements, .orders: "/api/v1/webhook/apple"
      case .credits, .creditsBesideMemberships: "/api/v1/payments/apple/notifications"
      }
    }

    /// The maximum number of bytes in a body.
    var limit: Int {
      switch self {
      case .subscriptions, .orders: 1 << 20
      case .entitlements: EntitlementAPI.bodyLimit
      case .credits, .creditsBesideMemberships: CreditAPI.notificationLimit
      }
    }
  }

  static let bundleID = "com.example.reader"
  static let now = Date(timeIntervalSince1970: 1_700_000_000)
  private static let authority = Result {
    try TestAuthority {
      $0.leaf.revocationResponder = "http://ocsp.example/leaf"
      $0.intermediate.revocationResponder = "http://ocsp.example/intermediate"
    }
  }

  let kind: Kind
  let api: any RequestResponder
  let authority: TestAuthority

  init(_ kind: Kind, isStoreAway: Bool = false, isOCSPAway: Bool = false) throws {
    self.kind = kind
    authority = try Self.authority.get()
    let responder = try authority.revocationResponder(now: { Self.now })
    responder.setReply(.httpStatus(500), about: .leaf)
    let checker = RevocationChecker(
      transport: responder, clock: ManualClock(), now: { Self.now })
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: Self.bundleID, appAppleID: 1)], environments: [.production, .sandbox],
      trustAnchors: [authority.trustAnchor], revocationChecker: isOCSPAway ? checker : nil,
      now: { Self.now })
    let store = WrappedStore(InMemoryPurchaseStore()) { _, unit in
      if isStoreAway { throw StorageFailure.conflict }
      try await unit()
    }
    let subscriptions = try SubscriptionService(
      PurchaseContext(
        store: store, accounts: InMemoryAccountDirectory(), now: { Self.now }, report: { _ in }),
      products: ["reader.monthly": Plan("standard", every: .month)])
    let credits = try CreditService(
      PurchaseContext(
        store: store, accounts: InMemoryAccountDirectory(), verifier: verifier, now: { Self.now },
        report: { _ in }),
      products: try CreditProducts([
        CreditProduct(code: "big_pack", appStoreProductID: "com.example.gems.big", credits: 500)
      ]))
    let nobody = BearerTokens([])
    switch kind {
    case .subscriptions:
      api = SubscriptionAPI(
        subscriptions,
        notifications: try NotificationService(
          subscriptions.context.with(verifier: verifier), subscriptions: subscriptions),
        authenticator: nobody)
    case .entitlements:
      let entitlements = try EntitlementService(
        PurchaseContext(
          store: store, accounts: UnlistedAccounts(), verifier: verifier, now: { Self.now },
          report: { _ in }),
        apps: [
          EntitledApp(bundleID: Self.bundleID, catalog: try ProductCatalog(json: Array("[]".utf8)))
        ])
      api = EntitlementAPI(
        entitlements,
        notifications: try NotificationService(
          entitlements.context, entitlements: entitlements),
        users: nobody)
    case .orders:
      let orders = try OrderService(
        PurchaseContext(
          store: store, accounts: UnlistedAccounts(), verifier: verifier, now: { Self.now },
          report: { _ in }),
        vendors: [AppleVendor(verifier: verifier)])
      api = OrderAPI(
        orders, notifications: try NotificationService(orders.context, orders: orders),
        users: nobody)
    case .credits:
      api = CreditAPI(
        credits,
        notifications: try NotificationService(
          credits.context, credits: credits),
        users: nobody)
    case .creditsBesideMemberships:
      api = CreditAPI(
        credits,
        notifications: try NotificationService(
          subscriptions.context.with(verifier: verifier), subscriptions: subscriptions,
          credits: credits),
        users: nobody)
    }
  }

  func post(
    _ body: String, headers: HTTPHeaders = HTTPHeaders()
  ) async throws -> HTTPResponseMessage {
    await api.respond(
      to: HTTPRequestMessage(
        method: .post, url: kind.path, headers: headers, body: Array(body.utf8)))
  }

  /// The body of a notification about a pack of credits.
  func notification(
    _ type: NotificationType = .refund, signer: TestAuthority? = nil, inner: TestAuthority? = nil,
    change: (inout [String: JSONValue]) -> Void = { _ in },
    envelope: (inout ServerNotification) -> Void = { _ in }
  ) throws -> String {
    var transaction = Transaction()
    transaction.bundleID = Self.bundleID
    transaction.environment = .production
    transaction.transactionID = "300000000000001"
    transaction.originalTransactionID = "300000000000001"
    transaction.productID = "com.example.gems.big"
    transaction.type = .consumable
    transaction.quantity = 1
    transaction.purchaseDate = Self.now - 3600
    transaction.originalPurchaseDate = Self.now - 3600
    transaction.signedDate = Self.now
    guard case .object(var members) = transaction.json else { return "" }
    change(&members)
    var data = NotificationData()
    data.environment = .production
    data.bundleID = Self.bundleID
    data.appAppleID = 1
    data.signedTransactionInfo = try (inner ?? authority).sign(JSONValue.object(members))
    var notification = ServerNotification()
    notification.notificationType = type
    notification.notificationUUID = "002e14d5-51f5-4503-b5a8-c3a1af68eb20"
    notification.version = "2.0"
    notification.signedDate = Self.now
    notification.data = data
    envelope(&notification)
    return #"{"signedPayload":"\#(try (signer ?? authority).sign(notification))"}"#
  }
}

/// A host that takes orders of a simulated Play store.
private struct GoogleHost {
  private static let packageName = "com.example.reader"
  private static let account = try? TestServiceAccount()
  private static let key = try? TestPushKey()

  let api: OrderAPI
  let play: PlayStoreSimulator

  init(expecting packageName: String = packageName, isStoreAway: Bool = false) throws {
    var pushes = PlayPushConfiguration()
    pushes.url = "https://reader.example.com/api/v1/webhook/google"
    pushes.email = "push@reader.iam.gserviceaccount.com"
    play = try PlayStoreSimulator(packageName: Self.packageName) {
      $0.serviceAccount = Self.account
      $0.pushes = pushes
      $0.pushKey = Self.key
    }
    let play = play
    var configuration = GooglePlayClient.Configuration()
    configuration.attempts = 1
    configuration.now = { play.now }
    // A test waits for the machine, not for a store.
    configuration.timeout = .seconds(600)
    configuration.patience = .seconds(600)
    let client = try GooglePlayClient(
      packageName: Self.packageName,
      tokens: AccessTokenSource(
        account: GoogleServiceAccount(keyFile: play.serviceAccount.keyFile), transport: play,
        now: { play.now }),
      transport: play, configuration: configuration)
    let store = WrappedStore(InMemoryPurchaseStore()) { _, unit in
      if isStoreAway { throw StorageFailure.conflict }
      try await unit()
    }
    let orders = try OrderService(
      PurchaseContext(
        store: store, accounts: UnlistedAccounts(), now: { play.now }, report: { _ in }),
      vendors: [GoogleVendor(client)])
    api = OrderAPI(
      orders,
      playNotifications: try PlayNotificationService(
        orders.context, play: client,
        tokens: try PushTokenVerifier(
          configuration: .init(
            audience: "https://reader.example.com/api/v1/webhook/google",
            email: "push@reader.iam.gserviceaccount.com"), transport: play, now: { play.now }),
        orders: orders), users: nil)
  }

  /// The push of a purchase.
  func push() throws -> HTTPRequestMessage {
    try play.subscribe("reader_standard")
    return try play.push(#require(play.notifications.last))
  }
}
