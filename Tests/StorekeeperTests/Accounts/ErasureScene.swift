import CreditPolicy
import EntitlementPolicy
import Foundation
import InMemoryStorage
import LinkPolicy
import OrderPolicy
import PurchaseStorage
import ReceiptModels
import Storekeeper
import StorekeeperTesting

/// A store in which two accounts have rows of every kind, with caches of receipts.
struct ErasureScene: Sendable {
  static let alice: AccountID = "alice-0c6e9d1f"
  static let second: AccountID = "wx-alice-77a1"
  static let email = "alice.liddell@example.org"
  static let token = UUID(uuidString: "0F1E2D3C-4B5A-4697-8899-AABBCCDDEEFF") ?? UUID()
  static let bob: AccountID = "bob-5b7a4e0d"
  static let start = ServiceScene.start

  /// The store under that which the services use.
  let base: any PurchaseStore
  let store: any PurchaseStore
  let cache = InMemoryReceiptStore()
  let incidents = Incidents()

  /// The directory's account for the erased one's token; nil if the directory knows no tokens.
  var marked: AccountID?

  /// Creates a scene, in which both accounts' purchases may have the same token.
  init(_ base: any PurchaseStore, telling: Bool = false, isTokenShared: Bool = false) async throws {
    self.base = base
    store = telling ? EventStore(base, now: { Self.start }) : base
    try await fill(Self.alice, second: Self.second, other: Self.bob, Self.token, "1")
    try await fill(
      Self.bob, second: nil, other: Self.alice, isTokenShared ? Self.token : UUID(), "2")
    for original in ["11", "12", "13", "14", "21"] {
      try cache.put(receipt(original))
    }
  }

  var context: PurchaseContext {
    let incidents = incidents
    return PurchaseContext(
      store: store, accounts: MarkedAccounts(marked: marked), now: { Self.start },
      report: { incidents.add($0) })
  }

  func eraser(_ caches: [any ReceiptStore]? = nil) -> AccountEraser {
    AccountEraser(context, receiptCaches: caches ?? [cache])
  }

  /// The texts that name the erased account, as the rows have them.
  static let names = [
    alice.rawValue, second.rawValue, email, token.uuidString, token.uuidString.lowercased(),
  ]

  func cached(_ original: String) throws -> StoredReceipt? {
    try cache.receipt(of: original, environment: .production)
  }

  /// Everything that an export tells, without the order of its lines.
  func exported() async throws -> [String] {
    var export = CustomerExport(context)
    export.includesEvidence = true
    var lines: [String] = []
    try await export.run { lines.append(String(decoding: $0.serialized, as: UTF8.self)) }
    return lines.sorted()
  }

  /// The app account tokens of purchases.
  func tokens(_ ids: [String]) async throws -> [UUID] {
    try await store.read { unit in
      try await unit.purchases.transactions(of: ids, environment: .production)
        .compactMap(\.appAccountToken)
    }
  }

  private func receipt(_ original: String) -> StoredReceipt {
    StoredReceipt(
      originalTransactionID: original, environment: .production, receipt: "receipt",
      asOf: Self.start)
  }

