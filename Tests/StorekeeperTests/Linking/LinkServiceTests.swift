import LinkPolicy
import PurchaseStorage
import ReceiptModels
import Storekeeper
import StorekeeperTesting
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Linking a stored subscription", .onEveryStore)
struct LinkServiceTests {
  @Test("makes a membership that lasts as long as the subscription, and tells by e-mail")
  func link() async throws {
    let scene = try await ServiceScene()
    let purchase = try await scene.bought()
    let membership = try await scene.service.link(
      account: "alice", to: purchase.originalTransactionID)

    #expect(membership.ftcID == "alice")
    #expect(membership.tier == .standard)
    #expect(membership.cycle == .month)
    #expect(membership.expireDate == CalendarDay("2023-12-14"))
    #expect(membership.payMethod == .apple)
    #expect(membership.autoRenew)
    #expect(membership.appleSubsID == purchase.originalTransactionID)
    #expect(membership.id?.hasPrefix("mmb_") == true)
    #expect(try await scene.membership(of: "alice") == membership)
    let subscription = try await scene.service.subscription(purchase.originalTransactionID)
    #expect(subscription.ftcUserID == "alice")
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
    let first = try await scene.service.link(account: "alice", to: id)
    let second = try await scene.service.link(account: "alice", to: id)
    #expect(first == second)
    #expect(try await scene.messages().count == 1)
  }

