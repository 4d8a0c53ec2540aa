import JSONValues
import PurchaseStorage
import ReceiptModels
import Storekeeper
import StorekeeperLocks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A rebuild from the stores, whose progress is logged.
struct RebuildRun {
  private let rebuild: Rebuild

  init(_ rebuild: Rebuild) { self.rebuild = rebuild }

  /// The time between two lines of progress in one step.
  private static let pause = Duration.seconds(10)

  /// Rebuilds, and returns the summary, also of a run that failed, with the failure.
  func run(since date: Date) async -> (summary: JSONValue, failure: (any Error)?) {
    let latest = Locked<(report: Rebuild.Report, noted: ContinuousClock.Instant)?>(nil)
    do {
      let report = try await rebuild.run(since: date) { report in
        let isDue = latest.withLock { latest in
          let isDue =
            latest.map { $0.report.step != report.step || $0.noted.duration(to: .now) > Self.pause }
            ?? true
          latest = (report, isDue ? .now : latest?.noted ?? .now)
          return isDue
        }
        if isDue, report.step != nil { ServerLog.note("rebuild", report.progress) }
      }
      return (report.json, report.isLeasedElsewhere ? OtherRebuild() : nil)
    } catch {
      return (latest.withLock { $0?.report.json } ?? .object([:]), error)
    }
  }
}

/// Another process rebuilds, or was stopped at it so recently that it might.
struct OtherRebuild: Error, CustomStringConvertible {
  var description: String {
    "another process is at it, or was killed less than two minutes ago; try again then"
  }
}

extension Rebuild.Report {
  fileprivate var progress: [(String, JSONValue)] {
    [
      ("step", .string(step?.rawValue ?? "")),
      ("notifications", .integer(recoveredNotifications + repeatedNotifications)),
      ("purchases", .integer(visitedPurchases)), ("askedOfApple", .integer(askedOfApple)),
      ("askedOfGoogle", .integer(askedOfGoogle)), ("voided", .integer(voidedEntries)),
    ]
  }

  fileprivate var json: JSONValue {
    func date(_ date: Date?) -> JSONValue {
      date.map { .string($0.formatted(.iso8601)) } ?? .null
    }
    func group(_ members: KeyValuePairs<String, Int>) -> JSONValue {
      .object(Dictionary(members.map { ($0.key, .integer($0.value)) }) { $1 })
    }
    return .object([
      "since": date(since), "complete": .boolean(isComplete),
      "leasedElsewhere": .boolean(isLeasedElsewhere),
      "notifications": group([
        "recovered": recoveredNotifications, "repeated": repeatedNotifications,
      ]),
      "purchases": group([
        "visited": visitedPurchases, "known": knownPurchases, "askedOfApple": askedOfApple,
        "askedOfGoogle": askedOfGoogle, "added": added, "revoked": revoked, "restored": restored,
      ]),
      "credits": group([
        "purchases": creditedPurchases, "credits": credits, "refunds": creditRefunds,
        "reversals": creditReversals,
      ]),
      "voided": group(["entries": voidedEntries, "new": newVoidedEntries]),
      "faults": .object(
        Dictionary(faults.map { ($0.key.rawValue, .integer($0.value)) }) { $1 }),
      // What no store can tell: what the database had of it, and from when to when there may have been more.
      "unsure": .object([
        "from": date(sureDate), "to": date(startDate),
        "newest": .object(
          Dictionary(HostEvent.allCases.map { ($0.rawValue, date(newestEvents[$0])) }) { $1 }),
      ]),
    ])
  }
}
