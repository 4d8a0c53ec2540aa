internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Rebuild {
  /// A step, with what it asks.
  private enum Work {
    case notifications(NotificationRecovery, AppStoreEnvironment)
    case purchases
    case voided(VoidedPurchaseRecovery)

    var step: Step {
      switch self {
      case .notifications: .notifications
      case .purchases: .purchases
      case .voided: .voided
      }
    }
  }

  private var works: [Work] {
    apple.flatMap { recovery in recovery.environments.map { .notifications(recovery, $0) } }
      + [.purchases] + (google.map { [.voided($0)] } ?? [])
  }

  func walk(
    _ lease: JobPlace, _ job: LeasedJob, _ report: inout Report, _ note: (Report) -> Void
  ) async throws {
    var place = RebuildPlace(lease.place, for: report.since)
    if place.startDate == nil {
      place.startDate = context.now().stamp
      (place.newestEvents, place.sureDate) = try await newestRows()
    }
    (report.startDate, report.newestEvents, report.sureDate) = (
      place.startDate, place.newestEvents, place.sureDate
    )
    let works = works
    while place.work < works.count {
      try Task.checkCancellation()
      var job = job
      job.prefix = place.prefix
      let work = works[place.work]
      report.step = work.step
      guard try await job.advance(lease, to: place.rest) else {
        report.isLeasedElsewhere = true
        return
      }
      note(report)
      try await carryOut(work, lease, place, job, &report, note)
      guard !report.isLeasedElsewhere else { return }
      place.work += 1
      place.rest = ""
    }
    // The next run begins again.
    report.isLeasedElsewhere = try await !job.advance(lease, to: "")
    report.isComplete = !report.isLeasedElsewhere
    report.step = nil
    note(report)
  }

  private func carryOut(
    _ work: Work, _ lease: JobPlace, _ place: RebuildPlace, _ job: LeasedJob,
    _ report: inout Report, _ note: (Report) -> Void
  ) async throws {
    switch work {
    case .notifications(let recovery, let environment):
      let before = report
      let recovered = try await recovery.recover(
        environment, since: report.since,
        from: RecoveryPlace(lease, at: Date(placeText: place.rest)), in: job
      ) { note(before.adding($0)) }
      report = report.adding(recovered)
    case .purchases:
      try await askAboutPurchases(lease, place, job, &report, note)
    case .voided(let recovery):
      let found = try await recovery.recover(since: report.since, as: lease, in: job)
      report.voidedEntries += found.entries
      report.newVoidedEntries += found.new
      report.note(.unreadableAnswer, found.failed - found.notAnswered)
      report.note(.notAnswered, found.notAnswered)
      report.isLeasedElsewhere = found.isLeasedElsewhere
    }
  }

  /// Returns how far the database reaches.
  private func newestRows() async throws -> ([HostEvent: Date], Date?) {
    try await context.store.read { records in
      let events = try await records.common.newestEvents()
      var dates = Array(events.values)
      for environment in [AppStoreEnvironment.production, .sandbox] {
        let latest = try await records.common.notifications.latestNotificationDate(
          environment: environment)
        if let latest { dates.append(latest) }
      }
      return (events, dates.max())
    }
  }
}

extension Rebuild.Report {
  fileprivate func adding(_ recovered: NotificationRecovery.Report) -> Self {
    var report = self
    report.recoveredNotifications += recovered.recovered
    report.repeatedNotifications += recovered.repeated
    report.note(.notificationRefused, recovered.refused)
    // What could not be given is counted with the customer.
    report.creditedPurchases += recovered.credits.granted
    report.credits += recovered.credits.credits
    report.isLeasedElsewhere = recovered.isLeasedElsewhere
    return report
  }
}

/// The place of a rebuild: what was known at its start, the step, and the place in that.
struct RebuildPlace: Hashable, Sendable {
  let since: Date
  var startDate: Date?
  var newestEvents: [HostEvent: Date] = [:]
  var sureDate: Date?
  /// The number of the work, from 0.
  var work = 0
  /// The place in the work; empty at its beginning.
  var rest = ""

  /// Reads a place for a rebuild since a moment, or creates its beginning.
  ///
  /// One since another moment that was stopped begins again, but what was known at its start stays.
  init(_ text: String?, for since: Date) {
    self.since = since
    let dates = 3 + HostEvent.allCases.count
    let parts = (text ?? "").split(
      separator: " ", maxSplits: dates + 1, omittingEmptySubsequences: false)
    guard parts.count == dates + 2 else { return }
    startDate = Date(placeText: parts[1])
    sureDate = Date(placeText: parts[2])
    for (event, part) in zip(HostEvent.allCases, parts[3...]) {
      newestEvents[event] = Date(placeText: part)
    }
    guard Date(placeText: parts[0]) == since, let work = Int(parts[dates]) else { return }
    self.work = work
    rest = String(parts[dates + 1])
  }

  /// The text of the place before that in the work.
  var prefix: String {
    let dates = [since, startDate, sureDate] + HostEvent.allCases.map { newestEvents[$0] }
    return (dates.map { $0?.placeText ?? "-" } + [String(work), ""]).joined(separator: " ")
  }
}
