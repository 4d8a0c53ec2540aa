internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

enum RenewalLaws {
  /// The laws of the entries about renewals, and of the sets that they come in.
  static let all: [StoreLaw] = [
    Law("The renewals of a subscription are replaced as a whole") { store in
      try await renew(store, [Sample.renewal("month"), Sample.renewal("year", willRenew: false)])
      try expect("the products", try await renewals(store).map(\.productID), is: ["month", "year"])
      try await renew(store, [Sample.renewal("year", willRenew: true)])
      let found = try await renewals(store)
      try expect("the products", found.map(\.productID), is: ["year"])
      try expect("the renewal", found.map(\.willRenew), is: [true])
      try await renew(store, [])
      try expect("no renewal", try await renewals(store).isEmpty)
    },
    Law("Renewals that were recorded later stay when others are replaced") { store in
      try await tell(store, "month", at: Sample.later(60))
      try await renew(
        store, [Sample.renewal("month", willRenew: false), Sample.renewal("year")],
        asOf: Sample.later(59.999))
      var found = try await renewals(store)
      try expect("the products", found.map(\.productID), is: ["month", "year"])
      try expect("whether they renew", found.map(\.willRenew), is: [true, true])
      try await renew(store, [], asOf: Sample.later(59.999))
      found = try await renewals(store)
      try expect("the products", found.map(\.productID), is: ["month"])
      try await renew(store, [], asOf: Sample.later(60))
      try expect("no renewal", try await renewals(store).isEmpty)
    },
    Law("A renewal that a newer set leaves out doesn't come back with an older one") { store in
      try await renew(store, [Sample.renewal("month"), Sample.renewal("year")])
      try await renew(store, [Sample.renewal("month")], asOf: Sample.later(20))
      try await renew(
        store, [Sample.renewal("month", willRenew: false), Sample.renewal("year")],
        asOf: Sample.later(19.999))
      try await tell(store, "year", at: Sample.later(19.999))
      var found = try await renewals(store)
      try expect("the products", found.map(\.productID), is: ["month"])
      try expect("whether it renews", found.map(\.willRenew), is: [true])
      // A later single renewal is none of the set.
      try await tell(store, "month", at: Sample.later(40))
      try await tell(store, "year", at: Sample.later(20))
      try await tell(store, "week", at: Sample.later(30))
      found = try await renewals(store)
      try expect("the products", found.map(\.productID), is: ["month", "week", "year"])
      try await renew(store, [Sample.renewal("day")], asOf: Sample.later(25))
      found = try await renewals(store)
      try expect("the products", found.map(\.productID), is: ["day", "month", "week"])
    },
    Law("An emptied set of renewals keeps its stamp") { store in
      try await renew(store, [], asOf: Sample.later(20))
      try await renew(store, [Sample.renewal("month")], asOf: Sample.later(19.999))
      try await tell(store, "month", at: Sample.later(19.999))
      try await tell(store, "month", at: nil)
      try expect("no renewal", try await renewals(store).isEmpty)
      try await renew(store, [Sample.renewal("month")], environment: .sandbox, asOf: Sample.now)
      try await renew(
        store, [Sample.renewal("month", of: "1002")], of: "1002", asOf: Sample.later(1))
      let others = try await store.read { records in
        try await records.purchases.renewals(
          of: ["1000000000000001"], environment: .sandbox
        ).count
          + records.purchases.renewals(of: ["1002"], environment: .production).count
      }
      try expect("the renewals of others", others, is: 2)
      try await tell(store, "month", at: Sample.later(20))
      try expect("the products", try await renewals(store).map(\.productID), is: ["month"])
      try await renew(store, [], asOf: Sample.later(30))
      try await renew(store, [Sample.renewal("year")], asOf: Sample.later(25))
      try expect("no renewal", try await renewals(store).isEmpty)
      try await renew(store, [Sample.renewal("year")], asOf: Sample.later(30))
      try expect("the products", try await renewals(store).map(\.productID), is: ["year"])
    },
    Law("Of an emptied set and older renewals at once the set stays empty, 20 times") { store in
      for round in 0..<20 {
        let id = "\(2000 + round)"
        _ = try await concurrently(3) { number in
          switch number {
          case 0: try await renew(store, [], of: id, asOf: Sample.later(20))
          case 1: try await renew(store, [Sample.renewal("month", of: id)], of: id)
          default: try await tell(store, "year", of: id, at: Sample.later(10))
          }
        }
        let left = try await store.read {
          try await $0.purchases.renewals(of: [id], environment: .production)
        }
        try expect("no renewal of \(id)", left.isEmpty)
      }
    },
    Law("A single renewal replaces the one of its product, unless that is later") { store in
      try await renew(store, [Sample.renewal("month"), Sample.renewal("year")])
      for (seconds, willRenew, kept) in [
        (60.0, false, false), (59.999, true, false), (60, true, true), (60.001, false, false),
      ] {
        var record = Sample.renewal("month", willRenew: willRenew)
        record.signedDate = Sample.later(seconds)
        let renewal = record
        try await store.write {
          try await $0.purchases.record(
            renewals: [renewal], environment: .production, now: Sample.now)
        }
        let found = try await renewals(store)
        try expect("the products", found.map(\.productID), is: ["month", "year"])
        try expect("whether they renew", found.map(\.willRenew), is: [kept, true])
      }
    },
    Law("Of renewals of one product that come together the last one counts") { store in
      for willRenew in [true, false] {
        try await renew(
          store,
          [
            Sample.renewal("month", willRenew: !willRenew, isInBillingRetry: true),
            Sample.renewal("year"), Sample.renewal("month", willRenew: willRenew),
          ])
        let found = try await renewals(store)
        try expect("the products", found.map(\.productID), is: ["month", "year"])
        try expect("whether they renew", found.map(\.willRenew), is: [willRenew, true])
        try expect("whether they are retried", found.map(\.isInBillingRetry), is: [false, false])
      }
    },
    Law("Replacing renewals leaves those of others alone") { store in
      try await renew(store, [Sample.renewal("month", of: "1002")], of: "1002")
      try await renew(store, [Sample.renewal("month")], environment: .sandbox)
      try await renew(store, [])
      let other = try await store.read {
        try await $0.purchases.renewals(of: ["1002"], environment: .production)
      }
      try expect("the other's renewals", other.count, is: 1)
      let sandbox = try await store.read {
        try await $0.purchases.renewals(of: ["1000000000000001"], environment: .sandbox)
      }
      try expect("the renewals of the other environment", sandbox.count, is: 1)
    },
    Law("A renewal is read as it was recorded") { store in
      var record = Sample.renewal("month", willRenew: false, isInBillingRetry: true)
      record.autoRenewProductID = "year"
      record.expirationIntent = .billingError
      record.gracePeriodExpiresDate = Sample.later(0.25)
      record.priceIncreaseStatus = PriceIncreaseStatus(rawValue: 1)
      try await renew(store, [record], asOf: Sample.later(0.5))
      record.environment = .production
      record.signedDate = Sample.later(0.5)
      try expect("the renewals", try await renewals(store), is: [record])
    },
  ]

  private static func renew(
    _ store: any PurchaseStore, _ renewals: [RenewalRecord], of id: String = "1000000000000001",
    environment: AppStoreEnvironment = .production, asOf: Date = Sample.now
  ) async throws {
    try await store.write {
      try await $0.purchases.replace(
        renewals: renewals, of: id, environment: environment, asOf: asOf, now: Sample.now)
    }
  }

  private static func renewals(_ store: any PurchaseStore) async throws -> [RenewalRecord] {
    try await store.read {
      try await $0.purchases.renewals(of: ["1000000000000001"], environment: .production)
    }.sorted { ($0.productID ?? "") < ($1.productID ?? "") }
  }

  /// Records a single renewal of a product.
  private static func tell(
    _ store: any PurchaseStore, _ product: String, of id: String = "1000000000000001",
    at date: Date?
  ) async throws {
    var record = Sample.renewal(product, of: id)
    record.signedDate = date
    let renewal = record
    try await store.write {
      try await $0.purchases.record(
        renewals: [renewal], environment: .production, now: Sample.now)
    }
  }
}
