internal import EntitlementPolicy
internal import GooglePlayVerifier
internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels
internal import StorekeeperCrypto
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The recovery of refunds at Google of which no notification told, as after an outage of the webhook.
///
/// ```swift
/// let recovery = VoidedPurchaseRecovery(notifications)
/// try await recovery.recover()        // every hour, from where the last run ended
/// ```
///
/// Google's list of voided purchases is read page by page. An entry only says that a purchase may have changed,
/// as a notification does: Google is asked about the purchase, and the answer counts. A subscription that was
/// bought again stays.
///
/// The moment up to which the list was read is kept in the store, and each entry that was followed is remembered:
/// a run that was stopped goes on, and asks about no entry twice. One process works at a time. The requests for
/// the list stay within Google's quotas of 30 in 30 seconds and 6000 a day, counted in this process.
///
/// Google lists voided purchases for 30 days. Source: Google Play rules, section 5.
public struct VoidedPurchaseRecovery: Sendable {
  public let notifications: PlayNotificationService
  /// The time before the last known moment at which a run begins; an hour by default.
  public var overlap = Duration.seconds(3600)
  public var leaseDuration = Duration.seconds(600)
  /// The maximum number of entries on a page, from 1 to 1000.
  public var pageSize = 1000

  /// The pace of requests for the list: 27 in 30 seconds and 5785 a day at most.
  private let pace: CallPace

  /// Creates a recovery; the clock measures the pauses between requests.
  public init(
    _ notifications: PlayNotificationService, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.notifications = notifications
    pace = CallPace(burst: 25, interval: .seconds(15), clock: clock)
  }

  /// The result of a run.
  public struct Report: Hashable, Sendable {
    /// The start of the period that was read; nil if there was nothing to read, or another worker was at it.
    public internal(set) var startDate: Date?
    /// The moment up to which the list is done with; nil if the run stopped before.
    ///
    /// It is the time of the first entry that the next run has to ask about again, if there is one.
    public internal(set) var endDate: Date?
    /// The number of entries that were read.
    public internal(set) var entries = 0
    /// The number of those that had not been followed before.
    public internal(set) var new = 0
    /// The number of new ones that could not be followed; each was reported.
    public internal(set) var failed = 0
    /// The number of those about which Google gave no answer, while it did about others.
    public internal(set) var notAnswered = 0
    /// Whether another worker has the lease, so that this one did nothing or stopped.
    public internal(set) var isLeasedElsewhere = false
  }

  /// Follows the voided purchases that were not followed before.
  ///
  /// Without a `start`, a run begins at the end of the last one or, if there was none, with all that Google lists. One
  /// that is earlier than Google's list counts as its start.
  ///
  /// - Throws: ``/GooglePlayVerifier/GooglePlayFailure`` if the list cannot be read,
  ///   ``OrderFailure/vendorUnavailable(_:)`` if Google cannot be asked about any purchase, `CancellationError`, an
  ///   error of the host's accounts, or an error of the store. What was followed stays so.
  @discardableResult
  public func recover(since start: Date? = nil) async throws -> Report {
    let job = try job
    var report = Report()
    let isFree = try await job.run { lease in
      try await walk(RecoveryPlace(lease), job, from: start, &report)
    }
    if !isFree { report.isLeasedElsewhere = true }
    return report
  }

  /// Follows the voided purchases since a moment as a step of a longer job.
  func recover(since start: Date, as lease: JobPlace, in job: LeasedJob) async throws -> Report {
    var report = Report()
    try await walk(RecoveryPlace(lease, at: nil), job, from: start, &report)
    return report
  }

  /// The job of the app: after a wrong package name was corrected, the list is read from its start.
  private var job: LeasedJob {
    get throws {
      let package = notifications.play.packageName
      // The name of a job has at most 100 bytes.
      let name =
        package.utf8.count <= 64 ? package : hexadecimal(try SHA256.digest(of: Array(package.utf8)))
      return LeasedJob(
        name: "voided-purchase-recovery/\(name)", store: notifications.store,
        now: notifications.now, leaseDuration: leaseDuration)
    }
  }

  // MARK: The walk

  /// The time that Google's list is not asked for at its start, as the clocks of both sides differ.
  private static let clockLeeway = Duration.seconds(900)

  private func walk(
    _ place: RecoveryPlace, _ job: LeasedJob, from given: Date?, _ report: inout Report
  ) async throws {
    let now = notifications.now().stamp
    let oldest = now + (Self.clockLeeway - GooglePlayClient.voidedPurchasesPeriod).timeInterval
    // A clock that was set back must not leave the place in the future.
    let wanted = given ?? place.date.map { min($0, now) - overlap.timeInterval } ?? oldest
    let start = max(wanted, oldest)
    guard start < now else { return }
    report.startDate = start
    var end = now
    var options = VoidedPurchasesOptions()
    options.pageSize = pageSize
    var pages = notifications.play.voidedPurchases(from: start, options: options)
      .makeAsyncIterator()
    var isLast = false
    var unanswered: [any Error] = []
    var answered: String?
    while !isLast {
      try await pace.turn()
      guard let page = try await next(of: &pages) else { break }
      isLast = page.nextPageToken == nil
      for voided in page.voidedPurchases {
        try Task.checkCancellation()
        switch try await follow(voided, place, job, &report) {
        case .done:
          let token = voided.purchaseToken
          if StoredText.fits(token, .orderReceipt) { answered = token }
        case .askAgain(let failure):
          end = min(end, max(voided.voidedTime ?? start, start))
          if let failure { unanswered.append(failure) }
          if unanswered.count > 2 { try await judge(&unanswered, answered) }
        case .leaseLost:
          report.isLeasedElsewhere = true
          return
        }
      }
      // A long list must not lose its lease, also where nothing is new.
      guard try await job.advance(place.lease, to: place.text) else {
        report.isLeasedElsewhere = true
        return
      }
    }
    try await judge(&unanswered, answered)
    try await finish(place, job, at: end, from: start, &report)
  }

