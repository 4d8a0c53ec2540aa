import Foundation
import InMemoryStorage
import StoreSimulators
import StorekeeperHTTP
import StorekeeperFixtures
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Notifications of version 1", .onEveryStore)
struct NotificationV1Tests {
  @Test("are hints: the receipt is verified again, and what Apple answers counts")
  func poke() async throws {
    let scene = try await NotificationScene()
    let purchase = try await scene.scene.bought()
    _ = try await scene.scene.service.link("alice", to: purchase.originalTransactionID)
    _ = try scene.scene.appStore.renew(purchase)
    let asked = scene.scene.appStore.requests.count
    // What the notification says of itself is of no importance.
    let notification = try scene.notificationV1(.cancel, about: purchase) {
      $0.autoRenewStatus = false
      $0.cancellationDate = Date(timeIntervalSince1970: 1_700_000_000)
    }
    try await scene.service.receive(notification)
    #expect(scene.scene.appStore.requests.count == asked + 1)
    #expect(
      try await scene.scene.membership(of: "alice")?.expireDate == CalendarDay("2024-01-13"))

    try await scene.service.receive(notification)
    #expect(scene.scene.appStore.requests.count == asked + 1)
  }

  @Test("are refused without the password, or with another, and nothing is kept or asked")
  func password() async throws {
    let scene = try await NotificationScene()
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    for password in [nil, "", "0123456789abcdef0123456789abcdee", "0"] as [String?] {
      let notification = try scene.notificationV1(.didRenew, about: purchase) {
        $0.password = password
      }
      #expect(try await refusal { try await scene.service.receive(notification) } == .wrongPassword)
    }
    #expect(scene.scene.appStore.requests.isEmpty)
    #expect(NotificationFailure.wrongPassword.answer.status == 403)

    let without = try await NotificationScene(passwords: [])
    let notification = try without.notificationV1(.didRenew, about: purchase)
    #expect(
      try await refusal { try await without.service.receive(notification) } == .wrongPassword)
  }

  @Test("are taken with any of the passwords, as while one replaces another", arguments: [0, 1])
  func severalPasswords(_ number: Int) async throws {
    let passwords = ["0123456789abcdef0123456789abcde0", "0123456789abcdef0123456789abcde1"]
    let scene = try await NotificationScene(passwords: passwords.map { AppSharedSecret($0) })
    let purchase = try await scene.scene.bought()
    let notification = try scene.notificationV1(.didRenew, about: purchase) {
      $0.password = passwords[number]
    }
    try await scene.service.receive(notification)
  }

  @Test("are not taken by an empty password, also where one is configured")
  func emptyPassword() async throws {
    let scene = try await NotificationScene(passwords: [AppSharedSecret("")])
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    let notification = try scene.notificationV1(.didRenew, about: purchase) { $0.password = "" }
    #expect(try await refusal { try await scene.service.receive(notification) } == .wrongPassword)
  }

  @Test("are the same only with the same type and the same receipt, whatever else they say")
  func same() async throws {
    let scene = try await NotificationScene()
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    let asked = scene.scene.appStore.requests.count
    func poke(_ type: NotificationTypeV1, receipt: String? = nil) async throws {
      try await scene.service.receive(
        try scene.notificationV1(type, about: purchase) {
          if let receipt { $0.unifiedReceipt?.latestReceipt = receipt }
        })
    }
    let first = try scene.scene.appStore.receipt(of: purchase.customer)
    scene.scene.appStore.clock.advance(by: .seconds(1))
    let second = try scene.scene.appStore.receipt(of: purchase.customer)
    #expect(first != second)
    // Two renewals, and two changes of the coming product in one period, without latest_receipt_info.
    for type in [NotificationTypeV1.didRenew, .didChangeRenewalPref] {
      for receipt in [first, second, first] { try await poke(type, receipt: receipt) }
    }
    #expect(scene.scene.appStore.requests.count == asked + 4)
  }

  @Test("of a second renewal are taken, also without the list of transactions")
  func secondRenewal() async throws {
    let scene = try await NotificationScene()
    let purchase = try await scene.scene.bought()
    for days in [60.0, 90] {
      scene.scene.appStore.clock.advance(by: .days(30))
      _ = try scene.scene.appStore.renew(purchase)
      try await scene.service.receive(try scene.notificationV1(.didRenew, about: purchase))
      #expect(
        try await scene.scene.service.subscription(purchase.originalTransactionID).expiresDate
          == ServiceScene.start + days * 86_400)
    }
  }

  @Test("are checked in the order of the contract")
  func checks() async throws {
    let scene = try await NotificationScene()
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    let otherApp = try scene.notificationV1(.didRenew, about: purchase) {
      $0.bundleID = "com.example.other"
      $0.unifiedReceipt = nil
    }
    let bundle = try await refusal { try await scene.service.receive(otherApp) }
    #expect(bundle == .bundleIDNotAllowed)
    #expect(bundle?.answer.field == "bid")
    let empty = try scene.notificationV1(.didRenew, about: purchase) {
      $0.unifiedReceipt?.latestReceipt = ""
    }
    let receipt = try await refusal { try await scene.service.receive(empty) }
    #expect(receipt == .receiptMissing)
    #expect(receipt?.answer.field == "unified_receipt")
    #expect(receipt?.answer.code == "invalid")
  }

  @Test("ask Apple to come again when Apple itself cannot be asked; nothing is noted")
  func unavailable() async throws {
    let scene = try await NotificationScene()
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    let notification = try scene.notificationV1(.initialBuy, about: purchase)
    scene.scene.appStore.fail(with: .transportFailure(.notConnected))
    let failure = try await refusal { try await scene.service.receive(notification) }
    #expect(failure?.answer.status == 503)
    scene.scene.appStore.fail(with: .status(.notAuthenticated))
    let invalid = try await refusal { try await scene.service.receive(notification) }
    #expect(invalid?.answer.status == 422)
    #expect(invalid?.answer.field == "verification")
    try await scene.service.receive(notification)
    #expect(
      try await scene.scene.service.subscription(purchase.originalTransactionID).productID
        == ServiceScene.monthly)
  }

  @Test("in JSON are told from version 2 by their form")
  func body() async throws {
    let scene = try await NotificationScene()
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    let notification = try scene.notificationV1(.initialBuy, about: purchase)
    try await scene.service.receive(body: Array(JSONEncoder().encode(notification)))
    #expect(
      try await scene.scene.service.subscription(purchase.originalTransactionID).productID
        == ServiceScene.monthly)
    for body in ["", "[]", "{", "null"] {
      #expect(
        try await refusal { try await scene.service.receive(body: Array(body.utf8)) }
          == .malformedBody)
    }
    #expect(
      try await refusal {
        try await scene.service.receive(body: Array(#"{"unified_receipt":1}"#.utf8))
      }
        == .wrongPassword)
  }

  @Test(
    "as Apple really sent them lead to what Apple really answered",
    .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
  func real() async throws {
    let store = InMemoryPurchaseStore()
    let answer = Array(
      try Fixtures.data("verify-receipt/json/dollabill-subscription_first_time_purchase.json"))
    let response = try VerifyReceiptResponse(json: JSONValue(parsing: answer))
    var configuration = VerifyReceiptClient.Configuration()
    configuration.environments = [.production, .sandbox]
    configuration.clock = ManualClock()
    let client = try VerifyReceiptClient(
      transport: FixedAnswer(HTTPResponseMessage(status: .ok, body: answer)),
      bundleIDs: [try #require(response.bundleID), "com.foo.foo"],
      configuration: configuration)
    let product = try #require(response.latestReceiptInfo?.first?.productID)
    let subscriptions = try SubscriptionService(
      PurchaseContext(store: store, accounts: InMemoryAccountDirectory()),
      products: ProductMap([product: Plan(tier: .standard, cycle: .month)]), appStore: client)
    let service = try NotificationService(
      subscriptions.context.with(verifier: try await NotificationScene().service.verifier),
      subscriptions: subscriptions, passwords: [AppSharedSecret("foo")])
    try await service.receive(
      body: Array(try Fixtures.data("notifications-v1/dollabill-cancel.json")))

    // From Apple's answer, by hand: the last of three periods, which renews.
    let subscription = try await subscriptions.subscription("1000000741421650")
    #expect(subscription.environment == .sandbox)
    #expect(subscription.lastTransactionID == "1000000741422339")
    #expect(subscription.expiresDate == Date(timeIntervalSince1970: 1_605_230_303))
    #expect(subscription.purchaseDate == Date(timeIntervalSince1970: 1_605_230_123))
    #expect(subscription.autoRenewal)
    let kept = try await store.read { records in
      try await records.purchases.transactions(of: ["1000000741421650"], environment: .sandbox)
    }
    #expect(
      Set(kept.map(\.transactionID))
        == ["1000000741421650", "1000000741421949", "1000000741422339"])
  }
}
