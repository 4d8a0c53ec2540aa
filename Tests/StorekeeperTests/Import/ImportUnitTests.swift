import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("A row of an import is taken whole or not at all", .onEveryStore)
struct ImportUnitTests {
  @Test("A row whose products are another user's gives no membership either")
  func products() async throws {
    let scene = try await ImportScene(customers: 2)
    let host = try scene.host()
    let lifetime = try scene.appStore.buy("reader.lifetime", by: "customer-1")
    let signed = try lifetime.signedTransactionInfo
    try await host.entitlements.validate(
      UploadedEvidence(signedTransactions: [signed]), for: "rival", in: ServiceScene.bundleID)
    let before = try await scene.records()
    let results = try await host.results([scene.lines[1]])
    #expect(results.map(\.outcome) == [.refused(.link(.linkedToOtherAccount))])
    #expect(try await host.subscriptions.membership(of: "customer-1") == nil)
    #expect(try await scene.records() == before)
  }

  @Test(
    "Wherever a run is killed, Google's acknowledgement is asked for once", arguments: Array(1...7))
  func acknowledgement(life: Int) async throws {
    let scene = try await ImportScene(customers: 6)
    let writes = Locked(life)
    let store = WrappedStore(scene.store) { access, unit in
      let isAlive = writes.withLock { left in
        if access == .writing { left = max(0, left - 1) }
        return left > 0
      }
      guard isAlive else { throw BrokenConnection() }
      try await unit()
    }
    // A subscription at Google, which nobody has acknowledged.
    _ = try? await scene.host(on: store).run([scene.lines[5]])
    scene.pass(.seconds(1200))
    try await scene.host().run([scene.lines[5]])
    #expect(try await acknowledgements(scene) == 1)
    #expect(try await scene.holdings().count == 1)
  }

  @Test("A purchase that has a membership, and whose acknowledgement was lost, is acknowledged")
  func lostAcknowledgement() async throws {
    let scene = try await ImportScene(customers: 6)
    var host = try scene.host()
    let (subscriptions, stores) = (host.subscriptions, host.work.stores)
    host.work = PurchaseImport(
      host.context, subscriptions: subscriptions, stores: stores, clock: host.clock)
    try await host.run([scene.lines[5]])
    #expect(try await acknowledgements(scene) == 0)
    try await scene.host().run([scene.lines[5]])
    #expect(try await acknowledgements(scene) == 1)
  }

  private func acknowledgements(_ scene: ImportScene) async throws -> Int {
    let now = scene.appStore.now
    return try await scene.store.write { records in
      try await records.outbox.lease(limit: 100, now: now, until: now, token: "test").map(\.message)
    }.filter { $0.kind == .googleAcknowledgement }.count
  }

  @Test("An answer of which no signature is good is a refusal of its own")
  func signatures() async throws {
    let scene = try await ImportScene(customers: 2)
    scene.appStore.failServerAPI(with: .badSignature(0), at: "history")
    let results = try await scene.host().results([scene.lines[1]])
    guard case .refused(let refusal)? = results.first?.outcome else {
      Issue.record("it was not refused")
      return
    }
    #expect(refusal.name == "answer-not-authentic")
    #expect(try await scene.holdings() == [])
  }
}

@Suite("The place of an import", .onEveryStore)
struct ImportPlaceTests {
  @Test("What is done before a file cannot be read any more is told and kept")
  func brokenFile() async throws {
    let scene = try await ImportScene(customers: 45)
    let host = try scene.host()
    let format = ImportFormat.table(ImportScene.columns)
    let bytes = Array(([ImportScene.header] + scene.lines).joined(separator: "\n").utf8)
    let file = ImportFile(digest: "a file")
    let read = Locked(0)
    let rows = ImportRows(format) {
      let piece = read.withLock { count in
        count += 1
        return count
      }
      guard piece * 500 <= bytes.count / 2 else { throw BrokenConnection() }
      return Array(bytes[((piece - 1) * 500)..<(piece * 500)])
    }
    let told = Locked(0)
    await #expect(throws: BrokenConnection.self) {
      _ = try await host.work.run(rows, of: file) { step in
        told.withLock { $0 += step.results.count }
      }
    }
    let place = try await host.work.place(in: file)
    #expect(place > 0)
    #expect(place == told.withLock { $0 })
  }

  @Test("Where results cannot be told, the run ends and their place is not kept")
  func untold() async throws {
    let scene = try await ImportScene(customers: 45)
    let host = try scene.host()
    let told = Locked(0)
    await #expect(throws: BrokenConnection.self) {
      try await host.run(scene.lines) { step in
        guard told.withLock({ $0 }) == 0 else { throw BrokenConnection() }
        told.withLock { $0 += step.results.count }
      }
    }
    #expect(told.withLock { $0 } == 20)
    let again = try await host.run(scene.lines)
    #expect(again.earlier == 20)
    #expect(again.isComplete)
  }

  @Test("While a store is away, the lease is renewed")
  func lease() async throws {
    let scene = try await ImportScene(customers: 3)
    let moments = Locked([scene.appStore.now])
    let store = WrappedStore(scene.store) { access, unit in
      if access == .writing { moments.withLock { $0.append(scene.appStore.now) } }
      try await unit()
    }
    let host = try scene.host(on: store)
    host.clock.whenSlept { scene.pass($0) }
    scene.play.fail(next: nil, with: .backendError)
    await #expect(throws: GooglePlayFailure.self) { try await host.run(scene.lines) }
    let writes = moments.withLock { $0 }
    let longest = zip(writes.dropFirst(), writes).map { $0.timeIntervalSince($1) }.max() ?? 0
    #expect(writes.last.map { $0.timeIntervalSince(ServiceScene.start) >= 900 } == true)
    #expect(Duration.seconds(longest) < host.work.leaseDuration)
  }

  @Test("A digest of any length finds its place again")
  func digest() async throws {
    let scene = try await ImportScene(customers: 45)
    let host = try scene.host()
    let file = ImportFile(digest: String(repeating: "long ", count: 500))
    let rows = ImportRows(
      .table(ImportScene.columns),
      reading: TextPieces(
        Array(([ImportScene.header] + scene.lines).joined(separator: "\n").utf8)
      ).next)
    scene.play.fail(next: nil, with: .permissionDenied)
    await #expect(throws: GooglePlayFailure.self) { try await host.work.run(rows, of: file) }
    #expect(try await host.work.place(in: file) == 2)
    let other = ImportFile(digest: String(repeating: "long ", count: 500) + "!")
    #expect(try await host.work.place(in: other) == 0)
  }

  @Test("A refusal to be asked about one row alone is that row's, and one about all ends the run")
  func forbidden() async throws {
    let scene = try await ImportScene(customers: 45)
    let forbidden = AppStoreSimulator.ServerAPIFault.answer(403, .text("{}"))
    scene.appStore.failServerAPI(next: 1000, with: forbidden)
    await #expect(throws: AppStoreServerFailure.self) { try await scene.host().run(scene.lines) }
    scene.appStore.stopFailingServerAPI()
    let id = String(scene.lines[31].split(separator: ",").last ?? "")
    scene.appStore.failServerAPI(next: 1000, with: forbidden, at: id)
    let report = try await scene.host().run(scene.lines)
    #expect(report.refusals == ["refused-by-store": 1])
    #expect(report.isComplete)
  }
}
