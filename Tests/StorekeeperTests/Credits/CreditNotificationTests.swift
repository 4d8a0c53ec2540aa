import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

/// Source: credit rules, sections 6, 9 (rows 25 to 27) and 10.
@Suite("Notifications for credits", .onEveryStore)
struct CreditNotificationTests {
  private let uuid = "6f1c3a52-0c1e-4f57-9a55-0d3b1c7e9a10"

  /// The failure of a notification, and that it was not recorded.
  private func refused(_ scene: CreditScene, _ token: String) async throws -> NotificationFailure? {
    let failure = try await refusal { try await scene.notifications.receive(creditPayload: token) }
    #expect(try await scene.recorded(uuid) == nil)
    return failure
  }

  // MARK: Types

  @Test(
    "row 25: TEST, DID_RENEW, an invented type: recorded, no effect",
    arguments: ["TEST", "DID_RENEW", "ONE_TIME_CHARGE", "REFUND_DECLINED", "INVENTED_TYPE"])
  func ignored(name: String) async throws {
    try await CreditScene.run { (scene) async throws in
      _ = try await scene.verify(scene.transaction())
      let type = NotificationType(rawValue: name)
      let transaction = type == .test ? nil : scene.transaction()
      #expect(try await scene.notify(type, transaction, uuid: uuid) == .ignoredType)
      let record = try #require(try await scene.recorded(uuid))
      #expect(record.type == name)
      #expect(record.environment == .production)
      #expect(record.transactionID == (type == .test ? nil : CreditScene.x))
      #expect(record.signedDate == ServiceScene.start)
      #expect(record.processedDate == ServiceScene.start)
      #expect(try await scene.row()?.status == .granted)
      #expect(try await scene.balance() == 600)
    }
  }

  @Test("a type without effect is recorded although its transaction would be refused")
  func ignoredBeforeTransaction() async throws {
    let invented = NotificationType(rawValue: "INVENTED")
    try await CreditScene.run { (scene) async throws in
      let foreign = scene.transaction { $0.bundleID = "com.example.other" }
      #expect(try await scene.notify(.didRenew, foreign, uuid: uuid) == .ignoredType)
      let other = UUID().uuidString
      let strange = scene.transaction("not-digits")
      #expect(try await scene.notify(invented, strange, uuid: other) == .ignoredType)
      let forged = try scene.notification(invented, nil, uuid: "forged") {
        $0.data?.signedTransactionInfo = "a.b.c"
      }
      try await scene.notifications.receive(creditPayload: forged)
      #expect(try await scene.recorded("forged")?.outcome == .ignoredType)
    }
  }

