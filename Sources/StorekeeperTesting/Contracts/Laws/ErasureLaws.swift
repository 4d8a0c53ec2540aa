internal import CreditPolicy
internal import EntitlementPolicy
internal import LinkPolicy
internal import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

/// The laws of the erasing of accounts, for stores that can.
enum ErasureLaws {
  static let all: [StoreLaw] = [
    law("An erased account's messages and events go, those of others stay") { store in
      try await store.add(try Sample.message(to: "ann"))
      try await store.add(try Sample.message(to: "ben"))
      try await store.add(
        OutboxMessage(
          kind: .googleConsumption, account: Account(id: "ann"),
          originalTransactionID: Sample.id, reference: "1"))
      for (id, account, data) in [
        ("evt_1", "ann", "{}"), ("evt_2", "ben", #"{"owner":"ann","text":"ann"}"#),
        ("evt_3", "ben", #"{"owner":"anna"}"#), ("evt_4", "ann", "{}"),
      ] {
        try await store.write {
          try await $0.events.add(
            EventRecord(
              id: id, type: "host.event", account: AccountID(stored: account), date: Sample.now,
              data: data))
        }
        if id != "evt_4" { _ = try await store.write { try await $0.events.order(limit: 9) } }
      }
      let counts = try await erase(store, "ann") {
        $0.mentions = [.init(#""owner":"ann""#, replacement: #""owner":"nobody""#)]
      }
      try expect(
        "the counts", counts, is: [.messages: 1, .storeMessages: 1, .events: 2, .mentions: 1])
      let left = try await store.write { unit in
        try await unit.outbox.lease(
          limit: 9, now: Sample.later(1), until: Sample.later(2), token: "one")
      }
      try expect(
        "the messages", left.map(\.message.account?.id), is: [AccountID(stored: "ben"), nil])
      _ = try await store.write { try await $0.events.order(limit: 9) }
      let events = try await store.read { try await $0.events.events(after: 0, limit: 9) }
      try expect(
        "the events", events.map(\.event.data),
        is: [#"{"owner":"nobody","text":"ann"}"#, #"{"owner":"anna"}"#])
    },
    law("Notifications that wait to be forwarded go with the purchases that they are about") {
      store in
      for (key, original) in [("v2:1", "1"), ("v2:2", "2"), ("v2:3", "3"), ("v2:0", "0")] {
        var message = OutboxMessage(
          kind: .forward("staging"), originalTransactionID: original, reference: key)
        message.body = "{}"
        try await store.add(message)
      }
      // Of an endpoint, it is the position of an event.
      try await store.add(
        OutboxMessage(kind: .webhook("shop"), originalTransactionID: "1", reference: "evt_1"))
      let counts = try await erase(store, "ann") { erasure in
        erasure.traces.purchases = [
          ReceiptCursor(originalTransactionID: "1", environment: .production),
          ReceiptCursor(originalTransactionID: "1", environment: .sandbox),
        ]
        erasure.traces.markedPurchases = [
          ReceiptCursor(originalTransactionID: "2", environment: .production)
        ]
      }
      try expect("the counts", counts, is: [.messages: 2])
      for (line, number) in [(OutboxMessage.Kind.forward("staging"), 2), (.webhook("shop"), 1)] {
        let left = try await store.read { try await $0.outbox.waiting(inLine: line, limit: 9) }
        try expect("those that wait in \(line.rawValue)", left, is: number)
      }
    },
    law("What support did stays under the pseudonym, without the reason") { store in
      for user in ["ann", "ben"] {
        let act = SupportAct(
          form: "form_\(user)", member: "nora", kind: "link", account: AccountID(stored: user),
          data: #"{"reason":"she called"}"#, date: Sample.now)
        _ = try await store.write { try await $0.acts.begin(act) }
      }
      try expect("the counts", try await erase(store, "ann"), is: [.supportActs: 1])
      let acts = try await store.read {
        try await $0.acts.acts(about: nil, before: nil, limit: 9)
      }
      try expect(
        "the acts", acts.map { "\($0.member) \($0.kind) \($0.data)" },
        is: [#"nora link {"reason":"she called"}"#, "nora link {}"])
      try expect("of the account", acts.filter { $0.account == "ann" }.isEmpty)
    },
    law("Moves stay under the pseudonym, whichever side the erased account was on") { store in
      for (from, to) in [("ann", "ben"), ("ben", "ann"), ("ben", "Ann")] {
        try await store.write {
          try await $0.purchases.record(
            PurchaseTransfer(
              environment: .production, originalTransactionID: "1",
              from: AccountID(stored: from), to: AccountID(stored: to), by: .orders,
              date: Sample.now))
        }
      }
      try expect("the counts", try await erase(store, "ann"), is: [.transfers: 2])
      let moves = try await store.read {
        try await $0.purchases.transfers(of: "1", environment: .production)
      }
      try expect(
        "the moves", moves.map { "\($0.previousOwner) \($0.owner)" },
        is: ["nobody ben", "ben nobody", "ben Ann"])
    },
    law("Of the purchases of an erased account the evidence stays, without receipts and tokens") {
      store in
      let token = try unwrap("a token", UUID(uuidString: "6B1A0A3E-0000-4000-8000-000000000001"))
      for (id, original) in [("11", "1"), ("21", "2"), ("31", "3")] {
        try await store.put(
          changed(Sample.transaction(id, of: original, signed: Sample.now)) {
            $0.appAccountToken = original == "3" ? UUID() : token
          })
        try await store.put(Sample.receipt("r" + original, of: original))
      }
      try await store.write { unit in
        var session = Sample.session()
        for original in ["1", "3"] {
          session.originalTransactionID = original
          try await unit.purchases.record(session: session, now: Sample.now)
        }
        for (key, original) in [("one", "1"), ("three", "3")] {
          var question = ConsumptionCase(
            key: key, environment: .production, transactionID: original + "1",
            originalTransactionID: original, requestedDate: Sample.now, deadline: Sample.later(9))
          question.answer = "{}"
          _ = try await unit.consumption.add(question)
        }
      }
      let counts = try await erase(store, "ann") { erasure in
        erasure.traces.purchases = [
          ReceiptCursor(originalTransactionID: "1", environment: .production)
        ]
        erasure.traces.appAccountTokens = [token]
        erasure.traces.markedPurchases = [
          ReceiptCursor(originalTransactionID: "2", environment: .production),
          ReceiptCursor(originalTransactionID: "3", environment: .production),
        ]
      }
      try expect(
        "the counts", counts,
        is: [.receipts: 1, .sessions: 1, .appAccountTokens: 2, .refundAnswers: 1])
      let rows = try await store.transactions(of: ["1", "2", "3"])
      try expect("the transactions", rows.count, is: 3)
      try expect("those with a token", rows.count { $0.appAccountToken != nil }, is: 1)
      for (original, isKept) in [("1", false), ("2", true), ("3", true)] {
        try expect(
          "the receipt of \(original)", try await store.receipt(of: original) != nil, is: isKept)
      }
      for (key, state) in [("one", ConsumptionCase.State.declined), ("three", .waiting)] {
        let question = try await store.read { try await $0.consumption.find(key: key) }
        try expect("the state of \(key)", question?.state, is: state)
        try expect("the answer of \(key)", question?.answer, is: state == .waiting ? "{}" : nil)
      }
    },
    law("Who is not stored is erased without a change, and one that is undone stays") { store in
      try await store.add(try Sample.message(to: "ben"))
      try expect("the counts", try await erase(store, "ann"), is: [:])
      try await store.writeUndone { unit in
        _ = try await unit.erasure.erase(Self.erasure(AccountTraces(account: Account(id: "ben"))))
      }
      try expect("the messages", try await store.unsentCount(), is: 1)
      try expect("and then", try await erase(store, "ben"), is: [.messages: 1])
      try expect("and again", try await erase(store, "ben"), is: [:])
    },
  ]

  static let subscriptions: [StoreLaw] = [
    law("An erased account's membership goes, known by either identifier; its subscriptions stay") {
      store in
      for (id, owner) in [("1", "ann"), ("2", nil), ("3", "ben"), ("4", nil)] {
        try await store.save(Sample.subscription(id))
        try await store.setOwner(owner.map { AccountID(stored: $0) }, of: id)
      }
      var row = try Sample.membership("ann", secondID: "wx-ann")
      (row.payMethod, row.originalTransactionID) = (.apple, "2")
      row = try await store.insert(row)
      let copy = row
      try await store.insert(try Sample.appleMembership("ben", of: "3"))
      try await store.write { unit in
        let memberships = try unit.memberships
        try await memberships.snapshot(copy, reason: .link, now: Sample.now)
        for id in ["3", "4"] {
          try await memberships.recordUnlink(
            originalTransactionID: id, accountID: "ann", now: Sample.now)
        }
        try await memberships.recordDispute(
          originalTransactionID: "3", account: Account(id: "wx-ann"), now: Sample.now)
        try await memberships.recordDispute(
          originalTransactionID: "1", account: Account(id: "ben"), now: Sample.now)
      }
      let account = Account(id: "ann", secondID: "wx-ann")
      let traces = try await store.read { try await $0.erasure.traces(of: account) }
      try expect(
        "the purchases", Set(traces.purchases.map(\.originalTransactionID)), is: ["1", "2", "4"])
      let counts = try await erase(store, "ann", secondID: "wx-ann")
      try expect(
        "the counts", counts,
        is: [.subscriptions: 1, .memberships: 1, .snapshots: 1, .unlinks: 2, .disputes: 1])
      try expect("the owner", try await store.owner(of: "1") == nil)
      try expect("of another", try await store.owner(of: "3"), is: "ben")
      try expect("a membership", try await store.memberships(account).isEmpty)
      try expect("another's", try await store.membership("ben") != nil)
      try expect("the history", try await store.history(of: .account("ann")).isEmpty)
      let disputes = try await store.read {
        try await $0.memberships.disputes(DisputeQuery(), limit: 9)
      }
      try expect("the disputes", disputes.map(\.accountID), is: ["nobody-2", "ben"])
      try expect("their numbers", disputes.map(\.number), is: [1, 2])
    }
  ]

  static let credits: [StoreLaw] = [
    law("An erased account's ledger is kept under the pseudonym, one for each identifier") {
      store in
      for (event, amount, user) in [
        ("one", 30, AccountID(stored: "ann")), ("two", 7, "wx-ann"), ("three", -10, "ann"),
        ("four", 5, "ben"),
      ] {
        try await store.book(amount, event, of: user)
      }
      try await store.insert(CreditSample.transaction("1", of: "ann"))
      try await store.insert(CreditSample.transaction("2", of: "ben"))
      for (identity, user) in [
        ("ann@example.org", AccountID(stored: "ann")), ("ann@example.com", "ann"),
        ("ben@example.org", "ben"),
      ] {
        _ = try await store.mark(identity, userID: user, transactionID: "1")
      }
      let counts = try await erase(store, "ann", secondID: "wx-ann")
      try expect(
        "the counts", counts,
        is: [.creditAccounts: 2, .creditEntries: 3, .creditPurchases: 1, .starterClaims: 2])
      for (user, balance) in [
        (AccountID(stored: "ann"), 0), ("wx-ann", 0), ("nobody", 20), ("nobody-2", 7), ("ben", 5),
      ] {
        try expect("the balance of \(user)", try await store.balance(of: user), is: balance)
        try await store.expectExplained(user)
      }
      let row = try unwrap("the purchase", try await store.creditTransaction("1"))
      try expect("its owner", row.userID, is: "nobody")
      try expect("its token", row.purchase.appAccountToken == nil)
      let other = try unwrap("another's", try await store.creditTransaction("2"))
      try expect("its user", other.userID, is: "ben")
      try expect("its token, the same", other.purchase.appAccountToken != nil)
      try expect("the identity", try await store.claim("ann@example.org") == nil)
      try expect("the other one", try await store.claim("ann@example.com") == nil)
      let claim = try unwrap("the claim", try await store.claim("nobody/1"))
      try expect("its user", claim.userID, is: "nobody")
      try expect("that it was bought", claim.hasPurchasedStarterPack)
      try expect("another's", try await store.claim("ben@example.org")?.userID, is: "ben")
      try await store.book(1, "five", of: "ann")
      try expect("a new balance", try await store.balance(of: "ann"), is: 1)
    }
  ]

  static let entitlements: [StoreLaw] = [
    law("An erased account's associations go, and disputes about them stay") { store in
      try await store.add(EntitlementSample.association("1", of: "ann"))
      try await store.add(EntitlementSample.association("2", of: "ben"))
      try await store.record(
        EntitlementSample.conflict("1", owner: "ann", claimant: "ben"),
        EntitlementSample.conflict("1", owner: "ben", claimant: "ann"))
      try await store.acquire([EntitlementSample.product("pen"), EntitlementSample.product("ink")])
      try await store.acquire([EntitlementSample.product("pen")], for: "ben")
      try await store.save(EntitlementSample.state(), of: "ann")
      try await store.save(EntitlementSample.state(), of: "ben")
      let counts = try await erase(store, "ann")
      try expect(
        "the counts", counts,
        is: [.associations: 1, .disputes: 2, .acquisitions: 2, .validations: 1])
      try expect("the association", try await store.association("1") == nil)
      try expect("another's", try await store.association("2")?.userID, is: "ben")
      try expect(
        "the disputes", try await store.conflicts("1").map { "\($0.owner) \($0.claimant)" },
        is: ["nobody ben", "ben nobody"])
      try expect("the products", try await store.acquired().isEmpty)
      try expect("another's", try await store.acquired(by: "ben").count, is: 1)
      let states = try await store.read { unit in
        let (app, validations) = (EntitlementSample.draw, try unit.validations)
        return [
          try await validations.find("ann", bundleID: app) != nil,
          try await validations.find("ben", bundleID: app) != nil,
        ]
      }
      try expect("the states", states, is: [false, true])
    }
  ]

  static let orders: [StoreLaw] = [
    law("An erased account's order and claims go, of which its purchases are known") { store in
      _ = try await store.add(OrderSample.subscription(of: "ann", key: OrderSample.key("1")))
      _ = try await store.add(OrderSample.subscription(of: "ben", key: OrderSample.key("2")))
      for (id, user) in [("1", AccountID(stored: "ann")), ("3", "ann"), ("2", "ben")] {
        try await store.claimPurchase(id, for: user)
      }
      let traces = try await store.read {
        try await $0.erasure.traces(of: Account(id: "ann"))
      }
      try expect(
        "the purchases", Set(traces.purchases.map(\.originalTransactionID)), is: ["1", "3"])
      try expect("the counts", try await erase(store, "ann"), is: [.orders: 1, .claims: 2])
      try expect("the order", try await store.orderedSubscription() == nil)
      try expect("another's", try await store.orderedSubscription(of: "ben") != nil)
      try expect("the claims", try await store.owners(["1", "2", "3"]), is: [nil, "ben", nil])
    }
  ]

  /// A law that holds for a store that can erase no account, too.
  private static func law(
    _ name: String,
    _ check: @escaping @Sendable (any PurchaseStore) async throws -> Void
  ) -> StoreLaw {
    Law(name) { store in
      guard try await store.read({ $0.common.erasure != nil }) else { return }
      try await check(store)
    }
  }

  private static func erasure(_ traces: AccountTraces) -> AccountErasure {
    AccountErasure(traces, as: "nobody", at: Sample.now)
  }

  /// Erases an account with the traces that are found.
  private static func erase(
    _ store: any PurchaseStore, _ id: AccountID, secondID: AccountID? = nil,
    _ change: @escaping @Sendable (inout AccountErasure) -> Void = { _ in }
  ) async throws -> [ErasedKind: Int] {
    try await store.write { unit in
      let account = Account(id: id, secondID: secondID)
      var erasure = erasure(try await unit.erasure.traces(of: account))
      change(&erasure)
      return try await unit.erasure.erase(erasure)
    }
  }
}
