import CreditPolicy
import Foundation
import InMemoryStorage
import LinkPolicy
import PurchaseStorage
import ReceiptModels
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

/// The law of the figures: what is kept is what a full count finds, whatever happened in whichever order.
@Suite("The figures of the business", .onEveryStore)
struct MoneyStoreTests {
  private struct Scene {
    let base: any PurchaseStore
    let store: any PurchaseStore
    let figures: MoneyFigures

    init() async throws {
      base = try await StoreScope.emptyStore()
      let context = PurchaseContext(
        store: base, accounts: UnlistedAccounts(), now: { MoneyHistories.start }, report: { _ in })
      let keeping = context.keepingMoneyFigures()
      store = keeping.store
      figures = MoneyFigures(keeping)
    }

    func counts() async throws -> MoneyCounts {
      try await base.read {
        try await $0.money.counts(
          in: .production, through: CalendarDay(.distantFuture), of: .day)
      }
    }

    func book(_ amount: Int, to user: AccountID, _ event: String) async throws {
      let booking = LedgerBooking(
        userID: user, eventID: event, changeType: "bonus", subjectType: "host", subjectID: "1",
        amount: amount)
      _ = try await store.write {
        try await $0.creditLedger.book(booking, now: MoneyHistories.start)
      }
    }
  }

  @Test("count at most a trillion credits of an entry, so that no sum is too large")
  func hugeEntries() async throws {
    let scene = try await Scene()
    for user in ["a", "b"] {
      try await scene.book(5_000_000_000_000_000_000, to: AccountID(user), user + "1")
      try await scene.book(-4_000_000_000_000_000_000, to: AccountID(user), user + "2")
    }
    for _ in 0..<2 {
      let numbers = try await scene.counts().numbers
      let given = numbers.filter { $0.key.measure == .creditsGiven }.values
      let spent = numbers.filter { $0.key.measure == .creditsSpent }.values
      #expect(Array(given) == [2_000_000_000_000])
      #expect(Array(spent) == [2_000_000_000_000])
      #expect(try await scene.figures.differences(in: .production).isEmpty)
      try await scene.figures.fold()
    }
  }

  @Test("count no entry twice after its user was erased")
  func erasure() async throws {
    let scene = try await Scene()
    let context = PurchaseContext(
      store: scene.store, accounts: UnlistedAccounts(), now: { MoneyHistories.start },
      report: { _ in })
    try await scene.book(100, to: "alice", "one")
    let before = try await scene.counts()
    let report = try await AccountEraser(context).erase("alice")
    let pseudonym = try #require(report.pseudonym)
    #expect(try await scene.counts() == before)
    #expect(try await scene.figures.differences(in: .production).isEmpty)
    try await scene.book(-30, to: pseudonym, "two")
    try await scene.book(7, to: "alice", "three")
    #expect(try await scene.figures.differences(in: .production).isEmpty)
  }

