import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting

/// What happens at a host: before the backup, which both databases have, and afterwards, which one lost.
struct RebuildStory {
  let scene: RebuildScene
  var subscriptions: [TestPurchase] = []
  var packs: [TestPurchase] = []
  var plays: [TestPlayPurchase] = []
  var theme: TestPlayPurchase?
  private var pushed = 0
  /// The moment of the backup.
  private(set) var backup = Date.distantPast

  init(_ scene: RebuildScene) async throws {
    self.scene = scene
    try await beforeBackup()
  }

  private func user(_ number: Int) -> AccountID { RebuildScene.users[number] }

  private mutating func beforeBackup() async throws {
    let (appStore, play) = (scene.appStore, scene.play)
    for number in 0..<6 {
      let purchase = try appStore.buy(
        ServiceScene.monthly, by: "customer-\(number)",
        appAccountToken: scene.token(of: user(number)))
      subscriptions.append(purchase)
      try await scene.tell(purchase.notification, scene.both)
      let pack = try appStore.buy(
        RebuildScene.pack, by: "customer-\(number)", appAccountToken: scene.token(of: user(number)))
      packs.append(pack)
      try await scene.tell(pack.notification, scene.both)
      scene.pass(.seconds(60))
    }
    for number in 0..<4 {
      let sold = try play.subscribe(
        "basic_monthly", by: "customer-\(number)", scene.terms(of: user(number + 4)))
      plays.append(sold)
    }
    let theme = try play.buy("gold_theme", by: "customer-1", scene.terms(of: user(1)))
    self.theme = theme
    pushed = try await scene.push(to: scene.both, after: pushed)
    for host in scene.both {
      for number in 0..<4 {
        _ = try await host.subscriptions.link(
          user(number), to: subscriptions[number].originalTransactionID)
        try await host.entitlements.validate(
          UploadedEvidence(signedTransactions: [subscriptions[number].signedTransactionInfo]),
          for: user(number), in: ServiceScene.bundleID)
      }
      for number in packs.indices { try await host.claim(packs[number], for: user(number)) }
      // Two that did not link order, and their orders rest on a purchase of each vendor.
      _ = try await host.orders.order(
        SubscriptionOrder(
          userID: user(4), vendor: .apple, receiptData: subscriptions[4].signedTransactionInfo))
      _ = try await host.orders.order(
        SubscriptionOrder(userID: user(5), vendor: .google, receiptData: plays[1].purchaseToken))
      try await host.entitlements.validate(
        UploadedEvidence(purchaseTokens: [theme.purchaseToken]), for: user(1),
        in: ServiceScene.bundleID)
      try await host.spend(30, of: user(0), event: "early")
    }
    scene.pass(.days(20))
    backup = scene.appStore.now
  }

  /// Everything of which the stores know.
  mutating func afterBackup() async throws {
    let (appStore, play, lost) = (scene.appStore, scene.play, [scene.lost])
    scene.pass(.days(9))
    // Renewals of all but one, which ends.
    try await scene.tell(appStore.setAutoRenew(.off, of: subscriptions[3]), lost)
    for number in [0, 1, 2, 4, 5] {
      subscriptions[number] = try appStore.renew(subscriptions[number])
      try await scene.tell(subscriptions[number].notification, lost)
      scene.pass(.seconds(60))
    }
    for number in plays.indices { plays[number] = try play.renew(plays[number]) }
    scene.pass(.days(2))
    try await scene.tell(
      appStore.expire(subscriptions[3], for: .customerCancelled), lost)
    // A refund of a subscription, and an upgrade of another.
    try await scene.tell(appStore.refund(subscriptions[1]), lost)
    subscriptions[2] = try appStore.upgrade(subscriptions[2], to: ServiceScene.premium)
    try await scene.tell(subscriptions[2].notification, lost)
    // That a charge was replaced is told by no notification, but by the history.
    try await scene.lost.subscriptions.reconcile(
      subscriptions[2].originalTransactionID, with: scene.lost.client)
    try await scene.tell(appStore.failRenewal(subscriptions[5]), lost)
    // New customers.
    let new = try appStore.buy(
      ServiceScene.yearly, by: "customer-6", appAccountToken: scene.token(of: user(6)))
    subscriptions.append(new)
    try await scene.tell(new.notification, lost)
    let lifetime = try appStore.buy("reader.lifetime", by: "customer-0")
    try await scene.tell(lifetime.notification, lost)
    scene.pass(.days(1))
    // Credits: bought, bought and refunded, refunded, refunded and given back.
    let bought = try appStore.buy(
      RebuildScene.big, by: "customer-0", appAccountToken: scene.token(of: user(0)))
    try await scene.tell(bought.notification, lost)
    try await scene.lost.claim(bought, for: user(0))
    let refunded = try appStore.buy(
      RebuildScene.big, by: "customer-7", appAccountToken: scene.token(of: user(7)))
    try await scene.tell(refunded.notification, lost)
    try await scene.lost.claim(refunded, for: user(7))
    scene.pass(.seconds(60))
    try await scene.tell(appStore.refund(refunded), lost)
    try await scene.tell(appStore.refund(packs[1]), lost)
    try await scene.tell(appStore.refund(packs[2]), lost)
    scene.pass(.seconds(60))
    try await scene.tell(appStore.reverseRefund(packs[2]), lost)
    // Google: one is taken back, one is cancelled, and so is what was bought once.
    _ = try play.revoke(plays[0])
    _ = try play.cancel(plays[1])
    if let theme { _ = try play.refund(theme) }
    pushed = try await scene.push(to: lost, after: pushed)
    scene.pass(.days(1))
  }

  /// What only the host knew, of these users.
  func unknownToStores() async throws -> Set<AccountID> {
    let lost = scene.lost
    _ = try await lost.subscriptions.link(user(6), to: subscriptions[6].originalTransactionID)
    try await lost.subscriptions.unlink(user(2), from: subscriptions[2].originalTransactionID)
    try await lost.spend(70, of: user(0), event: "late")
    return [user(2), user(6)]
  }
}
