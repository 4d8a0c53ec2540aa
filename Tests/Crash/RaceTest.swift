import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting

/// A test in which many accounts of several processes link one subscription at the same time.
struct RaceTest {
  let store: String
  let processes: Int
  let accounts: Int

  private static let prefix = "7777"

  func run() async throws -> Bool {
    let opened = try await CrashScene.store(store)
    let appStore = try AppStoreSimulator(bundleID: "com.example.reader")
    let service = try CrashScene.service(opened, appStore, prefix: Self.prefix)
    let purchase = try appStore.buy("reader.yearly")
    let id = try await service.subscription(receipt: purchase.receipt).originalTransactionID

    let share = accounts / processes
    let claimants = try (0..<processes).map {
      try WorkerProcess(["claim", store, id, String($0 * share), String(share)])
    }
    let lines = claimants.flatMap { $0.wait().split(separator: "\n").map(String.init) }
    let result = try await left(by: id, in: opened)
    await ServerSide(opened).close()
    let isRight = result.isRight(lines, accounts: share * processes)
    print(
      "claims: \(lines.count) from \(processes) processes,",
      "linked: \(lines.count { $0 == "linked" }),",
      "linked_to_other_ftc: \(lines.count { $0 == "linked_to_other_ftc" }),",
      "disputes: \(result.disputes), memberships: \(result.members.count),",
      isRight ? "as it has to be" : "WRONG: \(Set(lines)) \(result)")
    return isRight
  }

  /// The state after the race.
  private struct Result {
    var owner: String?
    var members: [String]
    var disputes: Int
    var disputants: Set<String>
    var isSound: Bool

    func isRight(_ lines: [String], accounts: Int) -> Bool {
      lines.count == accounts && lines.count { $0 == "linked" } == 1
        && lines.count { $0 == "linked_to_other_ftc" } == accounts - 1
        && members == [owner ?? ""] && disputes == accounts - 1
        && disputants.count == accounts - 1 && !disputants.contains(owner ?? "") && isSound
    }
  }

  private func left(by id: String, in store: any PurchaseStore) async throws -> Result {
    try await store.read { records in
      let row = try await records.storedSubscriptions.find([id]).first
      let members = try await records.memberships.find(account: nil, appleSubscriptionIDs: [id])
      let history = try await records.memberships.history(of: .subscription(id), limit: 10_000)
      let disputes = history.filter { $0.kind == .dispute }
      let findings = try await StoreAudit(products: CrashScene.products).findings(
        in: records, about: [id])
      return Result(
        owner: row?.subscription.owner?.rawValue, members: members.map(\.key),
        disputes: disputes.count, disputants: Set(disputes.compactMap(\.accountID?.rawValue)),
        isSound: findings.isEmpty && history.count == disputes.count)
    }
  }

  /// Runs the part of one process: each account asks once, all at the same time.
  static func claim(store: String, id: String, first: Int, count: Int) async throws {
    let service = try CrashScene.service(
      try await CrashScene.store(store),
      try AppStoreSimulator(bundleID: "com.example.reader"))
    await withTaskGroup(of: Void.self) { group in
      for number in first..<first + count {
        group.addTask {
          Worker.say(await outcome(of: service, "racer-\(number)", id))
        }
      }
    }
  }

  private static func outcome(
    of service: SubscriptionService, _ account: String, _ id: String
  ) async -> String {
    do {
      _ = try await service.link(AccountID(stored: account), to: id)
      return "linked"
    } catch SubscriptionFailure.refused(.linkedToOtherAccount) {
      return "linked_to_other_ftc"
    } catch {
      return "failed with \(error)"
    }
  }
}
