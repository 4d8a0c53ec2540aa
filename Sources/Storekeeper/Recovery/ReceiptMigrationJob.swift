public import AppStoreServerAPI
internal import PurchaseStorage
internal import ReceiptModels
public import ReceiptVerifier

/// A job that moves customers with stored receipts to the App Store Server API.
///
/// Each stored receipt is verified offline. A transaction ID of it names the customer, whose history
/// is read and recorded; from then on, Apple is asked by that ID and no receipt is needed. An ID is
/// never taken from a receipt that failed verification: anyone could claim a stranger's purchase.
///
/// The place is kept in the store, so a run that was stopped goes on there. One process works at a time. Customers
/// whose history has been read are left out. Source: App Store rules, section 5.6; App Store Server API rules,
/// section 5.8.
public struct ReceiptMigrationJob: Sendable {
  public let subscriptions: SubscriptionService
  public let appStore: AppStoreServerClient
  public let verifier: AppReceiptVerifier
  /// The number of receipts read at a time.
  public var batchSize = 100
  public var leaseDuration = Duration.seconds(600)

  /// Creates a job.
  public init(
    subscriptions: SubscriptionService, appStore: AppStoreServerClient,
    verifier: AppReceiptVerifier
  ) {
    self.subscriptions = subscriptions
    self.appStore = appStore
    self.verifier = verifier
  }

  /// The result of a run.
  public struct Report: Hashable, Sendable {
    /// The number of receipts whose customer's history was read and recorded.
    public internal(set) var migrated = 0
    /// The number of receipts whose customer's history had been read before.
    public internal(set) var known = 0
    /// The number of receipts without a purchase; the app has to send a newer one.
    public internal(set) var withoutPurchase = 0
    /// The number of receipts that failed verification; each was reported.
    public internal(set) var refused = 0
    /// The number of receipts whose transaction Apple doesn't know.
    public internal(set) var notFound = 0
    /// The number of receipts whose customer's history was not given or cannot be recorded; each was reported.
    public internal(set) var failed = 0
    /// Whether all stored receipts were visited.
    public internal(set) var isComplete = false
    /// Whether another worker has the lease, so that this one did nothing or stopped.
    public internal(set) var isLeasedElsewhere = false

    /// Creates a report without receipts.
    public init() {}
  }

  /// Visits the stored receipts, from the place where the last run ended.
  ///
  /// A receipt for which Apple gives no history is passed over, if Apple answers about another customer; so are one or two
  /// that it refuses where there is no other.
  ///
  /// - Returns: The numbers of receipts, by result.
  /// - Throws: ``/AppStoreServerAPI/AppStoreServerFailure`` that concerns every receipt, such as an outage or a refused
  ///   key; `CancellationError`, or an error of the store. Receipts before that stay done.
  public func run() async throws -> Report {
    var report = Report()
    let isFree = try await job.run { place in try await walk(place, &report) }
    if !isFree { report.isLeasedElsewhere = true }
    return report
  }

  private var job: LeasedJob {
    LeasedJob(
      name: "receipt-migration", store: subscriptions.store,
      now: subscriptions.now, leaseDuration: leaseDuration)
  }

  private func walk(_ place: JobPlace, _ report: inout Report) async throws {
    var cursor = ReceiptCursor(place: place.place)
    var decided = cursor
    var undecided = UndecidedPurchases()
    var waiting: [StoredReceipt] = []
    while true {
      let (start, limit) = (cursor, max(1, batchSize))
      let receipts = try await receipts(after: start, limit: limit)
      for (number, receipt) in receipts.enumerated() {
        try Task.checkCancellation()
        let count = undecided.count
        try await migrate(receipt, &undecided, &report)
        if undecided.count > count { waiting.append(receipt) }
        let isLast = number == receipts.count - 1 && receipts.count < limit
        if isLast || undecided.isDue {
          try await judge(&undecided, waiting, &report)
          waiting = []
        }
        cursor = ReceiptCursor(receipt)
        // The next run begins before what is not decided.
        if undecided.isEmpty { decided = cursor }
        guard try await job.advance(place, to: decided?.place ?? "") else {
          report.isLeasedElsewhere = true
          return
        }
      }
      if receipts.count < limit { break }
    }
    try await judge(&undecided, waiting, &report)
    // The next run begins again, for receipts that were stored meanwhile.
    report.isLeasedElsewhere = try await !job.advance(place, to: "")
    report.isComplete = !report.isLeasedElsewhere
  }

