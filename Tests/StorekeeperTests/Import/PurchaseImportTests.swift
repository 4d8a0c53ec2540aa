import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("The import of purchases from another system", .onEveryStore)
struct PurchaseImportTests {
  @Test(
    "With wrong rows, outages and ten kills, accounts have what the stores know, and nothing else")
  func rehearsal() async throws {
    let scene = try await ImportScene(customers: ImportScene.customers)
    var (lines, known) = (scene.lines, scene.purchases)
    // One row in a hundred is wrong, each in another way.
    var wrong = 0
    for number in stride(from: 7, to: lines.count, by: 100) {
      let name = "customer-\(number)"
      known = known.filter { !$0.hasPrefix(name + " ") }
      let isTold = number % 3 == 0 ? "bm8gcmVjZWlwdA==" : number % 3 == 1 ? "999" : "unknown-token"
      switch wrong % 4 {
      case 0: lines[number] = lines[number].replacingOccurrences(of: name, with: "ghost")
      case 1: lines[number] = "\(name),,,\(isTold.filter(\.isNumber))1,"
      case 2: lines[number] = "\(name),,,,unknown-token"
      default: lines[number] = "\(name),,no receipt!,,"
      }
      wrong += 1
    }
    // Claims to what others have, at the end.
    lines += [1, 2, 3].map { number in
      "rival" + scene.lines[number].dropFirst("customer-\(number)".count)
    }
    let writes = Locked(0)
    let seed = UInt64.random(in: 0...(.max))
    var chance = SplitMix(seed)
    var kills = 0
    var report: ImportReport?
    var results: [Int: ImportResult] = [:]
    for _ in 0..<100 where report?.isComplete != true {
      let life = Int(chance.next() % UInt64(max(4, lines.count / 8))) + 4
      writes.withLock { $0 = kills < 10 ? life : .max }
      let store = WrappedStore(scene.store) { access, unit in
        let isAlive = writes.withLock { left in
          if access == .writing { left = max(0, left - 1) }
          return left > 0
        }
        guard isAlive else { throw BrokenConnection() }
        try await unit()
      }
      // Each store is away for a while, too.
      scene.appStore.fail(next: 3, with: .transportFailure(.timedOut))
      scene.appStore.failServerAPI(next: 3, with: .error(5_000_001))
      scene.play.fail(next: 3, with: .backendError)
      let told = Locked<[ImportResult]>([])
      do {
        report = try await scene.host(on: store).run(lines) { step in
          told.withLock { $0 += step.results }
        }
      } catch is BrokenConnection {
        kills += 1
        let early = try await scene.host().run(lines)
        #expect(early.isLeasedElsewhere)
        scene.pass(.seconds(121))
      }
      for result in told.withLock({ $0 }) { results[result.number] = result }
    }
    #expect(kills == 10, "seed \(seed)")
    #expect(report?.isComplete == true, "seed \(seed)")
    #expect(try await scene.holdings() == known, "seed \(seed)")
    let refused = results.values.filter { if case .refused = $0.outcome { true } else { false } }
    #expect(refused.count == wrong + 3, "seed \(seed)")
    #expect(results.count == lines.count, "seed \(seed)")
    #expect(
      results.values.filter { $0.outcome == .refused(.link(.linkedToOtherAccount)) }.count == 3)
    // A second run changes nothing.
    let before = try await scene.records()
    scene.pass(.seconds(60))
    let second = try await scene.host().run(lines)
    #expect((second.accepted, second.refused) == (0, wrong + 3))
    #expect(second.unchanged == lines.count - wrong - 3)
    #expect(Set(try await scene.records()).symmetricDifference(before) == [])
    #expect(before.contains("disputes 0"))
  }

  @Test("Each kind of evidence gives its account what it names")
  func kinds() async throws {
    let scene = try await ImportScene(customers: 3)
    let report = try await scene.host().run(scene.lines)
    #expect((report.accepted, report.refused, report.isComplete) == (3, 0, true))
    #expect(report.rowCount == 3)
    #expect(try await scene.holdings() == scene.purchases)
    let membership = try await scene.host().subscriptions.membership(of: "customer-1")
    #expect(membership?.grantsAccess(at: scene.appStore.now) == true)
  }

  @Test(
    "A row that cannot count says why",
    arguments: [
      (",,,1,", "malformed"), ("customer-0,,,x,", "malformed"), ("customer-0,,,,", "malformed"),
      ("customer-0,,,,GPA.1234-5678", "malformed"), ("ghost,,,999,", "account-not-found"),
      ("customer-0,,,999,", "unknown-to-store"), ("customer-0,,,,token", "unknown-to-store"),
      ("customer-0,,bm8gcmVjZWlwdA==,,", "refused-by-store"),
    ])
  func refusals(line: String, name: String) async throws {
    let scene = try await ImportScene(customers: 1)
    let results = try await scene.host().results([line])
    #expect(results.map(\.number) == [1])
    #expect(results.map(\.line) == [2])
    guard case .refused(let refusal)? = results.first?.outcome else {
      Issue.record("it was not refused")
      return
    }
    #expect(refusal.name == name)
    #expect(try await scene.holdings() == [])
  }

  @Test("The first account that the host knows by one of the identifiers counts")
  func aliases() async throws {
    let scene = try await ImportScene(customers: 2)
    let line = scene.lines[1].replacingOccurrences(
      of: "customer-1,,", with: "ghost,customer-1,")
    #expect(try await scene.host().results([line]).map(\.outcome) == [.accepted])
    #expect(try await scene.holdings().allSatisfy { $0.hasPrefix("customer-1 ") })
  }

  @Test("Of two accounts that claim a purchase the first keeps it, and no dispute is recorded")
  func conflict() async throws {
    let scene = try await ImportScene(customers: 3)
    let claims = (0..<3).map { "rival" + scene.lines[$0].dropFirst("customer-0".count) }
    let results = try await scene.host().results(scene.lines + claims)
    #expect(results.prefix(3).map(\.outcome) == [.accepted, .accepted, .accepted])
    #expect(
      results.suffix(3).map(\.outcome)
        == Array(repeating: .refused(.link(.linkedToOtherAccount)), count: 3))
    #expect(try await scene.holdings() == scene.purchases)
    #expect(try await scene.records().contains("disputes 0"))
    let conflicts = try await scene.store.read { records in
      try await records.associations.conflicts(about: "x")
    }
    #expect(conflicts.isEmpty)
  }

  @Test("A trial decides everything and writes nothing")
  func trial() async throws {
    let scene = try await ImportScene(customers: 4)
    var host = try scene.host()
    host.work.isTrial = true
    let report = try await host.run(scene.lines + ["ghost,,,1,"])
    #expect((report.accepted, report.refused, report.isComplete) == (4, 1, true))
    #expect(try await scene.records() == ["disputes 0", "waiting 0"])
    let place = try await scene.store.read { try await $0.jobs.place(of: "purchase-import") }
    #expect(place == nil)
  }

  @Test("An outage that outlasts the patience ends the run, and the next one goes on there")
  func outage() async throws {
    let scene = try await ImportScene(customers: 45)
    scene.play.fail(next: nil, with: .backendError)
    await #expect(throws: GooglePlayFailure.self) { try await scene.host().run(scene.lines) }
    scene.play.stopFailing()
    let report = try await scene.host().run(scene.lines)
    #expect(report.earlier == 2)
    #expect((report.accepted, report.done, report.isComplete) == (43, 45, true))
    #expect(report.refused == 0)
    #expect(try await scene.holdings() == scene.purchases)
  }

  @Test("A row about which alone the store does not answer is postponed, and the rest goes on")
  func postponed() async throws {
    let scene = try await ImportScene(customers: 45)
    let id = String(scene.lines[4].split(separator: ",").last ?? "")
    scene.appStore.failServerAPI(next: 1000, with: .error(5_000_001), at: id)
    let report = try await scene.host().run(scene.lines)
    #expect((report.accepted, report.postponed, report.refused) == (44, 1, 0))
    #expect(report.isComplete)
    scene.appStore.stopFailingServerAPI()
    let second = try await scene.host().run(scene.lines)
    #expect((second.accepted, second.unchanged) == (1, 44))
    #expect(try await scene.holdings() == scene.purchases)
  }

  @Test("Where purchases may move to whoever shows them, a file moves none")
  func transfers() async throws {
    let scene = try await ImportScene(customers: 3)
    var host = try scene.host(transfer: .always)
    try await host.run(scene.lines)
    let claims = (0..<3).map { "rival" + scene.lines[$0].dropFirst("customer-0".count) }
    let results = try await host.results(claims)
    #expect(
      results.map(\.outcome) == Array(repeating: .refused(.link(.linkedToOtherAccount)), count: 3))
    #expect(try await scene.holdings() == scene.purchases)
    host.work.isTrial = true
    #expect(try await host.results(claims).map(\.outcome) == results.map(\.outcome))
  }

  @Test("A user of products may have any identifier; a membership asks for visible ASCII")
  func opaqueAccounts() async throws {
    let scene = try await ImportScene(customers: 2)
    let id = try AccountID(opaque: "Müller & Töchter")
    scene.accounts.add(Account(id: id))
    let line = scene.lines[1].replacingOccurrences(of: "customer-1", with: id.rawValue)
    var host = try scene.host()
    #expect(try await host.results([line]).map(\.outcome) == [.accepted])
    let products = try await host.entitlements.products(of: id, in: ServiceScene.bundleID)
    #expect(products.isSubscriber)
    let (subscriptions, stores) = (host.subscriptions, host.work.stores)
    host.work = PurchaseImport(
      host.context, subscriptions: subscriptions, stores: stores, clock: host.clock)
    #expect(try await host.results([line]).map(\.outcome) == [.refused(.notRecordable)])
  }

  @Test("A license tester's purchases count for a tester alone")
  func licenseTesters() async throws {
    let scene = try await ImportScene(customers: 2)
    let terms = PlayTerms(buyer: .licenseTester)
    let lines = [
      "customer-0,,,,\(try scene.play.subscribe("basic_monthly", by: "a", terms).purchaseToken)",
      "customer-1,,,,\(try scene.play.buy("gold_theme", by: "b", terms).purchaseToken)",
    ]
    let strict = try await scene.host(counting: [.production]).results(lines)
    #expect(
      strict.map(\.outcome) == Array(repeating: .refused(.environmentNotAllowed), count: 2))
    #expect(try await scene.holdings() == [])
    let rule = CountedEnvironments([.production], testers: ["customer-0"])
    let open = try await scene.host(counting: rule).results(lines)
    #expect(open.map(\.outcome) == [.accepted, .refused(.environmentNotAllowed)])
  }

  @Test("A key that Google refuses ends the run at once")
  func credentials() async throws {
    let scene = try await ImportScene(customers: 3)
    scene.play.fail(next: nil, with: .permissionDenied)
    let host = try scene.host()
    await #expect(throws: GooglePlayFailure.self) { try await host.run(scene.lines) }
    #expect(host.clock.now.elapsed < .seconds(5))
  }

  @Test("Another file begins anew, and the same one goes on")
  func place() async throws {
    let scene = try await ImportScene(customers: 45)
    scene.play.fail(next: nil, with: .permissionDenied)
    await #expect(throws: GooglePlayFailure.self) { try await scene.host().run(scene.lines) }
    scene.play.stopFailing()
    let other = try await scene.host().run(Array(scene.lines.prefix(2)))
    #expect((other.earlier, other.unchanged, other.isComplete) == (0, 2, true))
    let all = try await scene.host().run(scene.lines)
    #expect((all.earlier, all.unchanged, all.accepted) == (0, 2, 43))
  }

  @Test("Google is asked 25 times a second, and the time that is left is told")
  func pace() async throws {
    let scene = try await ImportScene(customers: 300)
    let tokens = scene.lines.enumerated().filter { $0.offset % 3 == 2 }.map(\.element)
    let host = try scene.host()
    let steps = Locked<[ImportReport]>([])
    let report = try await host.run(tokens) { step in steps.withLock { $0.append(step.report) } }
    #expect(report.accepted == 100)
    // After 25 at once, one in 40 milliseconds.
    #expect(host.clock.now.elapsed >= .milliseconds(40) * 75)
    #expect(host.clock.now.elapsed < .seconds(5))
    let reports = steps.withLock { $0 }
    #expect(reports.map(\.done) == [20, 40, 60, 80, 100, 100])
    #expect(reports.last?.timeLeft == .zero)
    #expect(reports[2].timeLeft.map { $0 > .zero } == true)
  }

  @Test("Nobody gets an e-mail")
  func mail() async throws {
    let scene = try await ImportScene(customers: 6)
    try await scene.host().run(scene.lines)
    let now = scene.appStore.now
    let messages = try await scene.store.write { records in
      try await records.outbox.lease(limit: 100, now: now, until: now, token: "test").map(\.message)
    }
    #expect(messages.filter { $0.kind == .link }.isEmpty)
  }
}

/// A generator of random numbers that a seed repeats.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