  /// Gives an account a row in each table; identifiers begin with a digit of its own.
  private func fill(
    _ id: AccountID, second: AccountID?, other: AccountID, _ token: UUID, _ digit: String
  ) async throws {
    let (now, account) = (Self.start, Account(id: id, secondID: second))
    // A subscription, an association, an order and a pack of credits.
    let originals = (1...4).map { "\(digit)\($0)" }
    try await base.write { unit in
      for original in originals {
        var row = PurchaseRecord(
          transactionID: original + "0", originalTransactionID: original, productID: "reader")
        (row.environment, row.appAccountToken, row.signedDate) = (.production, token, now)
        row.purchaseDate = now
        try await unit.purchases.record(
          transactions: [row], environment: .production, now: now)
        try await unit.purchases.put(
          StoredReceipt(
            originalTransactionID: original, environment: .production, receipt: "receipt",
            asOf: now), now: now)
        try await unit.purchases.record(
          session: VerificationSession(
            environment: .production, originalTransactionID: original,
            transactionID: original + "0", requestDate: now, responseStatus: 0), now: now)
      }
      try await unit.purchases.record(
        PurchaseTransfer(
          environment: .production, originalTransactionID: originals[0], from: id, to: other,
          by: .orders, date: now))
      _ = try await unit.acts.begin(
        SupportAct(
          form: "form-\(digit)", member: "nora", kind: "link", account: id,
          data: #"{"account":"\#(id.rawValue)","reason":"asked"}"#, date: now))
      var question = ConsumptionCase(
        key: "question-\(digit)", environment: .production, transactionID: originals[3] + "0",
        originalTransactionID: originals[3], requestedDate: now, deadline: now + 60)
      question.answer = #"{"appAccountToken":"\#(token.uuidString.lowercased())"}"#
      _ = try await unit.consumption.add(question)
      try await fillSubscriptions(unit, account, originals[0])
      try await fillOthers(unit, id, other: other, originals)
      try await fillCredits(unit, id, token, originals[3])
      if let second { try await fillCredits(unit, second, nil, originals[3] + "9") }
      try await fillOutbox(unit, account, other: other)
    }
  }

  private func fillSubscriptions(
    _ unit: UnitOfWork, _ account: Account, _ original: String
  ) async throws {
    let now = Self.start
    try await unit.storedSubscriptions.save(
      Subscription(
        environment: .production, originalTransactionID: original, lastTransactionID: original,
        productID: "reader", purchaseDate: now, expiresDate: now + 86_400, tier: .standard,
        cycle: .month, autoRenewal: true), asOf: now, now: now)
    try await unit.storedSubscriptions.setOwner(account.id, of: original, now: now)
    var membership = Membership(account: account)
    (membership.tier, membership.payMethod) = (.standard, .apple)
    (membership.cycle, membership.originalTransactionID) = (.month, original)
    membership.expireDate = CalendarDay(now)
    let stored = try await unit.memberships.insert(membership)
    try await unit.memberships.snapshot(stored, reason: .link, now: now)
    try await unit.memberships.recordUnlink(
      originalTransactionID: original, accountID: account.id, now: now)
    try await unit.memberships.recordDispute(
      originalTransactionID: original, account: account, now: now)
  }

  private func fillOthers(
    _ unit: UnitOfWork, _ id: AccountID, other: AccountID, _ originals: [String]
  ) async throws {
    let now = Self.start
    _ = try await unit.associations.add([
      PurchaseAssociation(
        environment: .production, originalTransactionID: originals[1], userID: id,
        bundleID: "com.example.draw", associatedDate: now, evidence: .appAccountToken)
    ])
    try await unit.associations.record(
      AssociationConflict(
        originalTransactionID: originals[1], owner: id, claimant: other, seenDate: now))
    _ = try await unit.acquisitions.add(
      [AcquiredProduct(productID: "pen", acquiredDate: now, viaProductID: "full")], to: id,
      in: "com.example.draw")
    _ = try await unit.validations.lock(id, bundleID: "com.example.draw")
    let key = PurchaseKey(originalTransactionID: originals[2], environment: .production)
    _ = try await unit.orderedSubscriptions.add(
      OrderedSubscription(
        userID: id, levelName: "Pro", purchaseKey: key, receiptData: "receipt",
        expiration: now + 60, validatedDate: now))
    _ = try await unit.subscriptionClaims.claim(key, for: id)
  }

  func fillCredits(
    _ unit: UnitOfWork, _ id: AccountID, _ token: UUID?, _ transactionID: String
  ) async throws {
    var row = CreditTransaction(
      CreditPurchase(
        environment: .production, transactionID: transactionID, bundleID: "com.example.gems",
        productID: "com.example.gems.big", quantity: 1, purchaseDate: Self.start,
        appAccountToken: token), status: .granted)
    (row.userID, row.productCode) = (id, "big_pack")
    (row.creditsPerUnit, row.credits) = (500, 500)
    row.ledgerEventID = LedgerEventID.purchase(transactionID)
    let stored = try await unit.creditTransactions.insert(row, now: Self.start)
    if let booking = stored.flatMap(LedgerBooking.init(purchase:)) {
      _ = try await unit.creditLedger.book(booking, now: Self.start)
    }
    _ = try await unit.starterClaims.mark(
      identity: id == Self.alice ? Self.email : "user:\(id)", userID: id,
      transactionID: transactionID, now: Self.start)
  }

  private func fillOutbox(
    _ unit: UnitOfWork, _ account: Account, other: AccountID
  ) async throws {
    for kind in [
      OutboxMessage.Kind.link, .googleConsumption, .starterRefused, .webhook("billing"),
    ] {
      try await unit.outbox.add(
        OutboxMessage(
          kind: kind, account: account, originalTransactionID: "1",
          reference: kind == .googleConsumption ? "\(account.id.rawValue.count)" : "r"),
        now: Self.start)
    }
    for details in [
      PurchaseEvent.Details.dispute(ClaimDispute(originalTransactionID: "1", owner: other)),
      .move(
        PurchaseMove(
          environment: .production, originalTransactionID: "1", otherAccount: other)),
    ] {
      let kind =
        if case .dispute = details { PurchaseEvent.Kind.disputeRecorded } else {
          PurchaseEvent.Kind.purchaseMoved
        }
      try await unit.events.add(
        PurchaseEvent(
          id: "evt_\(UUID().uuidString)", kind: kind, account: account.id, date: Self.start,
          details: details
        ).record)
    }
  }
}

/// Accounts that nobody lists, of which one may have left the erased account's token at the store.
private struct MarkedAccounts: AccountDirectory {
  let marked: AccountID?

  var hasAppAccountTokens: Bool { marked != nil }

  func account(_ id: AccountID) async throws -> Account? { Account(id: id) }

  func account(appAccountToken token: UUID) async throws -> Account? {
    token == ErasureScene.token ? marked.map { Account(id: $0) } : nil
  }
}
