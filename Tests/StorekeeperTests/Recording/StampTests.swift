import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Stamps of renewal infos", .onEveryStore)
struct StampTests {
  private static let end = ServiceScene.start + 30 * 86_400

  private struct Unexpected: Error {}

  private func renewals(
    _ scene: NotificationScene, _ purchase: TestPurchase
  ) async throws -> [RenewalRecord] {
    let id = purchase.originalTransactionID
    return try await scene.scene.store.read { records in
      try await records.purchases.renewals(of: [id], environment: .production)
    }
  }

  @Test("are rounded down once, so that the first renewal info of a fractional date counts")
  func fraction() async throws {
    let scene = try await NotificationScene()
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    // As they lie in a payload; the models write whole milliseconds.
    func signed(_ payload: some JSONModel) throws -> String {
      guard case .object(var members) = payload.json else { throw Unexpected() }
      members["signedDate"] = .number(1_700_000_000_001.7)
      return try scene.authority.sign(JSONValue.object(members))
    }
    let transaction = try signed(scene.transaction(purchase, expires: Self.end))
    let renewal = try signed(scene.renewal(purchase, willRenew: true))
    let token = try scene.signed(.subscribed, nil) {
      $0.data?.signedTransactionInfo = transaction
      $0.data?.signedRenewalInfo = renewal
    }
    try await scene.service.receive(signedPayload: token)
    let stored = try await renewals(scene, purchase)
    #expect(stored.map(\.willRenew) == [true])
    #expect(stored.map(\.signedDate) == [Date(timeIntervalSince1970: 1_700_000_000.001)])
    #expect(
      try await scene.scene.service.subscription(purchase.originalTransactionID).autoRenewal)
  }

  @Test("count for themselves, not by what else is newer about the subscription")
  func olderThanTransaction() async throws {
    let scene = try await NotificationScene()
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    func receive(
      _ type: NotificationType, after seconds: Double, renews: Bool?
    ) async throws {
      var transaction = scene.transaction(purchase, expires: Self.end)
      transaction.signedDate = ServiceScene.start + seconds
      var renewal = renews.map { scene.renewal(purchase, willRenew: $0) }
      renewal?.signedDate = ServiceScene.start + seconds
      let token = try scene.signed(type, transaction, renewal, uuid: "u-\(seconds)")
      try await scene.service.receive(signedPayload: token)
    }
    let id = purchase.originalTransactionID
    try await receive(.subscribed, after: 1, renews: true)
    // A newer notification without renewal info, and only then that renewal was switched off before.
    try await receive(.priceIncrease, after: 20, renews: nil)
    try await receive(.didChangeRenewalStatus, after: 10, renews: false)
    #expect(try await !scene.scene.service.subscription(id).autoRenewal)
    try await receive(.didChangeRenewalStatus, after: 5, renews: true)
    #expect(try await !scene.scene.service.subscription(id).autoRenewal)
    try await receive(.didChangeRenewalStatus, after: 15, renews: true)
    #expect(try await scene.scene.service.subscription(id).autoRenewal)
  }

  @Test("let an answer of verifyReceipt replace all that is not newer")
  func answer() async throws {
    let scene = try await NotificationScene()
    let purchase = try await scene.scene.bought()
    scene.scene.appStore.clock.advance(by: .seconds(60))
    // Of another product, and newer than the answer that comes next.
    var renewal = scene.renewal(purchase, willRenew: true)
    renewal.productID = ServiceScene.yearly
    renewal.signedDate = scene.scene.now + 120
    let transaction = scene.transaction(purchase, expires: Self.end)
    try await scene.service.receive(
      signedPayload: try scene.signed(.didChangeRenewalPref, transaction, renewal))
    scene.scene.appStore.clock.advance(by: .seconds(60))
    try await scene.scene.verify()
    #expect(
      try await Set(renewals(scene, purchase).compactMap(\.productID))
        == [ServiceScene.monthly, ServiceScene.yearly])
    scene.scene.appStore.clock.advance(by: .seconds(61))
    try await scene.scene.verify()
    #expect(
      try await renewals(scene, purchase).compactMap(\.productID) == [ServiceScene.monthly])
  }
}

