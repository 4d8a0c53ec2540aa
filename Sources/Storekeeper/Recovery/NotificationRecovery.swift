public import AppStoreServerAPI
internal import JSONValues
internal import JWSVerifier
internal import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The recovery of notifications that did not arrive, as after an outage of the webhook.
///
/// ```swift
/// let recovery = NotificationRecovery(notifications: notifications, appStore: appStore)
/// try await recovery.recover()        // from where the last run ended
/// ```
///
/// Apple's notification history is read in pieces of at most a day. Each notification is received as
/// if Apple had sent it, so one that had arrived has no effect. The end of the last finished piece is
/// kept in the store: a run that was stopped goes on from there. One process works at a time.
///
/// Apple keeps notifications for 180 days, in the Sandbox for 30. For longer outages, see
/// ``SubscriptionService/reconcile(_:with:in:since:)``. Source: App Store Server API rules, section 5.5.
public struct NotificationRecovery: Sendable {
  public let notifications: NotificationService
  public let appStore: AppStoreServerClient
  /// The length of a piece, at most a day; pagination tokens expire.
  public var pieceLength = Duration.days(1)
  /// The time before the last known moment at which a run begins; an hour by default.
  public var overlap = Duration.seconds(3600)
  public var leaseDuration = Duration.seconds(600)
  /// The app's name in the store, such as Apple's number of it, of at most 50 bytes; nil if all notifications are of
  /// one app.
  ///
  /// It keeps the end of the last run apart from those of other apps.
  public var scope: String?

  /// Whether notifications are followed by others that come after, as in a rebuild: credits of purchases that the
  /// notifications tell of are given again, and nobody is asked about the present state of subscriptions.
  var isPartOfRebuild = false

  /// Creates a recovery.
  public init(notifications: NotificationService, appStore: AppStoreServerClient) {
    self.notifications = notifications
    self.appStore = appStore
  }

  /// The extent of a recovery.
  public enum Extent: String, Hashable, Sendable, CaseIterable {
    /// The notifications that Apple could not deliver, including those that it still retries.
    case failures
    /// All notifications, for an outage in which the server accepted and lost them.
    case all
  }

  /// The result of recovering the notifications of one environment.
  public struct Report: Hashable, Sendable {
    public let environment: AppStoreEnvironment
    /// The start of the window; nil if there was nothing to read, or another worker was at it.
    public internal(set) var startDate: Date?
    /// The end of the last piece that was finished.
    public internal(set) var endDate: Date?
    /// The number of notifications that had not arrived before.
    public internal(set) var recovered = 0
    /// The number of notifications that had arrived before.
    public internal(set) var repeated = 0
    /// The number of notifications that were refused; each was reported.
    public internal(set) var refused = 0
    /// The number of subscriptions whose present state was asked afterwards.
    public internal(set) var refreshed = 0
    /// The outcomes of giving credits again.
    var credits = CreditRestorations()
    /// Whether another worker has the lease, so that this one did nothing or stopped.
    public internal(set) var isLeasedElsewhere = false
  }

