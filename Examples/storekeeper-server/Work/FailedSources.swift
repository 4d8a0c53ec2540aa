import ReceiptModels
import Storekeeper
import StorekeeperLocks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The sources of purchases that failed at their last question.
///
/// A source leaves when it answers, or when it was not heard to fail for a day: then nobody asks it any
/// more, because failed questions are repeated after less than that, or another process does.
final class FailedSources: Sendable {
  /// Those that this process asked.
  static let known = FailedSources()

  /// A source, and the moment of its first failure since its last answer.
  struct Source: Hashable, Sendable {
    var scope: PurchaseScope
    var since: Date
  }

  private struct Failure {
    var since: Date
    var last: ContinuousClock.Instant
  }

  private let failures = Locked<[PurchaseScope: Failure]>([:])
  private let lifetime: Duration

  init(forgottenAfter lifetime: Duration = .seconds(86_400)) { self.lifetime = lifetime }

  /// Notes that a question to a source failed; one without a name is passed over.
  func noteFailure(of scope: PurchaseScope, at date: Date = Date()) {
    guard scope.vendor != nil else { return }
    failures.withLock { failures in
      failures[scope.asSource, default: Failure(since: date, last: .now)].last = .now
    }
  }

  /// Notes that a source answered a question.
  func noteAnswer(of scope: PurchaseScope) {
    let source = scope.asSource
    failures.withLock { failures in
      guard !failures.isEmpty else { return }
      failures[source] = nil
      // A failure whose environment was not known.
      failures[PurchaseScope(vendor: source.vendor, appID: source.appID)] = nil
    }
  }

  /// Returns the sources in the order of their names.
  func list() -> [Source] {
    let found = failures.withLock { failures in
      failures = failures.filter { $0.value.last.duration(to: .now) < lifetime }
      return failures
    }
    return found.map { Source(scope: $0.key, since: $0.value.since) }
      .sorted { $0.scope.names.lexicographicallyPrecedes($1.scope.names) }
  }
}

extension PurchaseScope {
  /// The scope without the environment where that does not tell sources apart: Google's API answers about
  /// test purchases too.
  fileprivate var asSource: PurchaseScope {
    guard vendor == .google else { return self }
    return PurchaseScope(vendor: vendor, appID: appID)
  }

  fileprivate var names: [String] {
    [vendor?.rawValue ?? "", appID ?? "", environment?.rawValue ?? ""]
  }
}
