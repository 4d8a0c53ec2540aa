import Foundation
import InMemoryStorage
import PurchaseStorage
import ReceiptModels
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

/// What is told of records that change, whichever service records them.
@Suite("Events of purchases", .onEveryStore)
struct PurchaseChangeTests {
  private static let id = "1000000000000001"
  private static let start = Date(timeIntervalSince1970: 1_700_000_000)

  /// A store whose records a test writes as a service does.
  private struct Scene {
    let store: EventStore
    let base: any PurchaseStore
    let time = SharedTime(PurchaseChangeTests.start)

    init() async throws {
      base = try await StoreScope.$recordsEvents.withValue(false) {
        try await StoreScope.emptyStore()
      }
      let time = time
      store = EventStore(base, now: { time.now })
    }

    func record(_ charges: PurchaseRecord..., renewals: [RenewalRecord] = []) async throws {
      let now = time.now
      try await store.write { unit in
        try await unit.purchases.record(
          transactions: charges, environment: .production, now: now)
        if !renewals.isEmpty {
          try await unit.purchases.record(renewals: renewals, environment: .production, now: now)
        }
      }
    }

    func kinds() async throws -> [PurchaseEvent.Kind] { try await events(in: base).map(\.kind) }
  }

  /// A charge of a month, whose number is that of the month.
  private static func charge(
    _ month: Int, of product: String = "monthly", signed: Double, refunded: Bool = false
  ) -> PurchaseRecord {
    var charge = PurchaseRecord(
      transactionID: "200000000000000\(month)", originalTransactionID: id, productID: product)
    charge.environment = .production
    charge.purchaseDate = start + Double(month - 1) * 30 * 86_400
    charge.expiresDate = start + Double(month) * 30 * 86_400
    charge.signedDate = start + signed
    if refunded { charge.cancellationDate = start + signed }
    return charge
  }

  private static func renewal(
    of product: String = "monthly", signed: Double, _ change: (inout RenewalRecord) -> Void
  ) -> RenewalRecord {
    var renewal = RenewalRecord(originalTransactionID: id)
    renewal.environment = .production
    renewal.productID = product
    renewal.autoRenewProductID = product
    renewal.signedDate = start + signed
    change(&renewal)
    return renewal
  }

