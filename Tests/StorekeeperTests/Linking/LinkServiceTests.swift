import Foundation
import StoreSimulators
import Storekeeper
import Testing

@Suite("Linking a stored subscription", .onEveryStore)
struct LinkServiceTests {
  @Test("makes a membership that lasts as long as the subscription, and tells by e-mail")
  func link() async throws {
    let scene = try await ServiceScene()
    let purchase = try await scene.bought()
    let membership = try await scene.service.link("alice", to: purchase.originalTransactionID)

    #expect(membership.primaryID == "alice")
    #expect(membership.tier == .standard)
    #expect(membership.cycle == .month)
    #expect(membership.expireDate == CalendarDay("2023-12-14"))
    #expect(membership.payMethod == .apple)
    #expect(membership.autoRenew)
    #expect(membership.originalTransactionID == purchase.originalTransactionID)
    #expect(membership.id?.hasPrefix("mmb_") == true)
    #expect(try await scene.membership(of: "alice") == membership)
    let subscription = try await scene.service.subscription(purchase.originalTransactionID)
    #expect(subscription.owner == "alice")
    #expect(subscription.isInUse)
    let messages = try await scene.messages()
    #expect(messages.map(\.kind) == [.link])
    #expect(messages.first?.isAlreadyExpired == false)
    #expect(try await scene.history(of: purchase.originalTransactionID).isEmpty)
  }

  @Test("changes nothing the second time")
  func again() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.bought().originalTransactionID
    let first = try await scene.service.link("alice", to: id)
    let second = try await scene.service.link("alice", to: id)
    #expect(first == second)
    #expect(try await scene.messages().count == 1)
  }

  @Test(
    "white space of Unicode is not part of an account's identifier",
    arguments: [
      "\t\n\u{B}\u{C}\r ", "\u{85}", "\u{A0}", "\u{1680}", "\u{2000}\u{200A}", "\u{2028}\u{2029}",
      "\u{202F}", "\u{205F}", "\u{3000}", String(repeating: "\u{3000}", count: 10_000),
    ])
  func whiteSpaceOfUnicode(space: String) throws {
    #expect(throws: AccountFailure.missing) { try AccountID(space) }
    if space.utf8.count < 100 {
      #expect(try AccountID(space + "alice" + space) == "alice")
    }
  }

  @Test("invisible characters other than white space are neither blank nor cut off")
  func invisible() async throws {
    let scene = try await ServiceScene(store: unreachableStore())
    for text in ["\u{1}", "\u{1F}", "\u{7F}", "\u{200B}", "\u{FEFF}", "\u{20}\u{301}"] {
      #expect(throws: AccountFailure.forbiddenCharacter) { try AccountID(text) }
      #expect(
        try await failure { _ = try await scene.service.link("alice", to: text + "1") }
          == .invalidTransactionID)
    }
  }

  @Test("is refused to a second account, and kept in mind")
  func secondAccount() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.bought().originalTransactionID
    let first = try await scene.service.link("alice", to: id)
    #expect(
      try await failure { _ = try await scene.service.link("bob", to: id, force: true) }
        == .refused(.linkedToOtherAccount))
    #expect(try await scene.membership(of: "alice") == first)
    #expect(try await scene.membership(of: "bob") == nil)
    let history = try await scene.history(of: id)
    #expect(history.map(\.kind) == [.dispute])
    #expect(history.first?.accountID == "bob")
    #expect(try await scene.messages().count == 1)
  }

  @Test("switches to another subscription of the account by force only, and keeps both owned")
  func force() async throws {
    let scene = try await ServiceScene()
    let old = try await scene.bought(by: "one").originalTransactionID
    let new = try await scene.bought(ServiceScene.premium, by: "two").originalTransactionID
    let first = try await scene.service.link("alice", to: old)
    #expect(
      try await failure { _ = try await scene.service.link("alice", to: new) }
        == .refused(.linkedToOtherSubscription))
    // Refused, but claimed, so that the account's list shows it.
    #expect(try await scene.service.subscription(new).owner == "alice")
    #expect(try await !scene.service.subscription(new).isInUse)

    let second = try await scene.service.link("alice", to: new, force: true)
    #expect(second.id == first.id)
    #expect(second.tier == .premium)
    #expect(second.originalTransactionID == new)
    let list = try await scene.service.subscriptions(of: "alice")
    #expect(list.total == 2)
    #expect(list.subscriptions.map(\.originalTransactionID) == [new, old])
    #expect(list.subscriptions.map(\.isInUse) == [true, false])
    #expect(try await scene.history(of: old).map(\.kind) == [.snapshot(first.copy, .link)])
  }

  @Test("finds neither an unknown account (O1) nor an unknown subscription (O2)")
  func unknown() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.bought().originalTransactionID
    #expect(
      try await failure { _ = try await scene.service.link("nobody", to: id) }
        == .accountNotFound)
    #expect(
      try await failure { _ = try await scene.service.link("alice", to: "42") }
        == .subscriptionNotFound)
  }

  @Test(
    "refuses ids that nothing can have, before anything is asked",
    arguments: [
      "../../etc/passwd", "1' OR '1'='1", "1\0002", String(repeating: "1", count: 10_000), "１２",
      "-1", "1 2",
    ])
  func hostileTransactionIDs(id: String) async throws {
    let scene = try await ServiceScene(store: unreachableStore())
    #expect(
      try await failure { _ = try await scene.service.link("alice", to: id) }
        == .invalidTransactionID)
    #expect(
      try await failure { try await scene.service.unlink("alice", from: id) }
        == .invalidTransactionID)
    #expect(
      try await failure { _ = try await scene.service.subscription(id) } == .invalidTransactionID)
    #expect(try await failure { _ = try await scene.service.refresh(id) } == .invalidTransactionID)
    #expect(
      try await failure { _ = try await scene.service.subscriptionWithReceipt(id) }
        == .invalidTransactionID)
  }

  @Test(
    "refuses identifiers that no account can have",
    arguments: [
      ("a\0b", AccountFailure.forbiddenCharacter), ("ali ce", .forbiddenCharacter),
      ("älice", .forbiddenCharacter), (String(repeating: "a", count: 10_000), .tooLong),
      (String(repeating: "a", count: 129), .tooLong),
    ])
  func hostileAccounts(id: String, reason: AccountFailure) {
    #expect(throws: reason) { try AccountID(id) }
  }

  @Test("of Sandbox subscriptions is refused unless the host allows it, and changes nothing")
  func sandbox() async throws {
    let closed = try await ServiceScene(environment: .sandbox)
    let id = try await closed.bought().originalTransactionID
    #expect(
      try await failure { _ = try await closed.service.link("alice", to: id) }
        == .refused(.environmentNotAllowed))
    let subscription = try await closed.service.subscription(id)
    #expect(subscription.environment == .sandbox)
    #expect(subscription.owner == nil)

    var options = LinkOptions()
    options.allowedEnvironments = [.production, .sandbox]
    let open = try closed.service(asking: closed.appStore, options: options)
    #expect(try await open.link("alice", to: id).originalTransactionID == id)
  }
}