  @Test(
    "agree with a full count after random histories that several write at once", arguments: 1...3)
  func law(seed: UInt64) async throws {
    let scene = try await Scene()
    var histories = MoneyHistories(seed: seed)
    let events = histories.shuffled(100)
    let (store, figures) = (scene.store, scene.figures)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        let own = events.enumerated().filter { $0.offset % 4 == worker }.map(\.element)
        group.addTask {
          for start in stride(from: 0, to: own.count, by: 5) {
            let some = own[start..<min(start + 5, own.count)]
            try await store.write { try await $0.record(some) }
            if start.isMultiple(of: 50) { try await figures.fold() }
          }
        }
      }
      try await group.waitForAll()
    }
    let counts = try await scene.counts()
    #expect(counts.numbers.count > 200)
    #expect(try await figures.differences(in: .production).isEmpty)
    try await figures.fold()
    #expect(try await scene.counts() == counts)
    #expect(try await figures.differences(in: .production).isEmpty)
    let recount = try await figures.recount()
    #expect(recount.purchases == 100)
    #expect(recount.changed == 0)
  }

  @Test("are the same in every order of the events")
  func orders() async throws {
    var histories = MoneyHistories(seed: 7)
    let events = histories.shuffled(40)
    var found: [MoneyCounts] = []
    for order in [events, events.reversed(), events.shuffled(using: &histories.chance)] {
      let scene = try await Scene()
      for start in stride(from: 0, to: order.count, by: 20) {
        try await scene.store.write {
          try await $0.record(order[start..<min(start + 20, order.count)])
        }
      }
      found.append(try await scene.counts())
    }
    #expect(found[0] == found[1])
    #expect(found[0] == found[2])
  }

  @Test("of what was recorded before are counted once, and again where somebody asks")
  func before() async throws {
    let scene = try await Scene()
    var histories = MoneyHistories(seed: 11)
    let events = histories.shuffled(120)
    try await scene.base.write { try await $0.record(events) }
    #expect(try await scene.counts().isEmpty)
    #expect(try await !scene.figures.differences(in: .production).isEmpty)
    let first = try await scene.figures.countOnce()
    #expect(first.purchases == 120)
    #expect(first.changed == 120)
    #expect(try await scene.figures.differences(in: .production).isEmpty)
    let second = try await scene.figures.countOnce()
    #expect(second.purchases == 0)
    #expect(!second.isLeasedElsewhere)
    // Somebody wrote without keeping them.
    let more = histories.shuffled(120)
    try await scene.base.write { try await $0.record(more) }
    #expect(try await !scene.figures.differences(in: .production).isEmpty)
    #expect(try await scene.figures.recount().changed > 0)
    #expect(try await scene.figures.differences(in: .production).isEmpty)
  }

  @Test("count everything anew where somebody asks, also after a count that was stopped")
  func stopped() async throws {
    let scene = try await Scene()
    var histories = MoneyHistories(seed: 13)
    let (events, more) = (histories.shuffled(150), histories.shuffled(150))
    try await scene.store.write { try await $0.record(events) }
    let writes = Locked(3)
    let dying = WrappedStore(scene.base) { access, unit in
      let isAlive = writes.withLock { left in
        if access == .writing { left = max(0, left - 1) }
        return left > 0
      }
      guard isAlive else { throw StorageFailure.conflict }
      try await unit()
    }
    let context = PurchaseContext(
      store: dying, accounts: UnlistedAccounts(), now: { MoneyHistories.start }, report: { _ in })
    await #expect(throws: StorageFailure.conflict) { try await MoneyFigures(context).recount() }
    // Figures are not kept for a while.
    try await scene.base.write { try await $0.record(more) }
    #expect(try await scene.figures.recount().isLeasedElsewhere)
    let later = PurchaseContext(
      store: scene.base, accounts: UnlistedAccounts(), now: { MoneyHistories.start + 301 },
      report: { _ in })
    #expect(try await MoneyFigures(later).recount().purchases == 150)
    #expect(try await scene.figures.differences(in: .production).isEmpty)
  }

  @Test("count a purchase once that Apple moved to another original transaction")
  func moved() async throws {
    let scene = try await Scene()
    let now = MoneyHistories.start
    for original in ["100", "200"] {
      var row = PurchaseRecord(
        transactionID: "101", originalTransactionID: original, productID: "reader.monthly")
      (row.purchaseDate, row.expiresDate) = (now, now + 30 * 86_400)
      (row.price, row.currency, row.quantity) = (9990, "USD", 1)
      (row.signedDate, row.productType) = (now, .autoRenewableSubscription)
      let charge = row
      try await scene.store.write {
        try await $0.purchases.record(
          transactions: [charge], environment: .production, now: now)
      }
    }
    #expect(try await !scene.counts().isEmpty)
    #expect(try await scene.figures.differences(in: .production).isEmpty)
  }

  @Test("tell credits that were sold, taken back, given, spent and expired")
  func credits() async throws {
    let scene = try await Scene()
    let now = MoneyHistories.start
    func book(
      _ user: AccountID, _ event: String, _ type: LedgerBooking.ChangeType, _ amount: Int,
      _ environment: AppStoreEnvironment? = nil
    ) async throws {
      try await scene.store.write { unit in
        _ = try await unit.creditLedger.book(
          LedgerBooking(
            userID: user, environment: environment, eventID: event, changeType: type,
            subjectType: "payment", subjectID: "1", amount: amount), now: now)
      }
    }
    // One was booked before.
    try await scene.base.write { unit in
      _ = try await unit.creditLedger.book(
        LedgerBooking(
          userID: "ann", eventID: "gift", changeType: "gift", subjectType: "gift", subjectID: "1",
          amount: 10), now: now)
    }
    try await book("ann", LedgerEventID.purchase("1"), .purchase, 100, .production)
    try await book("ann", "spent", "usage", -30)
    try await book("ann", "over", "expiry", -5)
    try await book("ben", LedgerEventID.purchase("2"), .purchase, 50, .production)
    try await book("ben", LedgerEventID.refund("2", round: 1), .refund, -50, .production)
    try await book("ben", LedgerEventID.purchase("3"), .purchase, 7, .sandbox)
    let report = try await scene.figures.report(
      MoneyReport.Query(
        months: CalendarMonth(CalendarDay(now))...CalendarMonth(CalendarDay(now)),
        asOf: CalendarDay(now)))
    let credits = try #require(report.credits.first)
    #expect(report.credits.count == 1)
    #expect(credits.sold == 150)
    #expect(credits.takenBack == 50)
    #expect(credits.restored == 0)
    #expect(credits.given == 10)
    #expect(credits.spent == 30)
    #expect(credits.expired == 5)
    #expect(try await scene.figures.differences(in: .production).isEmpty)
    #expect(try await scene.figures.differences(in: .sandbox).isEmpty)
    #expect(try await scene.figures.recount().changed == 0)
  }

  @Test(
    "follow a service: a purchase by its receipt, its renewal, and a signed refund with its price")
  func service() async throws {
    let base = try await StoreScope.emptyStore()
    let scene = try await ServiceScene(store: MoneyStore(base))
    let purchase = try await scene.bought()
    scene.appStore.clock.advance(by: .days(30))
    _ = try scene.appStore.renew(purchase)
    try await scene.verify()
    let figures = MoneyFigures(
      PurchaseContext(store: base, accounts: UnlistedAccounts(), report: { _ in }))
    let start = CalendarMonth(CalendarDay(ServiceScene.start))
    let report = try await figures.report(
      MoneyReport.Query(
        months: start...start.advanced(by: 3),
        asOf: start.advanced(by: 3).lastDay))
    #expect(report.counts.map(\.new).reduce(0, +) == 1)
    #expect(report.counts.map(\.renewed).reduce(0, +) == 1)
    #expect(report.counts.map(\.lapsed).reduce(0, +) == 1)
    // A receipt tells no price.
    #expect(report.counts.map(\.unpriced).reduce(0, +) == 2)
    #expect(report.amounts.isEmpty)
    #expect(try await figures.differences(in: .production).isEmpty)
  }

  @Test("stand beside events, whichever keeps the other's store")
  func events() async throws {
    for isOutside in [true, false] {
      let context = PurchaseContext(
        store: InMemoryPurchaseStore(), accounts: UnlistedAccounts(), report: { _ in })
      let both =
        isOutside
        ? context.recordingEvents().keepingMoneyFigures()
        : context.keepingMoneyFigures().recordingEvents()
      try await both.store.tryWriting()
      var histories = MoneyHistories(seed: 3)
      let events = histories.events(of: 1)
      try await both.store.write { try await $0.record(events) }
      #expect(try await MoneyFigures(both).differences(in: .production).isEmpty)
      #expect(try await !EventLog(both).events(after: 0).isEmpty)
    }
  }
}

