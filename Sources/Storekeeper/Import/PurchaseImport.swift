public import AppStoreServerAPI
public import GooglePlayVerifier
internal import PurchaseStorage
internal import ReceiptModels
public import ReceiptVerifier
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An import of purchases from another system, of which every row is asked of its store before it counts.
///
/// ```swift
/// let stores = ImportStores(appStores: [client], googlePlay: [play])
/// let purchases = try PurchaseImport(shop, subscriptions: subscriptions, stores: stores)
/// let report = try await purchases.run(ImportRows(.tokens, reading: next), of: file) { step in
///   step.results.forEach(log.note)
/// }
/// ```
///
/// A row says who claims a purchase, and nothing else of it is believed. What the store tells is recorded, and the
/// account gets the purchase where the rules of links and of entitlements let it, as if its app had sent the evidence:
/// of two rows that claim one purchase the first one counts. A claim that is refused is in the results, and writes
/// nothing, no dispute either. Nobody gets an e-mail, credits and orders come from nowhere, and a second run changes
/// nothing.
///
/// The place is kept in the store after each batch, so a run that was stopped goes on there, if it is given the same
/// file; one process works at a time. Apple's API is asked at the rates of its client's limiter, Google with 25
/// questions a second, verifyReceipt with 10. An outage is waited for, up to the ``patience``; a row about which alone
/// the store does not answer is postponed.
public struct PurchaseImport: Sendable {
  public let context: PurchaseContext
  /// The service that gives accounts their memberships; nil for a host without memberships.
  public let subscriptions: SubscriptionService?
  /// The service that gives users their products; nil for a host without entitlements.
  public let entitlements: EntitlementService?
  public let stores: ImportStores
  /// The number of rows after which the place is kept.
  public var batchSize = 100
  /// The maximum number of rows about which is asked at the same time.
  public var concurrency = 32
  /// The time after which another run may begin, where one was killed.
  ///
  /// The lease is renewed while the run goes on, also while it waits for a store.
  public var leaseDuration = Duration.seconds(120)
  /// The time for which a store that does not answer is asked again about a row.
  public var patience = Duration.seconds(900)
  /// Whether everything is asked and decided, and nothing written: no facts, no claims and no place.
  ///
  /// A row is decided as if those before it had not been there.
  public var isTrial = false

  let clock: any Clock<Duration>
  let receiptPace: CallPace
  let googlePace: CallPace
  let lastAnswers = LastAnswers()

  /// Creates an import for a host with memberships, with entitlements or with both.
  ///
  /// - Parameters:
  ///   - context: The parts that the services share.
  ///   - subscriptions: The service of subscriptions.
  ///   - entitlements: The service of entitlements; its apps are those of the rows.
  ///   - stores: The clients by which the stores are asked.
  ///   - clock: The clock that measures pauses and speed.
  public init(
    _ context: PurchaseContext, subscriptions: SubscriptionService? = nil,
    entitlements: EntitlementService? = nil, stores: ImportStores,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.context = context
    self.subscriptions = subscriptions
    self.entitlements = entitlements
    self.stores = stores
    self.clock = clock
    // Apple documents no rate of verifyReceipt.
    receiptPace = CallPace(burst: 5, interval: .seconds(1) / stores.receiptsPerSecond, clock: clock)
    // Google allows 3,000 requests a minute; a one-time product takes two.
    googlePace = CallPace(burst: 25, interval: .milliseconds(40), clock: clock)
  }

  /// The results of some rows, and how far the run is.
  public struct Step: Sendable {
    /// The results of the rows since the last step, in the order of the file.
    public let results: [ImportResult]
    public let report: ImportReport
  }

