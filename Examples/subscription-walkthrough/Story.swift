import StoreSimulators
import StorekeeperHTTP
import LinkPolicy
import PurchaseStorage
import ReceiptModels
import Storekeeper
import StorekeeperTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What happens, step by step.
struct Story {
  let newspaper: Newspaper

  private var service: SubscriptionService { newspaper.service }
  private var appStore: AppStoreSimulator { newspaper.appStore }

  func tell() async throws {
    let monthly = try await step("A reader buys a month in the app, which sends us the receipt") {
      let purchase = try appStore.buy("reader.monthly", by: "alice's phone")
      let subscription = try await service.subscription(receipt: purchase.receipt)
      return (purchase, "Apple confirms the receipt. \(subscription.words)")
    }
    let id = monthly.originalTransactionID
    try await step("Alice links the subscription with her account") {
      ((), try await service.link("alice", to: id).words)
    }
    try await refused("Bob sends the same subscription for his account", as: .linkedToOtherAccount)
    {
      try await service.link("bob", to: id)
    }

    let premium = try await step("Alice buys a premium year with another Apple account") {
      let purchase = try appStore.buy("reader.premium", by: "alice's tablet")
      let subscription = try await service.subscription(receipt: purchase.receipt)
      return (purchase, "Apple confirms the receipt. \(subscription.words)")
    }
    let other = premium.originalTransactionID
    try await refused("She links it as well", as: .linkedToOtherSubscription) {
      try await service.link("alice", to: other)
    }
    try await step("She insists (force), as the app asked her which one to use") {
      ((), try await service.link("alice", to: other, force: true).words)
    }

    let renewal = try await step("A year passes, Apple renews, and the app sends the new receipt") {
      appStore.clock.advance(by: .days(365))
      let renewal = try appStore.renew(premium)
      let subscription = try await service.subscription(receipt: renewal.receipt)
      return (renewal, "The membership follows. \(subscription.words)")
    }
    try await step("Apple gives the money for that year back; the refresh finds out") {
      appStore.clock.advance(by: .days(10))
      try appStore.refund(renewal)
      let subscription = try await service.refresh(other)
      return ((), "The membership is shortened. \(subscription.words)")
    }
    try await step("Alice unlinks the subscription") {
      try await service.unlink("alice", from: other)
      return ((), "Nobody owns it now, and Alice has no membership.")
    }
    try await step("The outbox is delivered to the mailer") {
      let delivery = OutboxDelivery(
        store: newspaper.store, handler: Printer(),
        now: { [appStore] in appStore.now })
      let report = try await delivery.deliverDue()
      return ((), "\(report.delivered) delivered, \(report.failed) failed.")
    }
  }

  // MARK: Telling

  @discardableResult
  private func step<Value>(
    _ title: String, _ body: () async throws -> (Value, String)
  ) async throws -> Value {
    print("\n* \(title)")
    let before = try await Records(of: newspaper)
    let (value, words) = try await body()
    print("  \(words)")
    for line in try await Records(of: newspaper).differences(from: before) {
      print("    written: \(line)")
    }
    return value
  }

  private func refused(
    _ title: String, as expected: LinkRefusal, _ body: () async throws -> Membership
  ) async throws {
    try await step(title) {
      do {
        _ = try await body()
        throw UnexpectedOutcome()
      } catch let failure as SubscriptionFailure where failure == .refused(expected) {
        let answer = failure.answer(under: .current)
        let reason = "\(answer.field ?? "")/\(answer.code ?? "")"
        return ((), "Refused, \(answer.status) \(reason): \(answer.message)")
      }
    }
  }
}

/// Something was accepted that had to be refused.
struct UnexpectedOutcome: Error {}

struct Printer: OutboxHandler {
  func deliver(_ message: OutboxMessage, number: Int) {
    guard let account = message.account else { return }
    let day = message.expireDate.map { "until \($0)" } ?? ""
    print("  message \(number) to \(account.id): \(message.kind) \(day)")
  }
}

extension Subscription {
  fileprivate var words: String {
    let renewal = autoRenewal ? "renews by itself" : "does not renew"
    return "Subscription \(originalTransactionID): \(tier), until \(CalendarDay(expiresDate)), "
      + "\(renewal), \(owner.map { "owned by \($0)" } ?? "owned by nobody")."
  }
}

extension Membership {
  fileprivate var words: String {
    "Accepted. \(accountID.map { "\($0)" } ?? "") has a \(tier.map { "\($0)" } ?? "") membership until "
      + "\(expireDate.map { "\($0)" } ?? ""), paid by Apple subscription \(originalTransactionID ?? "")."
  }
}
