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
      try await store.renew([Sample.renewal("month"), Sample.renewal("year", willRenew: false)])
      var found = try await store.renewals()
      try expect("the products", found.map(\.productID), is: ["month", "year"])
      try await store.renew([Sample.renewal("year", willRenew: true)])
      found = try await store.renewals()
      try expect("the products", found.map(\.productID), is: ["year"])
      try expect("the renewal", found.map(\.willRenew), is: [true])
      try await store.renew([])
      try expect("no renewal", try await store.renewals().isEmpty)
    },
    Law("The renewal of a commitment is read as it was recorded") { store in
      for commitment in [
        CommitmentRenewal(
          willRenew: false, productID: "com.example.é'\"\\", planID: "MONTHLY",
          renewalDate: Date(timeIntervalSince1970: 1_605_340_800.7894), renewalPrice: 59_880),
        CommitmentRenewal(willRenew: true), CommitmentRenewal(), nil,
      ] {
        let renewal = changed(Sample.renewal("month")) { $0.commitment = commitment }
        try await store.renew([renewal])
        // Moments are kept in milliseconds.
        let kept = commitment.map { renewal in
          changed(renewal) { kept in
            if kept.renewalDate != nil { kept.renewalDate = Sample.later(0.789) }
          }
        }
        try expect("the commitment", try await store.renewals().map(\.commitment), is: [kept])
      }
    },
    Law("Renewals that were recorded later stay when others are replaced") { store in
      try await tell(store, "month", at: Sample.later(60))
      try await store.renew(
        [Sample.renewal("month", willRenew: false), Sample.renewal("year")],
        asOf: Sample.later(59.999))
      var found = try await store.renewals()
      try expect("the products", found.map(\.productID), is: ["month", "year"])
      try expect("whether they renew", found.map(\.willRenew), is: [true, true])
      try await store.renew([], asOf: Sample.later(59.999))
      found = try await store.renewals()
      try expect("the products", found.map(\.productID), is: ["month"])
      try await store.renew([], asOf: Sample.later(60))
      try expect("no renewal", try await store.renewals().isEmpty)
    },
    Law("A renewal that a newer set leaves out doesn't come back with an older one") { store in
      try await store.renew([Sample.renewal("month"), Sample.renewal("year")])
      try await store.renew([Sample.renewal("month")], asOf: Sample.later(20))
      try await store.renew(
        [Sample.renewal("month", willRenew: false), Sample.renewal("year")],
        asOf: Sample.later(19.999))
      try await tell(store, "year", at: Sample.later(19.999))
      var found = try await store.renewals()
      try expect("the products", found.map(\.productID), is: ["month"])
      try expect("whether it renews", found.map(\.willRenew), is: [true])
      // A later single renewal is none of the set.
      try await tell(store, "month", at: Sample.later(40))
      try await tell(store, "year", at: Sample.later(20))
      try await tell(store, "week", at: Sample.later(30))
      found = try await store.renewals()
      try expect("the products", found.map(\.productID), is: ["month", "week", "year"])
      try await store.renew([Sample.renewal("day")], asOf: Sample.later(25))
      found = try await store.renewals()
      try expect("the products", found.map(\.productID), is: ["day", "month", "week"])
    },
    Law("An emptied set of renewals keeps its stamp") { store in
      try await store.renew([], asOf: Sample.later(20))
      try await store.renew([Sample.renewal("month")], asOf: Sample.later(19.999))
      try await tell(store, "month", at: Sample.later(19.999))
      try await tell(store, "month", at: nil)
      try expect("no renewal", try await store.renewals().isEmpty)
      try await store.renew([Sample.renewal("month")], environment: .sandbox, asOf: Sample.now)
      try await store.renew(
        [Sample.renewal("month", of: "1002")], of: "1002", asOf: Sample.later(1))
      let others = [
        try await store.renewals(environment: .sandbox).count,
        try await store.renewals(of: "1002").count,
      ]
      try expect("the renewals of others", others, is: [1, 1])
      try await tell(store, "month", at: Sample.later(20))
      try expect("the products", try await store.renewals().map(\.productID), is: ["month"])
      try await store.renew([], asOf: Sample.later(30))
      try await store.renew([Sample.renewal("year")], asOf: Sample.later(25))
      try expect("no renewal", try await store.renewals().isEmpty)
      try await store.renew([Sample.renewal("year")], asOf: Sample.later(30))
      try expect("the products", try await store.renewals().map(\.productID), is: ["year"])
    },
    Law("Of an emptied set and older renewals at once the set stays empty, 20 times") { store in
      for round in 0..<20 {
        let id = "\(2000 + round)"
        _ = try await concurrently(3) { number in
          switch number {
          case 0: try await store.renew([], of: id, asOf: Sample.later(20))
          case 1: try await store.renew([Sample.renewal("month", of: id)], of: id)
          default: try await tell(store, "year", of: id, at: Sample.later(10))
          }
        }
        try expect("no renewal of \(id)", try await store.renewals(of: id).isEmpty)
      }
    },
    Law("A single renewal replaces the one of its product, unless that is later") { store in
      try await store.renew([Sample.renewal("month"), Sample.renewal("year")])
      for (seconds, willRenew, kept) in [
        (60.0, false, false), (59.999, true, false), (60, true, true), (60.001, false, false),
      ] {
        try await store.tell(
          changed(Sample.renewal("month", willRenew: willRenew)) {
            $0.signedDate = Sample.later(seconds)
          })
        let found = try await store.renewals()
        try expect("the products", found.map(\.productID), is: ["month", "year"])
        try expect("whether they renew", found.map(\.willRenew), is: [kept, true])
      }
    },
    Law("Of renewals of one product that come together the last one counts") { store in
      for willRenew in [true, false] {
        try await store.renew(
          [
            Sample.renewal("month", willRenew: !willRenew, isInBillingRetry: true),
            Sample.renewal("year"), Sample.renewal("month", willRenew: willRenew),
          ])
        let found = try await store.renewals()
        try expect("the products", found.map(\.productID), is: ["month", "year"])
        try expect("whether they renew", found.map(\.willRenew), is: [willRenew, true])
        try expect("whether they are retried", found.map(\.isInBillingRetry), is: [false, false])
      }
    },
    Law("Replacing renewals leaves those of others alone") { store in
      try await store.renew([Sample.renewal("month", of: "1002")], of: "1002")
      try await store.renew([Sample.renewal("month")], environment: .sandbox)
      try await store.renew([])
      try expect("the other's renewals", try await store.renewals(of: "1002").count, is: 1)
      try expect(
        "the renewals of the other environment",
        try await store.renewals(environment: .sandbox).count, is: 1)
    },
    Law("A renewal is read as it was recorded") { store in
      var record = Sample.renewal("month", willRenew: false, isInBillingRetry: true)
      record.autoRenewProductID = "year"
      record.expirationIntent = .billingError
      record.gracePeriodExpiresDate = Sample.later(0.25)
      record.priceIncreaseStatus = PriceIncreaseStatus(rawValue: 1)
      try await store.renew([record], asOf: Sample.later(0.5))
      record.environment = .production
      record.signedDate = Sample.later(0.5)
      try expect("the renewals", try await store.renewals(), is: [record])
    },
  ]

  /// Records a single renewal of a product.
  private static func tell(
    _ store: any PurchaseStore, _ product: String, of id: String = Sample.id, at date: Date?
  ) async throws {
    try await store.tell(changed(Sample.renewal(product, of: id)) { $0.signedDate = date })
  }
}
