package import LinkPolicy
public import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The end of testing for all accounts at once, which the store keeps.
///
/// ```swift
/// try await TestingEnd(store).set()      // before a release
/// ```
///
/// From its moment purchases of the Sandbox count for no tester of a ``/ReceiptModels/CountedEnvironments`` any more, in whichever
/// service, and on every server that shares the store: each asks the store where a purchase counts for a tester only.
/// For whom the Sandbox counts as for everybody, nothing changes. Source: entitlement rules, section 12.
public struct TestingEnd: Sendable {
  private let job: LeasedJob

  /// Creates the end of testing in a store.
  public init(
    _ store: any PurchaseStore, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    job = LeasedJob(name: Self.name, store: store, now: now, leaseDuration: .seconds(60))
  }

  /// Ends testing now, and returns the moment, in whole milliseconds; one that is kept already stays.
  ///
  /// - Throws: `StorageFailure.conflict` while another process ends or resumes testing; or an error of the store.
  @discardableResult
  public func set() async throws -> Date {
    let moment = job.now()
    return try await keep { $0 ?? moment } ?? moment
  }

  /// Resumes testing: each tester counts as its own settings say.
  ///
  /// - Throws: As ``set()``.
  public func remove() async throws {
    try await keep { _ in nil }
  }

  /// The moment at which testing ended; nil if it goes on.
  public var date: Date? {
    get async throws { try await job.store.read { try await Self.date(in: $0) } }
  }

  @discardableResult
  private func keep(_ next: (Date?) -> Date?) async throws -> Date? {
    var text = ""
    let isFree = try await job.run { lease in
      text = next(RecoveryPlace(lease).date)?.placeText ?? ""
      guard try await job.advance(lease, to: text) else { throw StorageFailure.conflict }
    }
    guard isFree else { throw StorageFailure.conflict }
    return Date(placeText: text)
  }

  private static let name = "end of testing"

  /// Returns the moment at which testing ended, in a unit of work; nil if it goes on.
  fileprivate static func date(in records: UnitOfWork) async throws -> Date? {
    try await records.jobs.place(of: name).flatMap { Date(placeText: $0) }
  }
}

extension CountedEnvironments {
  /// Returns the rule for one user now, whom the host may know by another identifier as well; its accounts, and the
  /// store, are asked only if the answer depends on them.
  func counting(
    for userID: AccountID?, in accounts: any AccountDirectory, _ store: any PurchaseStore,
    at now: Date
  ) async throws -> CountedEnvironments {
    guard let userID else { return counting(for: nil) }
    guard hasTestersAlone else { return self }
    var account: Account? = Account(id: userID)
    if !count(.sandbox, for: account, at: now) {
      account = try await accounts.account(knownAs: userID)
    }
    guard count(.sandbox, for: account, at: now) else { return counting(for: nil) }
    return try await store.read { try await ending(in: $0) }.counting(for: account, at: now)
  }

  /// Returns the rule with the end of testing that the store keeps.
  func ending(in records: UnitOfWork) async throws -> CountedEnvironments {
    guard hasTestersAlone, let end = try await TestingEnd.date(in: records) else { return self }
    var rule = self
    rule.endTesting(at: end)
    return rule
  }

  /// Whether purchases of the Sandbox count for testers, and for nobody else.
  private var hasTestersAlone: Bool { !environments.contains(.sandbox) && !testers.isEmpty }
}

extension LinkOptions {
  /// Returns the options with the end of testing that the store keeps.
  package func ending(in records: UnitOfWork) async throws -> LinkOptions {
    var options = self
    options.allowedEnvironments = try await allowedEnvironments.ending(in: records)
    return options
  }
}
