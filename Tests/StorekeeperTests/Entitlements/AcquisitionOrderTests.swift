import EntitlementPolicy
import PurchaseStorage
import ReceiptModels
import StoreSimulators
import Storekeeper
import StorekeeperFixtures
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("What a user sees while products are acquired", .onEveryStore)
struct AcquisitionOrderTests {
  @Test("a purchase that was seen before the product is in the answer that acquires it")
  func upload() async throws {
    let scene = try await DrawScene()
    try await scene.buy("full.monthly")
    let frames = try scene.appStore.buy(DrawScene.id("frames"), by: "u-1").signedTransactionInfo
    let (answer, seen) = try await acquire(in: scene) { try await scene.send(frames) }
    if seen == DrawScene.ids("frames") {
      #expect(answer.entitlements.allowedProducts == DrawScene.ids("brushes", "frames"))
    } else {
      #expect(answer.entitlements.allowedProducts == DrawScene.ids("brushes"))
    }
  }

  @Test("a purchase that was taken from the user before the product is not in the answer")
  func dissociation() async throws {
    let scene = try await DrawScene()
    try await scene.buy("full.monthly")
    let frames = try await scene.buy("frames")
    let (answer, seen) = try await acquire(in: scene) {
      try await scene.service.dissociate(
        frames.originalTransactionID, from: "u-1", in: DrawScene.draw)
    }
    if seen == [] {
      #expect(answer.entitlements.allowedProducts == DrawScene.ids("brushes"))
    } else {
      #expect(answer.entitlements.allowedProducts == DrawScene.ids("brushes", "frames"))
    }
  }

  /// Acquires a product; when the service has decided, other requests come, and it goes on when they were answered,
  /// or wait for it.
  ///
  /// - Returns: The answer, and the products that were allowed between the other requests and the acquisition; nil if
  ///   there was no such moment.
  private func acquire<Other: Sendable>(
    in scene: DrawScene, beside other: @escaping @Sendable () async throws -> Other
  ) async throws -> (AcquisitionAnswer, seen: [String]?) {
    let seen = Locked<[String]?>(nil)
    let decided = Gate()
    let others = Task {
      await decided.wait()
      _ = try await other()
      let allowed = try await scene.allowed()
      if !allowed.contains(DrawScene.id("brushes")) { seen.withLock { $0 = allowed } }
    }
    let store = WrappedStore(scene.store) { unit in
      var unit = unit
      unit.entitlements = unit.entitlements.map { base in
        SlowAcquisitions(base: base) {
          decided.open()
          for _ in 0..<40 where seen.withLock({ $0 == nil }) {
            try await Task.sleep(for: .milliseconds(25))
          }
        }
      }
      return unit
    }
    var context = scene.service.context
    context.store = store
    let service = try EntitlementService(context, chance: { 0.5 }, apps: { scene.service.apps })
    let answer = try await service.acquire(
      DrawScene.id("brushes"), for: "u-1", in: DrawScene.draw)
    try await others.value
    return (answer, seen.withLock { $0 })
  }
}

/// Records of entitlements that wait before products are added.
private struct SlowAcquisitions: EntitlementRecords, AcquisitionRepository {
  let base: any EntitlementRecords
  let pause: @Sendable () async throws -> Void

  var associations: any AssociationRepository { base.associations }
  var acquisitions: any AcquisitionRepository { self }
  var validations: any ValidationRepository { base.validations }

  func holdings(
    of userID: AccountID, in bundleIDs: [String], purchases: any PurchaseRepository
  ) async throws -> HoldingRows {
    try await base.holdings(of: userID, in: bundleIDs, purchases: purchases)
  }

  func add(
    _ products: [AcquiredProduct], to userID: AccountID, in bundleID: String
  ) async throws -> [String] {
    try await pause()
    return try await base.acquisitions.add(products, to: userID, in: bundleID)
  }

  func products(of userID: AccountID, in bundleID: String) async throws -> [AcquiredProduct] {
    try await base.acquisitions.products(of: userID, in: bundleID)
  }
}