  /// Recovers the notifications of every environment that the client's verifier accepts, and returns a report for
  /// each.
  ///
  /// Without a `start`, a run begins at the end of the last one or, if there was none, an hour before the last stored
  /// notification. Without either there is nothing to recover.
  ///
  /// - Throws: ``/AppStoreServerAPI/AppStoreServerFailure`` after it was reported
  ///   (``ServiceIncident/sourceFailed(_:of:)``), a ``NotificationFailure`` that may pass, `CancellationError`, or an
  ///   error of the store. Finished pieces stay finished.
  @discardableResult
  public func recover(
    since start: Date? = nil, _ extent: Extent = .failures
  ) async throws -> [Report] {
    var reports: [Report] = []
    var failure: (any Error)?
    for environment in environments {
      do {
        reports.append(try await recover(environment, since: start, extent))
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // The other environment is not affected.
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return reports
  }

  /// Recovers the notifications of one environment; see ``recover(since:_:)``.
  public func recover(
    _ environment: AppStoreEnvironment, since start: Date? = nil, _ extent: Extent = .failures
  ) async throws -> Report {
    var report = Report(environment: environment)
    let job = job(environment, extent)
    let isFree = try await reporting(environment) {
      try await job.run { place in
        try await walk(RecoveryPlace(place), job, from: start, extent, &report)
      }
    }
    if !isFree { report.isLeasedElsewhere = true }
    return report
  }

  /// Recovers all notifications of an environment as a step of a longer job, whose place they have.
  func recover(
    _ environment: AppStoreEnvironment, since start: Date, from place: RecoveryPlace,
    in job: LeasedJob, then note: (Report) -> Void
  ) async throws -> Report {
    var report = Report(environment: environment)
    try await reporting(environment) {
      try await walk(
        place, job, from: max(start, place.date ?? start), .all, &report, then: note)
    }
    return report
  }

  /// Reports a failure of Apple's, with the name of the source.
  private func reporting<Result>(
    _ environment: AppStoreEnvironment,
    _ work: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    do {
      return try await work()
    } catch let failure as AppStoreServerFailure {
      notifications.report(.sourceFailed(failure, of: scope(of: environment)))
      throw failure
    }
  }

  /// Keeps the date of the last stored notification as the place of a first run.
  ///
  /// Call it before the server takes notifications, so that the first of them doesn't hide the gap
  /// before it. Where a place is kept, nothing changes.
  public func keepPlace() async throws {
    for environment in environments {
      let latest = try await latestNotificationDate(environment)
      guard let latest else { continue }
      for extent in Extent.allCases {
        let job = job(environment, extent)
        _ = try await job.run { place in
          guard place.place == nil else { return }
          _ = try await job.advance(place, to: latest.placeText)
        }
      }
    }
  }

  /// The environments that are read, in order: those that the client's verifier accepts.
  public var environments: [AppStoreEnvironment] {
    [AppStoreEnvironment.production, .sandbox].filter {
      appStore.verifier.environments.contains($0)
    }
  }

  private func scope(of environment: AppStoreEnvironment) -> PurchaseScope {
    var scope = appStore.scope
    scope.environment = environment
    return scope
  }

  private func job(_ environment: AppStoreEnvironment, _ extent: Extent) -> LeasedJob {
    LeasedJob(
      name: "notification-recovery/\(environment)/\(extent.rawValue)"
        + (scope.map { "/\($0)" } ?? ""),
      store: notifications.store, now: notifications.now,
      leaseDuration: leaseDuration)
  }

  // MARK: The walk

  /// The largest number of notifications that are put in order together.
  private static let batch = 5000

  private func walk(
    _ place: RecoveryPlace, _ job: LeasedJob, from start: Date?, _ extent: Extent,
    _ report: inout Report, then note: (Report) -> Void = { _ in }
  ) async throws {
    var place = place
    let end = notifications.now().stamp
    guard let wanted = try await self.start(of: report.environment, place, given: start) else {
      report.isLeasedElsewhere = try await !job.advance(place.lease, to: end.placeText)
      return
    }
    // A window that begins after the place would leave a gap before it, so the place stays.
    let movesPlace = place.date.map { wanted <= $0 } ?? true
    var date = max(wanted, oldest(in: report.environment, at: end))
    var refreshed: Set<String> = []
    report.startDate = date
    while date < end {
      try Task.checkCancellation()
      let length = min(max(pieceLength, .seconds(60)), .days(1))
      let next = min(end, date + length.timeInterval)
      try await read(from: date, to: next, job, place, extent, &report, &refreshed)
      guard !report.isLeasedElsewhere else { return }
      if movesPlace { place.move(to: next) }
      guard try await job.advance(place.lease, to: place.text) else {
        report.isLeasedElsewhere = true
        return
      }
      report.endDate = next
      note(report)
      date = next
    }
  }

  /// Reads a piece, receives its notifications in the order of their signing dates, and asks for the
  /// present state of their subscriptions.
  private func read(
    from start: Date, to end: Date, _ job: LeasedJob, _ place: RecoveryPlace, _ extent: Extent,
    _ report: inout Report, _ refreshed: inout Set<String>
  ) async throws {
    var request = NotificationHistoryRequest(startDate: start, endDate: end)
    if extent == .failures { request.onlyFailures = true }
    var waiting: [SentNotification] = []
    var touched: Set<String> = []
    do {
      for try await page in appStore.notificationHistory(request, in: report.environment) {
        waiting += page.notifications
        if waiting.count >= Self.batch {
          try await receive(&waiting, &report, &touched)
        }
        // A long piece must not lose its lease.
        guard try await job.advance(place.lease, to: place.text) else {
          report.isLeasedElsewhere = true
          break
        }
      }
      try await receive(&waiting, &report, &touched)
    } catch {
      if !(error is CancellationError) { await refresh(touched, &report, &refreshed) }
      if let failure = error as? AppStoreServerFailure, failure.isCancellation {
        throw CancellationError()
      }
      throw error
    }
    await refresh(touched, &report, &refreshed)
  }

  private func receive(
    _ waiting: inout [SentNotification], _ report: inout Report, _ touched: inout Set<String>
  ) async throws {
    waiting.sort { $0.signedDate < $1.signedDate }
    for sent in waiting { try await receive(sent, &report, &touched) }
    waiting = []
  }

  private func receive(
    _ sent: SentNotification, _ report: inout Report, _ touched: inout Set<String>
  ) async throws {
    do {
      // In the order of their signing dates a purchase comes before its refund, as it did when it was granted.
      if isPartOfRebuild, let credits = notifications.credits, let charge = sent.charge {
        report.credits.note(try await credits.restore(charge))
      }
      switch try await notifications.take(
        signedPayload: sent.signedPayload, keepsUndecoded: true)
      {
      case .recorded:
        report.recovered += 1
        if case .success(let verified) = sent.notification,
          let transaction = verified.payload.transaction?.payload,
          transaction.type == .autoRenewableSubscription,
          let id = transaction.originalTransactionID
        {
          touched.insert(id)
        }
      case .repeated: report.repeated += 1
      case .kept, .unstorable, .ignored: report.recovered += 1
      }
    } catch StorageFailure.invalidValue(let field) {
      // Not even its payload can be kept.
      report.refused += 1
      notifications.report(.notificationNotDecoded(String(bounding: field.name)))
    } catch let failure as NotificationFailure {
      switch failure {
      case .revocationUnknown, .appStoreUnavailable: throw failure
      default:
        report.refused += 1
        notifications.report(.recoveredNotificationRefused(failure))
      }
    }
  }

  /// Asks for the present state of subscriptions, because notifications tell former ones.
  ///
  /// A failure is reported, and is no failure of the recovery.
  private func refresh(
    _ ids: Set<String>, _ report: inout Report, _ refreshed: inout Set<String>
  ) async {
    guard !isPartOfRebuild, let subscriptions = notifications.subscriptions else { return }
    for id in ids.subtracting(refreshed).sorted() {
      do {
        _ = try await subscriptions.refresh(id)
        refreshed.insert(id)
        report.refreshed += 1
      } catch let failure as SubscriptionFailure {
        subscriptions.report(.refreshFailed(failure.shortCode))
      } catch {
        subscriptions.report(.sourceFailed(error))
      }
    }
  }

  // MARK: The place

  /// Returns the start of the window, or nil if there is nothing to recover.
  private func start(
    of environment: AppStoreEnvironment, _ place: RecoveryPlace, given start: Date?
  ) async throws -> Date? {
    if let start { return start }
    if let date = place.date { return date - overlap.timeInterval }
    return try await latestNotificationDate(environment).map {
      $0 - overlap.timeInterval
    }
  }

  private func latestNotificationDate(_ environment: AppStoreEnvironment) async throws -> Date? {
    try await notifications.store.read { records in
      try await records.common.notifications.latestNotificationDate(environment: environment)
    }
  }

  /// Returns the start of what Apple keeps, less a minute.
  private func oldest(in environment: AppStoreEnvironment, at now: Date) -> Date {
    now + 60 - Double(NotificationHistoryRequest.reach(in: environment)) * 86_400
  }
}

extension SentNotification {
  /// The purchase that the notification tells of, if it was no subscription.
  fileprivate var charge: Verified<Transaction>? {
    guard case .success(let verified) = notification,
      verified.payload.notification.notificationType == .oneTimeCharge
    else { return nil }
    return verified.payload.transaction
  }

  /// The date on which Apple signed the notification; one that was refused comes first.
  fileprivate var signedDate: Date {
    if case .success(let verified) = notification, let date = verified.signedDate { return date }
    return .distantPast
  }
}