  @Test("a UUID that was seen has no effect, whatever comes with it")
  func seen() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = scene.transaction()
      _ = try await scene.verify(transaction)
      #expect(try await scene.notify(.refund, transaction, uuid: uuid) == .clawedBack)
      let foreign = scene.transaction { $0.bundleID = "com.example.other" }
      #expect(try await scene.notify(.refundReversed, foreign, uuid: uuid) == .clawedBack)
      #expect(try await scene.notify(.refundReversed, transaction, uuid: uuid) == .clawedBack)
      #expect(try await scene.notify(.refundReversed, nil, uuid: uuid) == .clawedBack)
      #expect(try await scene.balance() == 100)
    }
  }

  @Test("DID_FAIL_TO_RENEW takes the last paid period back, for every subtype")
  func failedRenewal() async throws {
    try await CreditScene.run { (scene) async throws in
      for (number, subtype) in [nil, NotificationSubtype.gracePeriod].enumerated() {
        let transaction = scene.transaction("20000009000000\(number)") {
          $0.type = .autoRenewableSubscription
          $0.expiresDate = ServiceScene.start + 86_400
        }
        _ = try await scene.verify(transaction)
        let token = try scene.notification(.didFailToRenew, transaction, uuid: "fail-\(number)") {
          $0.subtype = subtype
        }
        try await scene.notifications.receive(creditPayload: token)
        let record = try #require(try await scene.recorded("fail-\(number)"))
        #expect(record.outcome == .clawedBack)
        #expect(record.subtype == subtype?.rawValue)
        #expect(try await scene.balance() == 100)
      }
    }
  }

  @Test("a host that drops DID_FAIL_TO_RENEW ignores it, and only it")
  func fewerTypes() async throws {
    try await CreditScene.run {
      $0.options.clawbackTypes = [.refund, .revoke]
    } _: { (scene) async throws in
      let transaction = scene.transaction()
      _ = try await scene.verify(transaction)
      #expect(try await scene.notify(.didFailToRenew, transaction) == .ignoredType)
      #expect(try await scene.balance() == 600)
      #expect(try await scene.notify(.revoke, transaction) == .clawedBack)
      #expect(try await scene.notify(.refundReversed, transaction) == .restored)
    }
  }

  // MARK: Refused

  @Test("row 26: a changed signature, and an inner transaction of another bundle: not recorded")
  func refused() async throws {
    try await CreditScene.run { (scene) async throws in
      _ = try await scene.verify(scene.transaction())
      let token = try scene.notification(.refund, scene.transaction(), uuid: uuid)
      let other = try scene.notification(.refund, scene.transaction(), uuid: UUID().uuidString)
      let parts = token.split(separator: ".")
      let changed = "\(parts[0]).\(parts[1]).\(other.split(separator: ".")[2])"
      #expect(try await refused(scene, changed) == .notAuthentic(.signatureInvalid))
      let foreign = scene.transaction { $0.bundleID = "com.example.other" }
      #expect(
        try await refused(scene, scene.notification(.refund, foreign, uuid: uuid))
          == .notAuthentic(
            .nested(.transaction, .bundleMismatch(found: "com.example.other"))))
      var sandbox = scene.transaction()
      sandbox.environment = .sandbox
      let mixed = try scene.notification(.refund, sandbox, uuid: uuid) {
        $0.data?.environment = .production
      }
      #expect(
        try await refused(scene, mixed)
          == .notAuthentic(.nestedMismatch(.environment(.transaction))))
      #expect(try await scene.balance() == 600)
      // The same notification, genuine.
      try await scene.notifications.receive(creditPayload: token)
      #expect(try await scene.recorded(uuid)?.outcome == .clawedBack)
    }
  }

  @Test("an effect needs a transaction with every value")
  func incomplete() async throws {
    try await CreditScene.run { (scene) async throws in
      #expect(
        try await refused(scene, scene.notification(.refund, nil, uuid: uuid)) == .payloadInvalid)
      let changes: [(inout Transaction) -> Void] = [
        { $0.transactionID = nil }, { $0.productID = nil }, { $0.quantity = 0 },
      ]
      for change in changes {
        let transaction = scene.transaction { change(&$0) }
        #expect(
          try await refused(scene, scene.notification(.revoke, transaction, uuid: uuid))
            == .payloadInvalid)
      }
      let strange = scene.transaction("12a")
      #expect(
        try await refused(scene, scene.notification(.refund, strange, uuid: uuid)) == .malformedID)
    }
  }

  @Test("a notification without type or UUID is no payload")
  func unnamed() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = scene.transaction()
      let changes: [(inout ServerNotification) -> Void] = [
        { $0.notificationType = nil }, { $0.notificationUUID = nil }, { $0.notificationUUID = "" },
      ]
      for change in changes {
        let token = try scene.notification(.refund, transaction, uuid: uuid) { change(&$0) }
        #expect(try await refused(scene, token) == .payloadInvalid)
      }
      #expect(try await scene.row() == nil)
      #expect(try await scene.kept().isEmpty)
    }
  }

  @Test("a notification of another app is refused")
  func otherApp() async throws {
    try await CreditScene.run { (scene) async throws in
      let bundle = try scene.notification(.refund, nil, uuid: uuid) {
        $0.data?.bundleID = "com.example.other"
      }
      #expect(
        try await refused(scene, bundle) == .otherApp(.bundleMismatch(found: "com.example.other")))
      let number = try scene.notification(.refund, nil, uuid: uuid) { $0.data?.appAppleID = 5 }
      #expect(try await refused(scene, number) == .otherApp(.appAppleIdMismatch(found: 5)))
    }
  }

  // MARK: Environments

  @Test(
    "an environment outside the set is recorded and ignored",
    arguments: ["Xcode", "LocalTesting", "Sandbox", "Moon"])
  func foreignEnvironment(name: String) async throws {
    try await CreditScene.run {
      $0.verified = [.production]
    } _: { (scene) async throws in
      let transaction = scene.transaction { $0.environment = AppStoreEnvironment(rawValue: name) }
      for _ in 1...2 {
        #expect(try await scene.notify(.refund, transaction, uuid: uuid) == .ignoredEnvironment)
      }
      let record = try #require(try await scene.recorded(uuid))
      #expect(record.environment.rawValue == name)
      #expect(record.type == "REFUND")
      #expect(try await scene.row() == nil)
      #expect(
        try await scene.store.read { records in
          try await records.creditTransactions.transactions(after: nil, limit: 10)
        }.isEmpty)
    }
  }

  @Test("one that the options exclude is recorded and ignored, whatever its transaction")
  func narrowed() async throws {
    try await CreditScene.run {
      $0.options.environments = [.production]
    } _: { (scene) async throws in
      let sandbox = scene.transaction { $0.environment = .sandbox }
      #expect(try await scene.notify(.refund, sandbox, uuid: uuid) == .ignoredEnvironment)
      #expect(try await scene.row(CreditScene.x, .sandbox) == nil)
      let foreign = scene.transaction {
        $0.environment = .sandbox
        $0.bundleID = "com.example.other"
      }
      #expect(try await scene.notify(.refund, foreign, uuid: "u-2") == .ignoredEnvironment)
    }
  }

  @Test("of a foreign environment, too, only our app's are accepted, with type and UUID")
  func foreignApp() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = scene.transaction { $0.environment = .xcode }
      let other = try scene.notification(.refund, transaction, uuid: uuid) {
        $0.data?.bundleID = "com.example.other"
      }
      #expect(
        try await refused(scene, other) == .otherApp(.bundleMismatch(found: "com.example.other")))
      let unnamed = try scene.notification(.refund, transaction, uuid: uuid) {
        $0.notificationType = nil
      }
      #expect(try await refused(scene, unnamed) == .payloadInvalid)
      let anonymous = try scene.notification(.refund, transaction, uuid: uuid) {
        $0.notificationUUID = nil
      }
      #expect(try await refused(scene, anonymous) == .payloadInvalid)
      let token = try scene.notification(.refund, transaction, uuid: uuid)
      let forged = try TestAuthority().sign(scene.transaction())
      #expect(try await refused(scene, forged) != nil)
      #expect(try await refused(scene, String(token.dropLast(8)) + "AAAAAAAA") != nil)
    }
  }

  // MARK: Failures of the database

  @Test(
    "row 27: the database fails, Apple repeats: then clawed back once",
    arguments: [HostRecords.Place.creditTransactions, .creditNotifications])
  func databaseFails(place: HostRecords.Place) async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = scene.transaction()
      _ = try await scene.verify(transaction)
      let token = try scene.notification(.refund, transaction, uuid: uuid)
      scene.faults.arm(place)
      await #expect(throws: BrokenConnection.self) {
        try await scene.notifications.receive(creditPayload: token)
      }
      #expect(try await scene.recorded(uuid) == nil)
      #expect(try await scene.balance() == 600)
      #expect(try await scene.row()?.status == .granted)
      try await scene.audit()
      for _ in 1...2 { try await scene.notifications.receive(creditPayload: token) }
      #expect(try await scene.recorded(uuid)?.outcome == .clawedBack)
      #expect(try await scene.balance() == 100)
      #expect(try await scene.entries().count == 2)
    }
  }

  @Test("a grant whose database fails leaves nothing, and succeeds when repeated")
  func grantFails() async throws {
    try await CreditScene.run { (scene) async throws in
      scene.faults.arm(.creditTransactions)
      let transaction = scene.transaction(of: CreditScene.welcome)
      await #expect(throws: BrokenConnection.self) { try await scene.verify(transaction) }
      #expect(try await scene.balance() == 100)
      #expect(try await scene.verify(transaction).status == .granted)
    }
  }

  // MARK: Undecoded and lost

  @Test("a refund that cannot be decoded is refused; one that is kept is applied once it can be")
  func undecoded() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = scene.transaction()
      _ = try await scene.verify(transaction)
      var members: [String: JSONValue] = [:]
      if case .object(let all) = transaction.json { members = all }
      #expect(members["transactionId"] == .string(CreditScene.x))
      members["storefrontId"] = .integer(143_441)
      let nested = try scene.appStore.signedDataAuthority.sign(JSONValue.object(members))
      let token = try scene.notification(.refund, nil, uuid: uuid) {
        $0.data?.signedTransactionInfo = nested
      }
      await #expect(throws: NotificationFailure.payloadInvalid) {
        try await scene.notifications.receive(creditPayload: token)
      }
      #expect(try await scene.recorded(uuid) == nil)
      #expect(try await scene.balance() == 600)
      // Without an effect it doesn't matter what is inside.
      let harmless = try scene.notification(.didRenew, nil, uuid: "harmless") {
        $0.data?.signedTransactionInfo = nested
      }
      try await scene.notifications.receive(creditPayload: harmless)
      #expect(try await scene.recorded("harmless")?.outcome == .ignoredType)
      let none = try await scene.store.read { records in
        try await records.notifications.keptNotifications(after: nil, limit: 10)
      }
      #expect(none.isEmpty)
      try await scene.notifications.receive(signedPayload: token)
      let kept = try await scene.store.read { records in
        try await records.notifications.keptNotifications(after: nil, limit: 10)
      }
      #expect(kept.map(\.key) == ["v2:" + uuid])
      // The models of a later version decode it; here, it is exchanged for what they would read.
      let later = try scene.notification(.refund, transaction, uuid: uuid)
      try await scene.store.write { records in
        try await records.notifications.removeKeptNotification(key: "v2:" + uuid)
        try await records.notifications.keep(
          KeptNotification(
            key: "v2:" + uuid, environment: .production, signedPayload: later, path: "",
            receivedDate: ServiceScene.start))
      }
      let result = try await scene.notifications.decodeKept()
      #expect([result.applied, result.undecoded, result.refused] == [1, 0, 0] as [Int])
      #expect(try await scene.recorded(uuid)?.outcome == .clawedBack)
      #expect(try await scene.balance() == 100)
    }
  }

  @Test("a kept one whose credits would not fit holds up no other")
  func keptOverflow() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = scene.transaction()
      _ = try await scene.verify(transaction)
      #expect(try await scene.notify(.refund, transaction) == .clawedBack)
      try await scene.give(Int.max - 100, to: "u1")
      let other = scene.transaction(CreditScene.y)
      let tokens = [
        "a": try scene.notification(.refundReversed, transaction, uuid: "a"),
        "b": try scene.notification(.refund, other, uuid: "b"),
      ]
      try await scene.store.write { records in
        for (uuid, token) in tokens {
          try await records.notifications.keep(
            KeptNotification(
              key: "v2:" + uuid, environment: .production, signedPayload: token, path: "",
              receivedDate: ServiceScene.start))
        }
      }
      let result = try await scene.notifications.decodeKept()
      #expect([result.applied, result.undecoded, result.refused] == [1, 0, 1] as [Int])
      #expect(try await scene.recorded("b")?.outcome == .pending)
    }
  }

  @Test("a host with credits alone recovers the notifications that were lost")
  func recovered() async throws {
    try await CreditScene.run { (scene) async throws in
      let purchase = try scene.appStore.buy(CreditScene.big)
      try await scene.notifications.receive(
        creditPayload: purchase.notification.signedPayload)
      let recovery = try await scene.recoverLostRefund(of: purchase)
      let again = try await recovery.recover(.production, since: ServiceScene.start)
      #expect([again.recovered, again.repeated] == [0, 1] as [Int])
      #expect(try await scene.entries().count == 2)
      #expect(scene.incidents.all.isEmpty)
    }
  }
}