/// The law of figures in its long form: `STOREKEEPER_MONEY=1000000` counts so many subscriptions in memory.
@Suite("The law of figures, at length")
struct MoneyLawTests {
  private static let count =
    ProcessInfo.processInfo.environment["STOREKEEPER_MONEY"].flatMap { Int($0) } ?? 2000

  /// A purchase as a store keeps it: of each transaction and of each entry the copy that was signed last.
  private struct Kept {
    var charges: [PurchaseRecord] = []
    var renewals: [RenewalRecord] = []

    mutating func take(_ event: MoneyHistories.Event) {
      switch event {
      case .charge(let record):
        guard let index = charges.firstIndex(where: { $0.transactionID == record.transactionID })
        else { return charges.append(record) }
        if (charges[index].signedDate ?? .distantPast) <= (record.signedDate ?? .distantPast) {
          charges[index] = record
        }
      case .renewal(let renewal):
        guard let index = renewals.firstIndex(where: { $0.productID == renewal.productID }) else {
          return renewals.append(renewal)
        }
        if (renewals[index].signedDate ?? .distantPast) <= (renewal.signedDate ?? .distantPast) {
          renewals[index] = renewal
        }
      }
    }

    var counts: MoneyCounts {
      MoneyCounts(of: charges, renewals: renewals, environment: .production)
    }
  }

  @Test("no difference between what is kept and a full count, in any order of events")
  func law() {
    // In parts, as the events of a million subscriptions at once are no law of figures but of memory.
    let part = min(Self.count, 20_000)
    var (kept, full) = (MoneyCounts(), MoneyCounts())
    var (subscriptions, told) = (0, 0)
    while subscriptions < Self.count {
      let size = min(part, Self.count - subscriptions)
      var histories = MoneyHistories(seed: UInt64(subscriptions + 1))
      var events: [(Int, MoneyHistories.Event)] = []
      for number in 0..<size {
        events += histories.events(of: subscriptions + number + 1).map { (number, $0) }
      }
      events.shuffle(using: &histories.chance)
      var purchases = Array(repeating: Kept(), count: size)
      var counted = Array(repeating: MoneyCounts(), count: size)
      for (number, event) in events {
        purchases[number].take(event)
        let counts = purchases[number].counts
        kept.add(counts - counted[number])
        counted[number] = counts
      }
      for purchase in purchases { full.add(purchase.counts) }
      subscriptions += size
      told += events.count
    }
    let differences = (kept - full).numbers.count
    #expect(differences == 0)
    #expect(!full.isEmpty)
    if Self.count > 2000 {
      print(
        "\(subscriptions) subscriptions, \(told) events in an order of chance,"
          + " \(full.numbers.count) figures: \(differences) differences")
    }
  }
}
