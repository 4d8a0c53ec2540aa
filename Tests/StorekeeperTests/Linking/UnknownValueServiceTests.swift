import StoreSimulators
import Storekeeper
import StorekeeperLocks
import Testing

/// Contract on linking, section 1.3.
@Suite("Memberships with values that nobody knows", .onEveryStore)
struct UnknownValueServiceTests {
  @Test("a last day that cannot be read is refused and reported, and the row stays")
  func unreadable() async throws {
    let reports = Reports()
    let scene = try await ServiceScene(report: { reports.add($0) })
    let id = try await scene.bought().originalTransactionID
    let row = try await insert(scene, "alice") {
      $0.payMethod = .alipay
      $0.unreadableExpireDate = "31/12/2001"
    }
    for _ in 1...2 {
      #expect(
        try await failure { _ = try await scene.service.link("alice", to: id) }
          == .refused(.hasValidNonIAP))
    }
    #expect(reports.fields == [.expireDate, .expireDate])
    #expect(try await scene.membership(of: "alice") == row)
    #expect(try await scene.service.subscription(id).owner == "alice")
  }

  @Test("a link takes the stale id of a row, and nothing else of it")
  func stale() async throws {
    let reports = Reports()
    let scene = try await ServiceScene(report: { reports.add($0) })
    let id = try await scene.bought().originalTransactionID
    var row = try await insert(scene, "bob") {
      $0.tier = Tier(rawValue: "gold")
      $0.cycle = BillingCycle(rawValue: "week")
      $0.payMethod = PayMethod(rawValue: "paypal")
      $0.details.status = ProviderStatus(rawValue: "paused")
      $0.unreadableExpireDate = "31/12/2001"
      $0.originalTransactionID = id
    }
    _ = try await scene.service.link("alice", to: id)
    row.originalTransactionID = nil
    #expect(try await scene.membership(of: "bob") == row)
    #expect(reports.fields == Membership.Field.allCases)
  }

  @Test("a verification and an unlink go on, and report what they met")
  func verificationAndUnlink() async throws {
    let reports = Reports()
    let scene = try await ServiceScene(report: { reports.add($0) })
    let id = try await scene.bought().originalTransactionID
    let row = try await insert(scene, "bob") {
      $0.payMethod = PayMethod(rawValue: "paypal")
      $0.originalTransactionID = id
    }
    let now = scene.now
    try await scene.store.write { records in
      try await records.storedSubscriptions.setOwner("alice", of: id, now: now)
    }
    try await scene.verify()
    #expect(reports.fields == [.payMethod])
    try await scene.service.unlink("alice", from: id)
    #expect(reports.fields == [.payMethod, .payMethod])
    #expect(try await scene.membership(of: "bob") == row)
  }

  private func insert(
    _ scene: ServiceScene, _ primaryID: String, _ change: (inout Membership) -> Void
  ) async throws -> Membership {
    var row = Membership(account: Account(id: AccountID(stored: primaryID)))
    change(&row)
    let inserted = row
    return try await scene.store.write { try await $0.memberships.insert(inserted) }
  }
}

/// The fields of which the service told that nobody knows their values, in order.
private final class Reports: Sendable {
  private let told = Locked<[Membership.Field]>([])

  var fields: [Membership.Field] { told.withLock { $0 } }

  func add(_ incident: ServiceIncident) {
    if case .unknownValue(let field) = incident { told.withLock { $0.append(field) } }
  }
}