  /// Passes over entries about which Google gave no answer, if it answers about another one now; the next run asks again.
  ///
  /// - Throws: The failure of the first of them otherwise.
  private func judge(_ unanswered: inout [any Error], _ answered: String?) async throws {
    guard let failure = unanswered.first else { return }
    guard let answered else { throw failure }
    do {
      try await notifications.purchaseChanged(answered)
    } catch is OrderFailure {
      try Task.checkCancellation()
      throw failure
    }
    unanswered = []
  }

  private func next(
    of pages: inout VoidedPurchasePages.Iterator
  ) async throws -> VoidedPurchasesPage? {
    do throws(GooglePlayFailure) {
      return try await pages.next()
    } catch {
      throw error.kind == .cancelled ? CancellationError() : error
    }
  }

  /// Keeps the moment up to which the list is done with, and forgets old entries.
  private func finish(
    _ place: RecoveryPlace, _ job: LeasedJob, at end: Date, from start: Date,
    _ report: inout Report
  ) async throws {
    var reached = place
    // A period that begins after the place would leave a gap before it, so the place stays.
    if place.date.map({ start <= $0 }) ?? true { reached.move(to: end) }
    let text = reached.text
    let forgotten = notifications.now() - PlayNotificationService.memory.timeInterval
    let isKept = try await notifications.store.write { records in
      guard try await job.advance(place.lease, to: text, in: records) else { return false }
      _ = try await records.orders?.pushedMessages.remove(before: forgotten, limit: 1000)
      return true
    }
    report.isLeasedElsewhere = !isKept
    if isKept { report.endDate = end }
  }

  // MARK: Entries

  private enum Following {
    /// The entry was followed, now or before, or never can be.
    case done
    /// The answer about the purchase was not understood, or there was none; the place does not move past the entry.
    case askAgain((any Error)?)
    /// Another worker has the lease.
    case leaseLost
  }

  /// Asks about the purchase of an entry, unless that was done before.
  private func follow(
    _ voided: VoidedPurchase, _ place: RecoveryPlace, _ job: LeasedJob, _ report: inout Report
  ) async throws -> Following {
    report.entries += 1
    let key = voided.memoryKey
    if let key, try await notifications.isRemembered(key) { return .done }
    report.new += 1
    if StoredText.fits(voided.purchaseToken, .orderReceipt) {
      do {
        try await notifications.purchaseChanged(voided.purchaseToken)
      } catch let failure as OrderFailure {
        try Task.checkCancellation()
        let meaning = AskingFailure(failure)
        if case .fatal = meaning { throw failure }
        report.failed += 1
        let isSilent = meaning.isOutage
        if isSilent { report.notAnswered += 1 }
        notifications.report(
          .voidedPurchaseNotFollowed(isSilent ? .notAnswered : .unreadableAnswer))
        return .askAgain(isSilent ? failure : nil)
      }
    } else {
      report.failed += 1
      notifications.report(.voidedPurchaseNotFollowed(.malformedToken))
    }
    let text = place.text
    let now = notifications.now()
    let isHeld = try await notifications.store.write { records in
      guard try await job.advance(place.lease, to: text, in: records) else { return false }
      try await VoidedOrder(voided, at: now)?.note(in: records)
      if let key { try await records.remember(key, at: now) }
      return true
    }
    return isHeld ? .done : .leaseLost
  }
}

/// A reason why an entry of Google's list of voided purchases could not be followed.
@nonexhaustive
public enum VoidedPurchaseFault: String, Hashable, Sendable {
  /// Its purchase token is empty or too long, or has a zero byte; it is passed over for good.
  case malformedToken
  /// Google's answer about the purchase was not understood; the next run asks again.
  case unreadableAnswer
  /// Google gave no answer about the purchase; the next run asks again.
  case notAnswered
}

extension VoidedPurchase {
  /// The key under which an entry is remembered; nil if Google named no order that can be stored.
  ///
  /// Renewals share the token, so the order counts. Pieces of an order may be refunded one after another, so
  /// their time counts too.
  fileprivate var memoryKey: String? {
    guard let orderID, !orderID.isEmpty else { return nil }
    let piece = voidedQuantity.map { _ in "/" + (voidedTime?.placeText ?? "") } ?? ""
    let key = "voided:" + orderID + piece
    return StoredText.fits(key, .word) ? key : nil
  }
}

/// A pace of calls: some at once after a rest, and then one in each interval.
///
/// All tasks with the same pace share it. In any time t, at most `burst` + t / `interval` calls begin.
final class CallPace: Sendable {
  private let clock: any Clock<Duration>
  private let uptime: Stopwatch
  private let interval: Duration
  private let burst: Int
  /// The time since the start at which all calls so far would be over, had they come one in each interval.
  private let due = Locked(Duration.zero)

  /// Creates a pace after a rest: `burst` calls at once, at least one, and then one in each interval.
  init(burst: Int, interval: Duration, clock: any Clock<Duration>) {
    self.burst = burst
    self.interval = interval
    self.clock = clock
    uptime = Stopwatch(clock)
  }

  /// Waits until a call may begin; the turn of a call that is cancelled is lost.
  func turn() async throws {
    let now = uptime.elapsed
    let start = due.withLock { due in
      let slot = max(due, now)
      due = slot + interval
      return slot - interval * (burst - 1)
    }
    if start > now { try await clock.sleep(for: start - now) }
  }
}
