public import PurchaseStorage
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The rebuild of what a database lost, from what the stores know: after a restore from an old backup, or a failover
/// that lost commits.
///
/// ```swift
/// let rebuild = Rebuild(shop, apple: recoveries, google: voided)
/// let report = try await rebuild.run(since: backupDate)
/// ```
///
/// Apple's notifications since a moment are received again. Then Apple is asked about each customer with a stored
/// purchase, and Google about each stored token, also of packs of credits, and Google's list of voided purchases is read.
/// Memberships, credits, entitlements and orders follow as they did when it was told for the first time; nothing is
/// granted twice. What only the host knew, such as links and spending, is lost; ``Report/newestEvents`` tells up to when it is there.
///
/// Run it before the server takes requests again, or beside it. It may be repeated without harm. The place is kept in
/// the store, so a run that was stopped goes on there, if it is given the same moment; one process works at a time.
/// Apple's requests stay within the rates of the client's limiter, and Google's are paced. Source: linking rules,
/// section 7; App Store Server API rules, section 5.
public struct Rebuild: Sendable {
  public let context: PurchaseContext
  /// The recoveries of Apple's notifications, one for each app; none for a host without Apple's API.
  public let apple: [NotificationRecovery]
  /// The recovery of refunds at Google; nil for a host without Google.
  public let google: VoidedPurchaseRecovery?
  /// The number of purchases that are read at a time, and after which the place is kept.
  public var batchSize = 100
  /// The maximum number of customers about which is asked at the same time.
  public var concurrency = 16
  /// The time after which another run may begin, where one was killed.
  public var leaseDuration = Duration.seconds(120)

  let pace: CallPace

  /// Creates a rebuild; the clock measures the pauses between requests to Google.
  public init(
    _ context: PurchaseContext, apple: [NotificationRecovery],
    google: VoidedPurchaseRecovery? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.context = context
    self.apple = apple.map { recovery in
      var recovery = recovery
      recovery.isPartOfRebuild = true
      return recovery
    }
    self.google = google
    // Google allows 3,000 requests a minute; a one-time product takes two.
    pace = CallPace(burst: 25, interval: .milliseconds(40), clock: clock)
  }

  /// A part of the work, in the order of the cases.
  public enum Step: String, Hashable, Sendable, CaseIterable {
    /// Apple's notification history is read.
    case notifications
    /// Apple and Google are asked about each stored purchase.
    case purchases
    /// Google's list of voided purchases is read.
    case voided
  }

  /// A reason why something could not be rebuilt; each is counted, and the rest goes on.
  @nonexhaustive
  public enum Fault: String, Hashable, Sendable, CaseIterable {
    /// A notification was refused, as when it came.
    case notificationRefused
    /// Apple knows the purchase in none of the host's apps.
    case unknownToApple
    /// Apple refused to tell of a customer, in a way that would repeat.
    case refusedByApple
    /// Parts of a customer's history were refused.
    case historyElementRefused
    /// The answer about a customer has nothing that can be stored.
    case notRecordable
    /// The purchase is stored with another environment.
    case environmentMismatch
    /// The token of a purchase at Google is not stored.
    case tokenMissing
    /// Google's answer about a purchase, or about a voided one, was not understood.
    case unreadableAnswer
    /// The store gave no answer about the purchase, while it did about another one; a further rebuild asks again.
    case notAnswered
    /// No client of the host can ask about the vendor of the purchase.
    case vendorNotAsked
    /// Nobody is known for credits that were bought: the app named no account, or the host knows none for it.
    case creditsOwnerless
    /// Credits that were bought were refused, as a request of the app for them would be.
    case creditsRefused
  }

  /// The result of a run.
  ///
  /// Numbers are those of this run alone, also where it went on from another.
  public struct Report: Hashable, Sendable {
    /// The moment since which the stores are asked.
    public let since: Date
    /// The moment at which the first of the runs began.
    public internal(set) var startDate: Date?
    /// The date of the newest row of each kind of event that only the host knows, as of the start; a kind without
    /// rows is left out.
    ///
    /// Between ``sureDate`` and the start such events may be lost.
    public internal(set) var newestEvents: [HostEvent: Date] = [:]
    /// The date of the newest row that tells how far the database reached at the start; nil without any.
    public internal(set) var sureDate: Date?
    /// The present step; nil before the first and after the last.
    public internal(set) var step: Step?
    /// The numbers of notifications that had not arrived before, and that had.
    public internal(set) var recoveredNotifications = 0
    public internal(set) var repeatedNotifications = 0
    /// The number of stored purchases that were visited, and of those that needed no question, because an earlier
    /// answer of this rebuild had told of them.
    public internal(set) var visitedPurchases = 0
    public internal(set) var knownPurchases = 0
    /// The numbers of questions about customers to Apple, and about purchases to Google.
    public internal(set) var askedOfApple = 0
    public internal(set) var askedOfGoogle = 0
    /// The numbers of transactions that these added, revoked and restored.
    public internal(set) var added = 0
    public internal(set) var revoked = 0
    public internal(set) var restored = 0
    /// The number of purchases whose credits were given, and those credits.
    public internal(set) var creditedPurchases = 0
    public internal(set) var credits = 0
    /// The number of refunds, and of their reversals, of which no notification had told.
    public internal(set) var creditRefunds = 0
    public internal(set) var creditReversals = 0
    /// The number of voided purchases that Google listed, and of those that had not been followed before.
    public internal(set) var voidedEntries = 0
    public internal(set) var newVoidedEntries = 0
    public internal(set) var faults: [Fault: Int] = [:]
    /// Whether all steps are done.
    public internal(set) var isComplete = false
    /// Whether another process has the lease, or was killed while it had it, so that this one did nothing or stopped.
    public internal(set) var isLeasedElsewhere = false
  }

  /// Rebuilds what the stores know, or goes on with a rebuild since the same moment that was stopped.
  ///
  /// - Parameters:
  ///   - start: A moment at which the lost database and the present one had the same rows, or before: that of the
  ///     backup. Apple keeps notifications for 180 days, and Google lists voided purchases for 30; what is older comes
  ///     from the present state of each customer.
  ///   - note: Gets the report after each part of the work, such as a day of notifications or a batch of purchases.
  /// - Returns: What was found; see also ``Report/isComplete`` and ``Report/isLeasedElsewhere``.
  /// - Throws: ``/AppStoreServerAPI/AppStoreServerFailure`` or another failure of a source that answers about no
  ///   customer, `CancellationError`, or an error of the host's accounts or the store. What was done stays so, and
  ///   the next run goes on there.
  public func run(
    since start: Date, then note: @escaping @Sendable (Report) -> Void = { _ in }
  ) async throws -> Report {
    var report = Report(since: start.stamp)
    let job = LeasedJob(
      name: "rebuild", store: context.store, now: context.now, leaseDuration: leaseDuration)
    let isFree = try await job.run { lease in try await walk(lease, job, &report, note) }
    if !isFree { report.isLeasedElsewhere = true }
    return report
  }
}

extension Rebuild.Report {
  mutating func note(_ fault: Rebuild.Fault, _ count: Int = 1) {
    if count > 0 { faults[fault, default: 0] += count }
  }

  mutating func note(_ restorations: CreditRestorations) {
    creditedPurchases += restorations.granted
    credits += restorations.credits
    creditRefunds += restorations.takenBack
    creditReversals += restorations.givenBack
    note(.creditsOwnerless, restorations.ownerless)
    note(.creditsRefused, restorations.refused)
  }
}
