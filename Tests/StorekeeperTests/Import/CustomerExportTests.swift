import Foundation
import JSONValues
import LinkPolicy
import PurchaseStorage
import ReceiptModels
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("The export of everything that is known about customers", .onEveryStore)
struct CustomerExportTests {
  private func lines(
    _ host: ImportHost, withEvidence: Bool = false
  ) async throws -> [[String: JSONValue]] {
    var export = CustomerExport(host.context)
    (export.includesEvidence, export.pageSize) = (withEvidence, 2)
    var lines: [[String: JSONValue]] = []
    let count = try await export.run { line in
      // A line is one line.
      #expect(!line.serialized.contains(UInt8(ascii: "\n")))
      if case .object(let members) = line { lines.append(members) }
    }
    #expect(count == lines.count)
    return lines
  }

  @Test("Each purchase has a line with its owner, and no evidence")
  func purchases() async throws {
    let scene = try await ImportScene(customers: 5)
    let host = try scene.host()
    try await host.run(scene.lines)
    let lines = try await lines(host)
    #expect(lines.map { $0["kind"] } == Array(repeating: .string("purchase"), count: 5))
    #expect(lines.allSatisfy { $0["evidence"] == nil })
    let owners = lines.map { line -> String in
      guard case .object(let subscription)? = line["subscription"],
        case .string(let owner)? = subscription["owner"]
      else { return "-" }
      return owner
    }
    // Customer 2 has bought a theme.
    #expect(owners.sorted() == ["-", "customer-0", "customer-1", "customer-3", "customer-4"])
    let users = lines.map { line -> JSONValue? in
      guard case .array(let associations)? = line["associations"],
        case .object(let first)? = associations.first
      else { return nil }
      return first["user"]
    }
    #expect(Set(users) == Set((0..<5).map { .string("customer-\($0)") }))
  }

  @Test("With evidence it has what an import needs to bring everything back")
  func back() async throws {
    let scene = try await ImportScene(customers: 6)
    let host = try scene.host()
    try await host.run(scene.lines)
    var rows: [String] = []
    for line in try await lines(host, withEvidence: true) {
      guard case .array(let associations)? = line["associations"],
        case .object(let first)? = associations.first, case .string(let user)? = first["user"],
        case .string(let id)? = line["originalTransactionId"]
      else { continue }
      if line["vendor"] == .string("apple") {
        rows.append("\(user),,,\(id),")
      } else if case .string(let token)? = line["evidence"] {
        rows.append("\(user),,,,\(token)")
      }
    }
    #expect(rows.count == 6)
    let report = try await host.run(rows)
    #expect((report.unchanged, report.refused) == (6, 0))
  }

  @Test("Acquired products and refused claims to purchases have lines, each once")
  func entitlements() async throws {
    let scene = try await ImportScene(customers: 2)
    let host = try scene.host()
    try await host.run(scene.lines)
    let lifetime = try scene.appStore.buy("reader.lifetime", by: "customer-1")
    let evidence = UploadedEvidence(signedTransactions: [try lifetime.signedTransactionInfo])
    let app = ServiceScene.bundleID
    try await host.entitlements.validate(evidence, for: "customer-1", in: app)
    try await host.entitlements.acquire("gold_theme", for: "customer-1", in: app)
    await #expect(throws: EntitlementFailure.self) {
      try await host.entitlements.validate(evidence, for: "rival", in: app)
    }
    let lines = try await lines(host)
    let conflicts = lines.filter { $0["kind"] == .string("conflict") }
    #expect(
      conflicts.map { $0["originalTransactionId"] } == [.string(lifetime.originalTransactionID)])
    #expect(conflicts.map { $0["owner"] } == [.string("customer-1")])
    #expect(conflicts.map { $0["claimant"] } == [.string("rival")])
    let acquired = lines.filter { $0["kind"] == .string("acquired") }
    #expect(acquired.map { $0["user"] } == [.string("customer-1")])
    #expect(acquired.map { $0["productId"] } == [.string("gold_theme")])
    #expect(acquired.map { $0["viaProductId"] } == [.string(ServiceScene.monthly)])
    #expect(acquired.map { $0["app"] } == [.string(app)])
  }

  @Test("Subscriptions of a host's own tables, of which no store has told yet, have lines")
  func brought() async throws {
    let scene = try await ImportScene(customers: 2)
    let host = try scene.host()
    try await host.run(scene.lines)
    let moment = Date(timeIntervalSince1970: 1_900_000_000)
    let ids = ["7", "70", "700", "9", "90"]
    try await host.context.store.write { records in
      for id in ids {
        try await records.storedSubscriptions.save(
          Subscription(
            environment: .production, originalTransactionID: id, lastTransactionID: id,
            productID: ServiceScene.monthly, purchaseDate: moment, expiresDate: moment,
            tier: .standard, cycle: .month, autoRenewal: true), asOf: moment, now: moment)
        try await records.storedSubscriptions.setOwner(
          AccountID(stored: "reader-\(id)"), of: id, now: moment)
      }
    }
    let lines = try await lines(host)
    #expect(lines.map { $0["kind"] } == Array(repeating: .string("purchase"), count: 7))
    let brought = lines.filter { $0["transactions"] == .array([]) }
    #expect(brought.map { $0["originalTransactionId"] } == ids.map { .string($0) })
    let owners = brought.map { line -> JSONValue? in
      guard case .object(let subscription)? = line["subscription"] else { return nil }
      return subscription["owner"]
    }
    #expect(owners == ids.map { .string("reader-\($0)") })
  }

  @Test("Disputes and credits have lines of their own")
  func others() async throws {
    let scene = try await ImportScene(customers: 2)
    let host = try scene.host()
    try await host.run(scene.lines)
    let id = String(scene.lines[1].split(separator: ",").last ?? "")
    await #expect(throws: SubscriptionFailure.refused(.linkedToOtherAccount)) {
      try await host.subscriptions.link("rival", to: id)
    }
    let credits = try CreditService(host.context, products: try CreditProducts([]))
    try await credits.book(
      LedgerBooking(
        userID: "customer-0", eventID: "moved-in", changeType: .init(rawValue: "opening"),
        subjectType: "import", subjectID: "1", amount: 70))
    let lines = try await lines(host)
    #expect(
      lines.compactMap { $0["kind"] }.suffix(3) == [
        .string("dispute"), .string("creditAccount"), .string("creditEntry"),
      ])
    #expect(lines.last?["amount"] == .integer(70))
  }

  @Test("What support did has lines, the newest first")
  func acts() async throws {
    let host = try await ImportScene(customers: 1).host()
    try await host.context.store.write { records in
      for number in 1...5 {
        let act = SupportAct(
          form: "form-\(number)", member: "nora", kind: "unlink", account: "customer-0",
          data: #"{"reason":"asked \#(number) times"}"#, date: ServiceScene.start)
        _ = try await records.acts.begin(act)
      }
      try await records.acts.end(form: "form-5", result: "done")
    }
    let lines = try await lines(host)
    #expect(lines.map { $0["kind"] } == Array(repeating: .string("supportAct"), count: 5))
    #expect(
      lines.map { $0["about"] }
        == (1...5).reversed().map { .object(["reason": .string("asked \($0) times")]) })
    #expect(lines.map { $0["result"] }.prefix(2) == [.string("done"), .null])
    #expect(lines.first?["account"] == .string("customer-0"))
    #expect(lines.first?["member"] == .string("nora"))
    #expect(lines.first?["act"] == .string("unlink"))
  }
}