  @Test("a refund of the newest period, and its reversal, tell of no renewal")
  func refund() async throws {
    let scene = try await Scene()
    try await scene.record(Self.charge(1, signed: 1))
    try await scene.record(Self.charge(2, of: "premium", signed: 2))
    try await scene.record(Self.charge(3, of: "premium", signed: 3))
    // Now the period before is the latest one, and of another product after the next refund.
    try await scene.record(Self.charge(3, of: "premium", signed: 4, refunded: true))
    try await scene.record(Self.charge(2, of: "premium", signed: 5, refunded: true))
    try await scene.record(Self.charge(3, of: "premium", signed: 6))
    #expect(
      try await scene.kinds() == [
        .subscriptionStarted, .subscriptionProductChanged, .subscriptionRenewed,
        .purchaseRefunded, .purchaseRefunded, .purchaseRefundReversed,
      ])
  }

  @Test("a period that ends later than it did is a renewal")
  func extended() async throws {
    let scene = try await Scene()
    try await scene.record(Self.charge(1, signed: 1))
    var longer = Self.charge(1, signed: 2)
    longer.expiresDate = Self.start + 40 * 86_400
    try await scene.record(longer)
    #expect(try await scene.kinds() == [.subscriptionStarted, .subscriptionRenewed])
  }

  @Test("a charge that is first heard of as refunded is told, once")
  func refundedAtFirst() async throws {
    let scene = try await Scene()
    try await scene.record(Self.charge(1, signed: 1))
    try await scene.record(Self.charge(2, signed: 2, refunded: true))
    try await scene.record(Self.charge(2, signed: 2, refunded: true))
    #expect(try await scene.kinds() == [.subscriptionStarted, .purchaseRefunded])
    let other = try await Scene()
    try await other.record(Self.charge(1, signed: 1, refunded: true))
    #expect(try await other.kinds() == [.purchaseRefunded])
  }

  @Test("a period that began before one that is known is no renewal; the first one is told once")
  func latePeriod() async throws {
    func kinds(_ charges: PurchaseRecord...) async throws -> [PurchaseEvent.Kind] {
      let scene = try await Scene()
      for charge in charges { try await scene.record(charge) }
      return try await scene.kinds()
    }
    let first = Self.charge(1, signed: 1)
    let refunded = Self.charge(3, signed: 4, refunded: true)
    #expect(try await kinds(refunded, first) == [.purchaseRefunded, .subscriptionStarted])
    #expect(
      try await kinds(Self.charge(3, signed: 3), refunded, first)
        == [.subscriptionStarted, .purchaseRefunded])
    for product in ["monthly", "premium"] {
      #expect(
        try await kinds(first, refunded, Self.charge(2, of: product, signed: 5))
          == [.subscriptionStarted, .purchaseRefunded])
    }
    #expect(
      try await kinds(refunded, Self.charge(4, signed: 5))
        == [.purchaseRefunded, .subscriptionRenewed])
  }

  @Test("what holds at first sight is told, unless it is older than 30 days")
  func firstSight() async throws {
    let day = 86_400.0
    func kinds(
      day number: Double, _ charges: [PurchaseRecord], _ change: ((inout RenewalRecord) -> Void)?
    ) async throws -> [PurchaseEvent.Kind] {
      let scene = try await Scene()
      scene.time.now = Self.start + number * day
      let renewals = change.map { [Self.renewal(signed: number * day, $0)] } ?? []
      for _ in 0..<2 {
        let now = scene.time.now
        try await scene.store.write { unit in
          try await unit.purchases.record(
            transactions: charges, environment: .production, now: now)
          try await unit.purchases.record(renewals: renewals, environment: .production, now: now)
        }
      }
      return try await scene.kinds()
    }
    let charge = Self.charge(1, signed: 1)
    let refunded = Self.charge(2, signed: 40 * day, refunded: true)
    for (number, more) in [(41.0, [.purchaseRefunded]), (71, [])] as [(_, [PurchaseEvent.Kind])] {
      #expect(
        try await kinds(day: number, [charge, refunded], nil) == [.subscriptionStarted] + more)
    }
    for (number, more) in [(31.0, [.subscriptionExpired]), (61, [])]
      as [(_, [PurchaseEvent.Kind])]
    {
      #expect(
        try await kinds(day: number, [charge]) { $0.expirationIntent = .customerCancelled }
          == [.subscriptionStarted] + more)
    }
    #expect(
      try await kinds(day: 31, [charge]) {
        $0.isInBillingRetry = true
        $0.gracePeriodExpiresDate = Self.start + 46 * day
      } == [.subscriptionStarted, .subscriptionInGrace])
    #expect(
      try await kinds(day: 31, [charge]) { $0.isInBillingRetry = true }
        == [.subscriptionStarted, .subscriptionOnHold])
    // All that is known of it is told, however old it is.
    #expect(try await kinds(day: 99, [refunded], nil) == [.purchaseRefunded])
  }

  @Test("old stories that come after the first sight, as in a rebuild, are not told either")
  func oldStories() async throws {
    let day = 86_400.0
    for (number, more) in [
      (70.0, [.purchaseRefunded, .subscriptionRenewed, .subscriptionExpired]),
      (130, [.subscriptionRenewed]),
    ] as [(_, [PurchaseEvent.Kind])] {
      let scene = try await Scene()
      scene.time.now = Self.start + number * day
      try await scene.record(Self.charge(1, signed: 1))
      let refunded = Self.charge(3, of: "other", signed: 50 * day, refunded: true)
      try await scene.record(
        refunded, Self.charge(2, signed: 3),
        renewals: [Self.renewal(signed: number * day) { $0.expirationIntent = .customerCancelled }])
      #expect(try await scene.kinds() == [.subscriptionStarted] + more)
    }
  }

  @Test("an end at first sight that two units of work record at once is told once")
  func concurrentEnd() async throws {
    let scene = try await Scene()
    scene.time.now = Self.start + 31 * 86_400
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask {
          try await scene.record(
            Self.charge(1, signed: 1),
            renewals: [
              Self.renewal(signed: 31 * 86_400) { $0.expirationIntent = .customerCancelled }
            ])
        }
      }
      try await group.waitForAll()
    }
    #expect(try await scene.kinds() == [.subscriptionStarted, .subscriptionExpired])
  }

  @Test("what is taken back otherwise than by a refund is revoked")
  func revoked() async throws {
    func kind(_ change: (inout PurchaseRecord) -> Void) async throws -> [PurchaseEvent.Kind] {
      let scene = try await Scene()
      try await scene.record(Self.charge(1, signed: 1))
      var charge = Self.charge(1, signed: 2, refunded: true)
      change(&charge)
      try await scene.record(charge)
      return try await scene.kinds().suffix(1)
    }
    #expect(try await kind { $0.revocationType = .familyRevoke } == [.purchaseRevoked])
    // A seat that an organization took away, which was never the user's to be paid back.
    #expect(try await kind { $0.revocationType = .assignmentRevoke } == [.purchaseRevoked])
    #expect(try await kind { $0.ownership = .familyShared } == [.purchaseRevoked])
    #expect(try await kind { $0.revocationType = .refundFull } == [.purchaseRefunded])
    #expect(try await kind { $0.revocationType = .refundProrated } == [.purchaseRefunded])
    #expect(try await kind { _ in } == [.purchaseRefunded])
  }

  @Test("the renewal that is turned on again, and the end, are told")
  func renewalOnAndEnd() async throws {
    let scene = try await Scene()
    for (signed, renews) in [(1.0, true), (2, false), (3, true), (4, false)] {
      try await scene.record(
        Self.charge(1, signed: 1),
        renewals: [Self.renewal(signed: signed) { $0.willRenew = renews }])
    }
    let end = 30.0 * 86_400
    scene.time.now = Self.start + end
    try await scene.record(
      Self.charge(1, signed: 1),
      renewals: [
        Self.renewal(signed: end) {
          $0.willRenew = false
          $0.expirationIntent = .customerCancelled
        }
      ])
    #expect(
      try await scene.kinds() == [
        .subscriptionStarted, .subscriptionRenewalOff, .subscriptionRenewalOn,
        .subscriptionRenewalOff, .subscriptionExpired,
      ])
  }

  @Test("a time of grace that ends by the clock is followed by the hold, once")
  func grace() async throws {
    let scene = try await Scene()
    let (end, day) = (30.0 * 86_400, 86_400.0)
    try await scene.record(Self.charge(1, signed: 1))
    scene.time.now = Self.start + end
    func failed(_ seconds: Double, renews: Bool = true) async throws {
      scene.time.now = Self.start + end + seconds
      try await scene.record(
        Self.charge(1, signed: 1),
        renewals: [
          Self.renewal(signed: end + seconds) {
            $0.isInBillingRetry = true
            $0.willRenew = renews
            // It stays in what Apple signs.
            $0.gracePeriodExpiresDate = Self.start + end + 16 * day
          }
        ])
    }
    try await failed(1)
    try await failed(16 * day + 1)
    try await failed(17 * day)
    try await failed(18 * day, renews: false)
    #expect(
      try await scene.kinds() == [
        .subscriptionStarted, .subscriptionInGrace, .subscriptionOnHold, .subscriptionRenewalOff,
      ])
  }

  @Test("the renewal is that of the product, wherever it stands", arguments: [false, true])
  func renewals(_ isOtherLast: Bool) async throws {
    let scene = try await Scene()
    func record(_ signed: Double, renews: Bool) async throws {
      var renewals = [
        Self.renewal(signed: signed) { $0.willRenew = renews },
        Self.renewal(of: "premium", signed: signed) { $0.willRenew = !renews },
      ]
      if !isOtherLast { renewals.reverse() }
      try await scene.record(Self.charge(1, signed: 1), renewals: renewals)
    }
    try await record(1, renews: true)
    try await record(2, renews: false)
    #expect(try await scene.kinds() == [.subscriptionStarted, .subscriptionRenewalOff])
    guard case .purchase(let change)? = try await events(in: scene.base).last?.details else {
      return #expect(Bool(false), "no fields of a purchase")
    }
    #expect(change.renews == false)
  }

  @Test("units of work that record one purchase at once tell it once")
  func concurrent() async throws {
    let scene = try await Scene()
    for month in 1...3 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<6 {
          group.addTask { try await scene.record(Self.charge(month, signed: Double(month))) }
        }
        try await group.waitForAll()
      }
    }
    #expect(
      try await scene.kinds() == [
        .subscriptionStarted, .subscriptionRenewed, .subscriptionRenewed,
      ])
  }

  @Test("a notification that comes again is told once")
  func unreadNotification() async throws {
    let scene = try await Scene()
    for _ in 0..<3 {
      try await scene.store.write {
        try await $0.notifications.keep(
          KeptNotification(
            key: "v2:1", environment: .production, signedPayload: "e30", path: "data",
            receivedDate: Self.start))
      }
    }
    #expect(try await scene.kinds() == [.notificationNotDecoded])
  }

  @Test("a refund of credits names the account that got them")
  func credits() async throws {
    try await tellingEvents {
      let refunds = try await ServiceCredits().refunds()
      #expect(refunds.map(\.kind) == [.purchaseRefunded, .purchaseRefundReversed])
      #expect(refunds.allSatisfy { $0.account == "u1" })
    }
  }
}

@Suite("A store of events")
struct EventStoreCheckTests {
  @Test("that keeps none is noticed before a purchase")
  func missing() async throws {
    let store = EventStore(WrappedStore(withRequiredRecordsOf: InMemoryPurchaseStore()))
    await #expect(throws: StorageFailure.capabilityMissing("events")) {
      try await store.tryWriting()
    }
    try await EventStore(InMemoryPurchaseStore()).tryWriting()
  }
}
