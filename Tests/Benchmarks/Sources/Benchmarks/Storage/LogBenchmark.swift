import CBaseline
import Foundation
import PostgresStorage
import PurchaseStorage
import ReceiptModels
import SQLStorage

/// What PostgreSQL writes into its log when Apple says of a subscription what it said before: the bytes of
/// the first verification, of a second one that tells nothing new, and the time of both.
struct LogBenchmark {
  let rounds: Int

  func run() async throws {
    guard DatabaseKind.postgres.server != nil else {
      return print("bytes of PostgreSQL's log: left out, STOREKEEPER_POSTGRES is not set")
    }
    print("a verification in PostgreSQL: bytes of its log, and time; medians of \(rounds)")
    for count in [1, 12, 100, 1000] { try await run(transactions: count) }
  }

  private func run(transactions count: Int) async throws {
    try await Database.inFolder { folder in
      let database = try await Database(.postgres, "log", in: folder)
      let engine = try Engine(database)
      let store = try await database.store()
      var first: [Double] = []
      var second: [Double] = []
      var costs = Measurement()
      for round in 0..<rounds {
        let id = "\(1_000_000 + round)"
        first.append(
          try await bytes(engine) {
            try await costs.add("first", count: 1, clock: wall_nanoseconds) {
              try await verify(store, id, count, at: 1)
            }
          })
        second.append(
          try await bytes(engine) {
            try await costs.add("second", count: 1, clock: wall_nanoseconds) {
              try await verify(store, id, count, at: 2)
            }
          })
      }
      print(
        String(
          format: "  %4d transactions: first %9.0f bytes, %8.0f µs; second %9.0f bytes, %8.0f µs",
          count, median(first), costs.microseconds("first"), median(second),
          costs.microseconds("second")))
    }
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private func bytes(_ engine: Engine, _ body: () async throws -> Void) async throws -> Double {
    let position = {
      let row = try engine.rows(
        "SELECT CAST(pg_current_wal_insert_lsn() - CAST('0/0' AS pg_lsn) AS BIGINT)"
      ).first
      guard case .integer(let bytes)? = row?.first else { throw Engine.Failed(what: "position") }
      return Double(bytes)
    }
    let before = try position()
    try await body()
    return try position() - before
  }

  /// What a service keeps of an answer.
  private func verify(
    _ store: any PurchaseStore, _ id: String, _ count: Int, at seconds: Double
  ) async throws {
    let now = BenchmarkService.now
    let asOf = now + seconds
    let records = (0..<count).map { number in
      var record = PurchaseRecord(
        transactionID: id + String(1000 + number), originalTransactionID: id,
        productID: BenchmarkService.product)
      record.environment = .production
      record.subscriptionGroupID = "21360502"
      record.webOrderLineItemID = "700000128143412"
      record.purchaseDate = now + Double(number - count) * 30 * 86_400
      record.expiresDate = now + Double(number - count + 1) * 30 * 86_400
      record.signedDate = asOf
      return record
    }
    var renewal = RenewalRecord(originalTransactionID: id)
    renewal.productID = BenchmarkService.product
    renewal.willRenew = true
    let subscription = Subscription(
      environment: .production, originalTransactionID: id, lastTransactionID: id,
      productID: BenchmarkService.product, purchaseDate: now, expiresDate: now + 86_400,
      tier: .standard, cycle: .month, autoRenewal: true)
    let receipt = StoredReceipt(
      originalTransactionID: id, environment: .production,
      receipt: Self.receipt(of: count), asOf: asOf)
    let session = VerificationSession(
      environment: .production, originalTransactionID: id, transactionID: id, requestDate: asOf,
      responseStatus: 0)
    let renewals = [renewal]
    try await store.write { unit in
      _ = try await unit.storedSubscriptions.find(
        [id], inserting: [subscription], asOf: asOf, now: now)
      try await unit.purchases.record(transactions: records, environment: .production, now: now)
      try await unit.purchases.replace(
        renewals: renewals, of: id, environment: .production, asOf: asOf, now: now)
      try await unit.purchases.record(session: session, now: now)
      _ = try await unit.findEvidence(
        of: [id], environment: .production, membershipsOf: [id])
      try await unit.storedSubscriptions.save(subscription, asOf: asOf, now: now)
      try await unit.purchases.put(receipt, now: now)
    }
  }

  /// As long as receipts are with so many transactions, about 130 letters for each, and not to be
  /// compressed.
  private static func receipt(of count: Int) -> String {
    var state: UInt64 = 1
    let bytes = (0..<4500 + 100 * count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
    return Data(bytes).base64EncodedString()
  }
}
