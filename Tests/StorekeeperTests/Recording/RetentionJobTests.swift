import Foundation
import InMemoryStorage
import SQLStorage
import SQLiteStorage
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Removing old evidence", .onEveryStore)
struct RetentionJobTests {
  private static let day: TimeInterval = 86_400

  @Test("removes in small steps what is older than its age, and nothing of a kind without one")
  func removes() async throws {
    let scene = try await ServiceScene()
    try await fill(scene, days: 0..<10)
    var configuration = RetentionJob.Configuration()
    configuration.ages = [.notifications: .days(15), .sessions: .days(13)]
    configuration.stepSize = 2
    scene.appStore.clock.advance(by: .days(20))
    let job = try job(scene, configuration)
    // Of the days 0 to 9, on day 20.
    #expect(try await job.run() == [.notifications: 5, .sessions: 7])
    #expect(try await job.run() == [.notifications: 0, .sessions: 0])
    configuration.ages = [.snapshots: .days(14)]
    #expect(try await self.job(scene, configuration).run() == [.snapshots: 6])
    configuration.ages = [.consumption: .days(14)]
    #expect(try await self.job(scene, configuration).run() == [.consumption: 6])
  }

  @Test("works in a database that has credits alone")
  func creditsAlone() async throws {
    var ages = RetentionJob.Configuration()
    ages.ages = Dictionary(
      uniqueKeysWithValues: RetainedKind.allCases.map { ($0, .days(10)) })
    let configuration = ages
    try await withSQLiteFile([.credits]) { store, _ in
      let notification = NotificationRecord(
        key: "old", environment: .production, notificationType: "TEST")
      _ = try await store.write {
        try await $0.notifications.record(
          notification: notification, now: Date(timeIntervalSince1970: 0))
      }
      let job = try RetentionJob(store: store, configuration: configuration)
      #expect(
        try await job.run() == [.notifications: 1, .sessions: 0, .snapshots: 0, .consumption: 0])
    }
  }

  @Test(
    "refuses an age that is shorter than Apple repeats, or than a lease",
    arguments: RetainedKind.allCases)
  func tooShort(kind: RetainedKind) throws {
    let store = InMemoryPurchaseStore()
    var configuration = RetentionJob.Configuration()
    configuration.ages = [kind: .seconds(157 * 3600 - 1)]
    #expect(throws: RetentionJob.Failure.tooShort(kind, minimum: .seconds(157 * 3600))) {
      try RetentionJob(store: store, configuration: configuration)
    }
    configuration.ages = [kind: .seconds(157 * 3600)]
    _ = try RetentionJob(store: store, configuration: configuration)
    configuration.leaseDuration = .seconds(160 * 3600)
    #expect(throws: RetentionJob.Failure.tooShort(kind, minimum: .seconds(160 * 3600))) {
      try RetentionJob(store: store, configuration: configuration)
    }
  }

  private func job(
    _ scene: ServiceScene, _ configuration: RetentionJob.Configuration
  ) throws -> RetentionJob {
    let appStore = scene.appStore
    return try RetentionJob(
      store: scene.store, configuration: configuration,
      now: { appStore.now })
  }

  /// One of each kind on each of these days, an hour after its beginning.
  private func fill(_ scene: ServiceScene, days: Range<Int>) async throws {
    let row = Membership(account: Account(id: "alice"))
    let start = scene.now
    try await scene.store.write { records in
      for day in days {
        let date = start + Double(day) * Self.day + 3600
        _ = try await records.notifications.record(
          notification: NotificationRecord(
            key: "key-\(day)", environment: .production, notificationType: "TEST"), now: date)
        try await records.purchases.record(
          session: VerificationSession(
            environment: .production, originalTransactionID: "1", transactionID: "1",
            requestDate: date, responseStatus: 0), now: date)
        try await records.memberships.snapshot(row, reason: .poll, now: date)
        var request = ConsumptionCase(
          key: "key-\(day)", environment: .production, transactionID: "1",
          originalTransactionID: "1", requestedDate: date, deadline: date + 43_200)
        request.state = .declined
        _ = try await records.consumption.add(request)
      }
    }
  }
}