  /// Imports rows, or goes on with those of the same file where a run was stopped.
  ///
  /// - Parameters:
  ///   - rows: The rows from the first one on; those that earlier runs were done with are passed over.
  ///   - file: The file that has the rows.
  ///   - note: Gets the results of each batch before the place is kept, so that where a run is killed, the next one
  ///     may tell some of them again, and leaves out none. It is called only while the run has the lease. If it throws,
  ///     the run ends with that error, and the place is not kept.
  /// - Returns: What became of the rows of this run; see also ``ImportReport/isComplete`` and
  ///   ``ImportReport/isLeasedElsewhere``.
  /// - Throws: A failure of a store that did not pass within the patience, or that somebody has to mend, such as a
  ///   refused key; an error of the rows; `CancellationError`; or an error of the host's accounts or the database.
  ///   What was done stays so, and the next run goes on there.
  public func run<Rows: AsyncSequence>(
    _ rows: Rows, of file: ImportFile,
    then note: @escaping @Sendable (Step) throws -> Void = { _ in }
  ) async throws -> ImportReport where Rows.Element == Result<ImportRow, ImportFault> {
    var walk = ImportWalk(self, file, note)
    guard !isTrial else {
      try await walk.go(over: rows, from: 0) { _ in true }
      return walk.report
    }
    let job = LeasedJob(
      name: "purchase-import", store: context.store, now: context.now, leaseDuration: leaseDuration)
    let digest = try file.storedDigest
    let isFree = try await job.run { lease in
      let place = ImportPlace(lease.place)
      let start = place.digest == digest ? place.done : 0
      try await walk.go(over: rows, from: start) { done in
        try await job.advance(lease, to: ImportPlace(digest: digest, done: done).text)
      }
      // The next run visits all rows again, for those that were refused and may be good then.
      guard walk.report.isComplete else { return }
      walk.report.isLeasedElsewhere = try await !job.advance(lease, to: "")
    }
    if !isFree { walk.report.isLeasedElsewhere = true }
    return walk.report
  }

  /// Returns the number of rows of a file that earlier runs were done with, where one was stopped; 0 if none was.
  ///
  /// - Throws: An error of the database.
  public func place(in file: ImportFile) async throws -> Int {
    let place = ImportPlace(
      try await context.store.read { try await $0.jobs.place(of: "purchase-import") })
    return place.digest == (try file.storedDigest) ? place.done : 0
  }
}

/// The clients by which an import asks the stores; about the evidence of a store without a client nobody is asked.
public struct ImportStores: Sendable {
  /// The client of verifyReceipt.
  public var receipts: VerifyReceiptClient?
  /// The clients of the App Store Server API, one for each app.
  public var appStores: [AppStoreServerClient]
  /// The clients of Google Play, one for each app.
  public var googlePlay: [GooglePlayClient]
  /// The number of receipts a second, at least 1; Apple documents no rate.
  public var receiptsPerSecond = 10

  /// Creates clients.
  public init(
    receipts: VerifyReceiptClient? = nil, appStores: [AppStoreServerClient] = [],
    googlePlay: [GooglePlayClient] = []
  ) {
    self.receipts = receipts
    self.appStores = appStores
    self.googlePlay = googlePlay
  }
}

/// The place of an import: the digest of the file, and the number of rows that are done.
struct ImportPlace: Equatable {
  let digest: String
  let done: Int

  init(digest: String, done: Int) {
    self.digest = digest
    self.done = done
  }

  init(_ text: String?) {
    let end = text?.lastIndex(of: " ")
    guard let text, let end, let done = Int(text[text.index(after: end)...]) else {
      self.init(digest: "", done: 0)
      return
    }
    self.init(digest: String(text[..<end]), done: done)
  }

  var text: String { "\(digest) \(done)" }
}

/// The rows about which each source answered last.
final class LastAnswers: Sendable {
  /// An API of a store as rows ask it: in an app and an environment.
  private struct Source: Hashable {
    let evidence: String
    let appID: String?
    let environment: AppStoreEnvironment?

    init(_ row: ImportRow) {
      (evidence, appID, environment) = (row.evidence.kind, row.appID, row.environment)
    }
  }

  private let rows = Locked<[Source: ImportRow]>([:])

  func note(_ row: ImportRow) { rows.withLock { $0[Source(row)] = row } }

  /// Returns the row about which the source of another one answered last; nil if there is none.
  func row(besides other: ImportRow) -> ImportRow? {
    let row = rows.withLock { $0[Source(other)] }
    return row?.evidence == other.evidence ? nil : row
  }
}
