import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Orders that follow Apple's notifications, without a login", .onEveryStore)
struct OrderNotificationTests {
  private static let day = Duration.seconds(86_400)

  @Test("a refund ends an order at once, and the purchase, told late, does not bring it back")
  func refund() async throws {
    let host = try await AppleHost()
    let year = try host.appStore.buy(ServiceScene.premium)
    #expect(try await host.order(year).level == AppleHost.pro)
    host.appStore.clock.advance(by: Self.day)
    try await host.tell(try host.appStore.refund(year))
    let refunded = try #require(try await host.row())
    #expect(refunded.expiration <= host.appStore.now)
    try await host.tell(year.notification)
    #expect(try await host.row() == refunded)
    #expect(try await host.services.orders.subscriptionForProfile(of: "alice") == nil)
    #expect(try await host.row() == nil)
    await #expect(throws: OrderFailure.refused(.expired)) { try await host.order(year) }
  }

  @Test(
    "a renewal that is told after the next one removes nothing, and the next one counts when told")
  func lateRenewal() async throws {
    let host = try await AppleHost()
    let month = try host.appStore.buy(ServiceScene.monthly)
    _ = try await host.order(month)
    let ordered = try #require(try await host.row())
    host.appStore.clock.advance(by: Self.day * 35)
    let second = try host.appStore.renew(month)
    host.appStore.clock.advance(by: Self.day * 30)
    let third = try host.appStore.renew(month)
    host.appStore.clock.advance(by: Self.day)
    try await host.tell(month.notification)
    try await host.tell(second.notification)
    let kept = try #require(try await host.row())
    #expect(kept.expiration >= ordered.expiration)
    try await host.tell(third.notification)
    #expect(try #require(try await host.row()).expiration > host.appStore.now)
  }

  @Test("an upgrade changes the level at once; the last answer of Apple's stays as old as it is")
  func upgrade() async throws {
    let host = try await AppleHost()
    let month = try host.appStore.buy(ServiceScene.monthly)
    _ = try await host.order(month)
    let ordered = try #require(try await host.row())
    host.appStore.clock.advance(by: Self.day)
    let premium = try host.appStore.upgrade(month, to: ServiceScene.premium)
    try await host.tell(premium.notification)
    let followed = try #require(try await host.row())
    #expect(followed.levelName == AppleHost.pro.name)
    #expect(followed.expiration > ordered.expiration)
    #expect(followed.validatedDate == ordered.validatedDate)
    // Told late, the purchase from before the upgrade says nothing new.
    try await host.tell(month.notification)
    #expect(try await host.row() == followed)
  }

  @Test("a renewal moves the end; a purchase of nobody's and that of another user change nothing")
  func renewal() async throws {
    let host = try await AppleHost()
    let month = try host.appStore.buy(ServiceScene.monthly)
    _ = try await host.order(month)
    let ordered = try #require(try await host.row())
    try await host.tell(try host.appStore.buy(ServiceScene.premium, by: "another").notification)
    #expect(try await host.row() == ordered)
    host.appStore.clock.advance(by: Self.day * 40)
    let renewed = try host.appStore.renew(month)
    try await host.tell(renewed.notification)
    let followed = try #require(try await host.row())
    #expect(followed.expiration > ordered.expiration)
    #expect(followed.levelName == ordered.levelName)
  }

  @Test("a refund under the identifier that Apple moved the purchase to ends the order")
  func movedRefund() async throws {
    let host = try await AppleHost()
    let year = try host.appStore.buy(ServiceScene.premium)
    _ = try await host.order(year)
    host.appStore.clock.advance(by: Self.day)
    let refund = try host.appStore.refund(year)
    var transaction = try host.verifier.transaction(refund.signedTransactionInfo).payload
    transaction.originalTransactionID = "2000000900000002"
    try await host.tell(refund, about: transaction)
    #expect(try #require(try await host.row()).expiration <= host.appStore.now)
  }

  @Test("a host with orders alone remembers a refund that it heard before the order")
  func ordersAlone() async throws {
    let host = try await AppleHost(asks: false)
    let services = host.services
    let orders = try OrderService(services.orders.context, vendors: services.orders.vendors)
    let notifications = try NotificationService(orders.context, orders: orders)
    let year = try host.appStore.buy(ServiceScene.premium)
    let kept = try year.signedTransactionInfo
    host.appStore.clock.advance(by: Self.day)
    try await notifications.receive(
      signedPayload: try host.appStore.refund(year).signedPayload)
    await #expect(throws: OrderFailure.refused(.expired)) {
      try await orders.order(
        SubscriptionOrder(userID: "alice", vendor: .apple, receiptData: kept))
    }
  }
}

extension AppleHost {
  /// Tells of a notification with another transaction in it.
  fileprivate func tell(_ told: TestNotification, about transaction: Transaction) async throws {
    var notification = try verifier.notification(told.signedPayload).payload.notification
    notification.data?.signedTransactionInfo = try appStore.signedDataAuthority.sign(transaction)
    notification.data?.signedRenewalInfo = nil
    try await services.notifications.receive(
      signedPayload: try appStore.signedDataAuthority.sign(notification))
  }

  /// The stored order of a user.
  fileprivate func row(of userID: AccountID = "alice") async throws -> OrderedSubscription? {
    try await services.orders.store.read { try await $0.orderedSubscriptions.find(userID) }
  }
}
