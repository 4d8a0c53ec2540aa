import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("The rebuild from the stores", .onEveryStore)
struct RebuildTests {
  @Test("the copy of a lost database becomes equal to it, but for what only the host knew")
  func equal() async throws {
    let scene = try await RebuildScene()
    var story = try await RebuildStory(scene)
    try await story.afterBackup()
    let forgotten = try await story.unknownToStores()
    let lost = try await RebuiltRecords(scene.lost, without: forgotten)
    #expect(try await RebuiltRecords(scene.copy, without: forgotten) != lost, "nothing was lost")
    let report = try await scene.copy.rebuild(scene.appStore).run(since: story.backup)
    #expect(report.isComplete)
    #expect(report.faults.isEmpty)
    let rebuilt = try await RebuiltRecords(scene.copy, without: forgotten)
    #expect(rebuilt.differences(from: lost) == [])
  }

  @Test("a second rebuild changes nothing, and grants nothing")
  func repeated() async throws {
    let scene = try await RebuildScene()
    var story = try await RebuildStory(scene)
    try await story.afterBackup()
    let rebuild = try scene.copy.rebuild(scene.appStore)
    _ = try await rebuild.run(since: story.backup)
    let before = try await RebuiltRecords(scene.copy)
    scene.pass(.seconds(60))
    let report = try await rebuild.run(since: story.backup)
    #expect(report.isComplete)
    #expect(report.recoveredNotifications == 0)
    #expect(report.repeatedNotifications > 10)
    #expect((report.added, report.revoked, report.restored) == (0, 0, 0))
    #expect((report.creditedPurchases, report.credits) == (0, 0))
    #expect(try await RebuiltRecords(scene.copy).differences(from: before) == [])
  }

  @Test("a database that lost nothing stays as it is")
  func nothingLost() async throws {
    let scene = try await RebuildScene()
    var story = try await RebuildStory(scene)
    try await story.afterBackup()
    _ = try await story.unknownToStores()
    let before = try await RebuiltRecords(scene.lost)
    let balance = try await scene.lost.credits.balance(of: "user-0")
    let report = try await scene.lost.rebuild(scene.appStore).run(since: story.backup)
    #expect(report.recoveredNotifications == 0)
    #expect(try await RebuiltRecords(scene.lost).differences(from: before) == [])
    #expect(try await scene.lost.credits.balance(of: "user-0") == balance)
  }

  @Test("killed at ten places and resumed, the copy becomes equal to the lost database")
  func killed() async throws {
    let scene = try await RebuildScene()
    var story = try await RebuildStory(scene)
    try await story.afterBackup()
    let lost = try await RebuiltRecords(scene.lost)
    // Each run of this store dies after some more writes, none of which give back the lease.
    let writes = Locked(0)
    var kills = 0
    var report: Rebuild.Report?
    for run in 0..<100 where report?.isComplete != true {
      writes.withLock { $0 = kills < 10 ? 9 + run % 4 : .max }
      let store = WrappedStore(scene.copy.store) { access, unit in
        let isAlive = writes.withLock { left in
          if access == .writing { left = max(0, left - 1) }
          return left > 0
        }
        guard isAlive else { throw BrokenConnection() }
        try await unit()
      }
      do {
        report = try await scene.copy.rebuild(scene.appStore, on: store).run(since: story.backup)
      } catch is BrokenConnection {
        kills += 1
        // The next one may begin when the lease has ended.
        let early = try await scene.copy.rebuild(scene.appStore).run(since: story.backup)
        #expect(early.isLeasedElsewhere)
        scene.pass(.seconds(121))
      }
    }
    #expect(kills == 10)
    #expect(report?.isComplete == true)
    #expect(try await RebuiltRecords(scene.copy).differences(from: lost) == [])
  }
}