  private func receipts(
    after cursor: ReceiptCursor?, limit: Int
  ) async throws -> [StoredReceipt] {
    try await subscriptions.store.read { records in
      try await records.purchases.receipts(after: cursor, limit: limit)
    }
  }

  private func judge(
    _ undecided: inout UndecidedPurchases, _ waiting: [StoredReceipt], _ report: inout Report
  ) async throws {
    try await undecided.judge(
      page: { try await receipts(after: $0, limit: 100).map { ReceiptCursor($0) } },
      isAnswered: { key, _ in try await appStore.answers(about: key) },
      askAgain: { purchase in
        var questions = UndecidedPurchases()
        for receipt in waiting where ReceiptCursor(receipt) == purchase.key {
          try await migrate(receipt, &questions, &report)
        }
        return questions.first
      },
      passOver: { purchase in
        tell(purchase.failure, in: purchase.key.environment)
        report.failed += 1
      })
  }

  private func tell(_ failure: any Error, in environment: AppStoreEnvironment) {
    var scope = appStore.scope
    scope.environment = environment
    subscriptions.report(.sourceFailed(failure, of: scope))
  }

  private func migrate(
    _ receipt: StoredReceipt, _ undecided: inout UndecidedPurchases, _ report: inout Report
  ) async throws {
    // Google's purchases have tokens, which are asked about as they are.
    guard TransactionIDs.vendor(of: receipt.originalTransactionID) == .apple else { return }
    let key = ReceiptCursor(receipt)
    guard try await !isKnown(key) else { return report.known += 1 }
    let verified: VerifiedAppReceipt
    do throws(ReceiptFailure) {
      verified = try verifier.verify(base64: receipt.receipt)
    } catch {
      subscriptions.report(.storedReceiptRefused(error))
      return report.refused += 1
    }
    guard let transactionID = verified.transactionID else { return report.withoutPurchase += 1 }
    let names = verified.receipt.purchases.contains { purchase in
      purchase.originalTransactionID == receipt.originalTransactionID
        || purchase.transactionID == receipt.originalTransactionID
    }
    // The row's own ID is that of the customer too, and its revision is found again by it.
    var customer = key
    if !names {
      customer.originalTransactionID = transactionID
      if try await isKnown(customer) { return report.known += 1 }
    }
    switch try await reconcile(customer, ofReceipt: key, &undecided) {
    case .migrated: report.migrated += 1
    case .notFound: report.notFound += 1
    case .failed: report.failed += 1
    case .undecided: break
    }
  }

  private enum Reconciliation {
    case migrated, notFound, failed, undecided
  }

  /// Reads and records the history of a customer, and reports what cannot be recorded.
  private func reconcile(
    _ customer: ReceiptCursor, ofReceipt key: ReceiptCursor, _ undecided: inout UndecidedPurchases
  ) async throws -> Reconciliation {
    var result = Reconciliation.failed
    do {
      _ = try await subscriptions.reconcile(
        customer.originalTransactionID, with: appStore, in: customer.environment)
      result = .migrated
    } catch let failure as AppStoreServerFailure where failure.isUnknownIdentifier {
      result = .notFound
    } catch let failure as AppStoreServerFailure {
      switch AskingFailure(failure) {
      case .refusal: tell(failure, in: customer.environment)
      case .outage, .fatalIfCommon:
        try Task.checkCancellation()
        undecided.add(UndecidedPurchase(key: key, server: key.server, failure: failure))
        return .undecided
      case .fatal: throw failure
      }
    } catch let failure as SubscriptionFailure {
      subscriptions.report(.refreshFailed(failure.shortCode))
    }
    undecided.noteAnswer(about: customer, by: key.server)
    return result
  }

  private func isKnown(_ customer: ReceiptCursor) async throws -> Bool {
    try await subscriptions.store.read { records in
      try await records.purchases.revision(
        of: customer.originalTransactionID, environment: customer.environment, kind: .history)
        != nil
    }
  }
}

extension ReceiptCursor {
  fileprivate var server: PurchaseServer {
    PurchaseServer(vendor: .apple, environment: environment)
  }
}

extension ReceiptCursor {
  /// Reads a cursor from the place of a job; nil for the beginning.
  init?(place: String?) {
    guard let parts = place?.split(separator: "/", maxSplits: 1), parts.count == 2 else {
      return nil
    }
    self.init(
      originalTransactionID: String(parts[0]),
      environment: AppStoreEnvironment(rawValue: String(parts[1])))
  }

  var place: String { originalTransactionID + "/" + environment.rawValue }
}