  @Test("cuts off the white space around ids")
  func whiteSpace() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.bought().originalTransactionID
    #expect(try await scene.service.link(account: " alice\n", to: "\t\(id) ").ftcID == "alice")
    try await scene.service.unlink(account: " alice", from: "\(id)\n")
  }

  @Test(
    "white space is what Unicode calls so",
    arguments: [
      "\t\n\u{B}\u{C}\r ", "\u{85}", "\u{A0}", "\u{1680}", "\u{2000}\u{200A}", "\u{2028}\u{2029}",
      "\u{202F}", "\u{205F}", "\u{3000}", String(repeating: "\u{3000}", count: 10_000),
    ])
  func whiteSpaceOfUnicode(space: String) async throws {
    let scene = try await ServiceScene(store: unreachableStore())
    #expect(
      try await failure { _ = try await scene.service.link(account: space, to: "1") }
        == .missing(.ftcID))
    #expect(
      try await failure { _ = try await scene.service.link(account: "alice", to: space) }
        == .missing(.originalTransactionID))
    #expect(
      try await failure { try await scene.service.accept(receipt: space) }
        == .missing(.receiptData))
    #expect(
      try await failure { _ = try await scene.service.subscriptions(of: space) } == .userMissing)
    #expect(try Account.checked(space) == nil)
    if space.utf8.count < 100 {
      #expect(try Account.checked(space + "alice" + space) == "alice")
    }
  }

  @Test("what is invisible but no white space is neither blank nor cut off")
  func invisible() async throws {
    let scene = try await ServiceScene(store: unreachableStore())
    for text in ["\u{1}", "\u{1F}", "\u{7F}", "\u{200B}", "\u{FEFF}", "\u{20}\u{301}"] {
      #expect(
        try await failure { _ = try await scene.service.link(account: text, to: "1") }
          == .invalidAccountID(.ftcID, .forbiddenCharacter))
      #expect(
        try await failure { _ = try await scene.service.link(account: "alice", to: text + "1") }
          == .invalidTransactionID)
    }
  }

  @Test("is refused to a second account, and kept in mind")
  func secondAccount() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.bought().originalTransactionID
    let first = try await scene.service.link(account: "alice", to: id)
    #expect(
      try await failure { _ = try await scene.service.link(account: "bob", to: id, force: true) }
        == .refused(.linkedToOtherAccount))
    #expect(try await scene.membership(of: "alice") == first)
    #expect(try await scene.membership(of: "bob") == nil)
    let history = try await scene.history(of: id)
    #expect(history.map(\.kind) == [.dispute])
    #expect(history.first?.compoundID == "bob")
    #expect(try await scene.messages().count == 1)
  }

  @Test("switches to another subscription of the account by force only, and keeps both owned")
  func force() async throws {
    let scene = try await ServiceScene()
    let old = try await scene.bought(by: "one").originalTransactionID
    let new = try await scene.bought(ServiceScene.premium, by: "two").originalTransactionID
    let first = try await scene.service.link(account: "alice", to: old)
    #expect(
      try await failure { _ = try await scene.service.link(account: "alice", to: new) }
        == .refused(.linkedToOtherSubscription))
    // Refused, but claimed, so that the account's list shows it.
    #expect(try await scene.service.subscription(new).ftcUserID == "alice")
    #expect(try await !scene.service.subscription(new).isInUse)

    let second = try await scene.service.link(account: "alice", to: new, force: true)
    #expect(second.id == first.id)
    #expect(second.tier == .premium)
    #expect(second.appleSubsID == new)
    let list = try await scene.service.subscriptions(of: "alice")
    #expect(list.total == 2)
    #expect(list.subscriptions.map(\.originalTransactionID) == [new, old])
    #expect(list.subscriptions.map(\.isInUse) == [true, false])
    #expect(try await scene.history(of: old).map(\.kind) == [.snapshot(first.copy, .link)])
  }

  @Test(
    "names the first thing that is missing",
    arguments: [
      (nil, "1", SubscriptionField.ftcID), ("  ", "1", .ftcID), (nil, nil, .ftcID),
      ("alice", nil, .originalTransactionID), ("alice", " \n", .originalTransactionID),
    ] as [(String?, String?, SubscriptionField)])
  func missing(ftcID: String?, id: String?, field: SubscriptionField) async throws {
    let scene = try await ServiceScene()
    #expect(
      try await failure { _ = try await scene.service.link(account: ftcID, to: id) }
        == .missing(field))
    #expect(
      try await failure { try await scene.service.unlink(account: ftcID, from: id) }
        == .missing(field))
  }

  @Test("finds neither an unknown account (O1) nor an unknown subscription (O2)")
  func unknown() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.bought().originalTransactionID
    #expect(
      try await failure { _ = try await scene.service.link(account: "nobody", to: id) }
        == .accountNotFound)
    #expect(
      try await failure { _ = try await scene.service.link(account: "alice", to: "42") }
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
      try await failure { _ = try await scene.service.link(account: "alice", to: id) }
        == .invalidTransactionID)
    #expect(
      try await failure { try await scene.service.unlink(account: "alice", from: id) }
        == .invalidTransactionID)
    #expect(
      try await failure { _ = try await scene.service.subscription(id) } == .invalidTransactionID)
    #expect(try await failure { _ = try await scene.service.refresh(id) } == .invalidTransactionID)
    #expect(
      try await failure { _ = try await scene.service.subscriptionWithReceipt(id) }
        == .invalidTransactionID)
    let answer = SubscriptionFailure.invalidTransactionID.answer(under: .current)
    #expect(answer.status == 404)
  }

  @Test(
    "refuses accounts that nobody can have, before anything is asked",
    arguments: [
      ("a\0b", AccountFailure.forbiddenCharacter), ("ali ce", .forbiddenCharacter),
      ("älice", .forbiddenCharacter), (String(repeating: "a", count: 10_000), .tooLong),
      (String(repeating: "a", count: 129), .tooLong),
    ])
  func hostileAccounts(id: String, reason: AccountFailure) async throws {
    let scene = try await ServiceScene(store: unreachableStore())
    #expect(
      try await failure { _ = try await scene.service.link(account: id, to: "1") }
        == .invalidAccountID(.ftcID, reason))
  }

  @Test("what is missing is named before what is there is looked at (L2, U2)")
  func missingFirst() async throws {
    let scene = try await ServiceScene(store: unreachableStore())
    #expect(
      try await failure { _ = try await scene.service.link(account: "a\0b", to: nil) }
        == .missing(.originalTransactionID))
    #expect(
      try await failure { try await scene.service.unlink(account: "a\0b", from: " ") }
        == .missing(.originalTransactionID))
  }

  @Test("of Sandbox subscriptions is refused unless the host allows it, and changes nothing")
  func sandbox() async throws {
    let closed = try await ServiceScene(environment: .sandbox)
    let id = try await closed.bought().originalTransactionID
    #expect(
      try await failure { _ = try await closed.service.link(account: "alice", to: id) }
        == .refused(.environmentNotAllowed))
    let subscription = try await closed.service.subscription(id)
    #expect(subscription.environment == .sandbox)
    #expect(subscription.ftcUserID == nil)

    var options = LinkOptions()
    options.allowedEnvironments = [.production, .sandbox]
    let open = try closed.service(asking: closed.appStore, options: options)
    #expect(try await open.link(account: "alice", to: id).appleSubsID == id)
  }
}