@Suite("A transaction that Apple moved to another original id", .onEveryStore)
struct MovedTransactionTests {
  @Test("ends the subscription that it left, and is found under the new one, in either order")
  func moved() async throws {
    for isInOrder in [true, false] {
      let scene = try await NotificationScene()
      let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
      var old = scene.transaction(purchase, expires: ServiceScene.start + 30 * 86_400)
      old.signedDate = ServiceScene.start + 1
      var moved = old
      moved.originalTransactionID = "990000000000001"
      moved.previousOriginalTransactionID = old.originalTransactionID
      moved.signedDate = ServiceScene.start + 2
      let tokens = [
        try scene.signed(.subscribed, old, scene.renewal(purchase, willRenew: true), uuid: "1"),
        try scene.signed(.migration, moved, uuid: "2"),
      ]
      let first = isInOrder ? tokens : tokens.reversed()
      try await scene.service.receive(signedPayload: first[0])
      if isInOrder {
        _ = try await scene.scene.service.link("alice", to: purchase.originalTransactionID)
      }
      try await scene.service.receive(signedPayload: first[1])
      let left = try await scene.scene.service.subscription(purchase.originalTransactionID)
      #expect(left.expiresDate == ServiceScene.start)
      #expect(!left.autoRenewal)
      let found = try await scene.scene.service.subscription("990000000000001")
      #expect(found.expiresDate == ServiceScene.start + 30 * 86_400)
      #expect(found.lastTransactionID == purchase.transactionID)
      if isInOrder {
        let membership = try #require(try await scene.scene.membership(of: "alice"))
        #expect(membership.expireDate == CalendarDay(ServiceScene.start))
        #expect(!membership.autoRenew)
      }
    }
  }

  @Test("ends the subscription that it left also where only what is stored tells of it")
  func movedWithoutWord() async throws {
    let scene = try await NotificationScene()
    let purchase = try await scene.scene.bought()
    let id = purchase.originalTransactionID
    _ = try await scene.scene.service.link("alice", to: id)
    var moved = scene.transaction(purchase, expires: ServiceScene.start + 30 * 86_400)
    moved.originalTransactionID = "990000000000001"
    moved.signedDate = scene.scene.now + 1
    try await scene.service.receive(signedPayload: try scene.signed(.didRenew, moved))
    let left = try await scene.scene.service.subscription(id)
    #expect(left.expiresDate == ServiceScene.start)
    #expect(!left.autoRenewal)
    #expect(
      try await scene.scene.membership(of: "alice")?.expireDate == CalendarDay(ServiceScene.start))
  }

  @Test("leaves the charges that were not moved where they are")
  func partly() async throws {
    let scene = try await NotificationScene()
    let purchase = try await scene.scene.bought()
    let id = purchase.originalTransactionID
    scene.scene.appStore.clock.advance(by: .days(30))
    let renewed = try scene.scene.appStore.renew(purchase)
    try await scene.scene.verify()
    var moved = scene.transaction(renewed, expires: ServiceScene.start + 60 * 86_400)
    moved.purchaseDate = ServiceScene.start + 30 * 86_400
    moved.originalTransactionID = "990000000000001"
    moved.previousOriginalTransactionID = id
    moved.signedDate = scene.scene.now + 1
    try await scene.service.receive(signedPayload: try scene.signed(.migration, moved))
    let left = try await scene.scene.service.subscription(id)
    #expect(left.expiresDate == ServiceScene.start + 30 * 86_400)
    #expect(!left.autoRenewal)
    #expect(
      try await scene.scene.service.subscription("990000000000001").expiresDate
        == ServiceScene.start + 60 * 86_400)
  }
}
