public import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper
internal import StorekeeperTesting

/// The law that memberships, entitlements, orders and credits on one store agree on who has what until when.
///
/// Random histories of purchases, renewals, changes of plan, commitments, offers, prices, extensions, deferrals, pauses,
/// whole and partial refunds, reversals, moves and lapses at the App Store and at Google Play are told to the services
/// in any order, by any evidence, with outages; strangers send the evidence of others. Whenever a customer opens the app
/// and the customer's own store answers, all three services of subscriptions show the product and the end that this
/// store's books have, the balance is that of the packs that the customer bought and got no money back for, and a stranger
/// has nothing; an outage of the other store changes nothing. At the end the ledger is audited.
///
/// ```swift
/// try await AgreementContract { try await SQLiteStore(path: path, capabilities: SQLCapability.all) }
///   .run(histories: 20_000, seed: 1)
/// ```
///
/// Source: linking rules, section 4.7; entitlement rules, sections 5 and 13.
public struct AgreementContract: Sendable {
  private let makeStore: @Sendable () async throws -> any PurchaseStore

  /// Creates the contract of one kind of store.
  ///
  /// `makeStore` makes an empty store.
  public init(makeStore: @escaping @Sendable () async throws -> any PurchaseStore) {
    self.makeStore = makeStore
  }

  /// The number of histories that one pair of simulated stores tells.
  private static var block: Int { 50 }

  /// Plays random histories on one store.
  ///
  /// The first history has this seed, each later one the next number.
  ///
  /// - Returns: The number of histories at whose end something was active.
  /// - Throws: ``/StorekeeperTesting/ContractViolation`` with the seed and the steps of a history after which the services disagree,
  ///   or an error of the store.
  @discardableResult
  public func run(
    histories: Int, seed: UInt64, fileID: String = #fileID, line: Int = #line
  ) async throws -> Int {
    let store = try await makeStore()
    var active = 0
    for first in stride(from: 0, to: histories, by: Self.block) {
      let host = try await AgreementHost(on: store, block: seed &+ UInt64(first))
      for number in first..<min(first + Self.block, histories) {
        var history = History(host: host, seed: seed &+ UInt64(number))
        do {
          try await history.play()
        } catch let mismatch as ContractMismatch {
          throw ContractViolation(
            law: "memberships, entitlements, orders and credits agree", expected: mismatch.expected,
            found:
              "\(mismatch.found) after seed \(history.seed): \(history.steps.joined(separator: ", "))",
            fileID: fileID, line: line)
        }
        if history.isActive { active += 1 }
      }
    }
    return active
  }
}

/// One random history of a customer at one store.
private struct History {
  let host: AgreementHost
  let seed: UInt64
  /// Whether something was active at the end.
  private(set) var isActive = false
  private(set) var steps: [String] = []

  init(host: AgreementHost, seed: UInt64) {
    self.host = host
    self.seed = seed
  }

  mutating func play() async throws {
    var random = SeededChance(seed: seed)
    var line: any PurchaseLine =
      switch seed % 3 {
      case 0: AppStoreLine(host: host, seed: seed)
      case 1: SignedLine(host: host, seed: seed)
      default: PlayStoreLine(host: host, seed: seed, &random)
      }
    try await line.begin(&random)
    try await compare(line)
    for _ in 0..<(4 + random.roll(20)) {
      host.clock.advance(by: .milliseconds(1 + random.roll(1000)))
      switch random.roll(8) {
      case 0:
        let vendor: Vendor = random.roll(2) == 0 ? .apple : .google
        let isOn = host.outages[vendor]?.isOn == true
        host.outages[vendor]?.isOn = !isOn
        steps.append("\(isOn ? "no outage" : "outage") of \(vendor.rawValue)")
      case 1:
        let days = 1 + random.roll(45)
        host.clock.advance(by: .days(days))
        steps.append("\(days) days")
      case 2: try await open(&line, &random)
      default:
        if let step = try await line.step(&random) { steps.append(step) }
      }
    }
    isActive = try await open(&line, &random)
    for user in [line.owner, line.stranger] {
      let violations = try await host.credits.audit(user)
      try expect(violations.isEmpty, "a ledger without faults", found: "\(violations)")
    }
    // The next customer begins with both stores well.
    for outage in host.outages.values { outage.isOn = false }
  }

  /// Has the customer open the app while the customer's own store answers, and compares.
  ///
  /// - Returns: Whether something was active.
  @discardableResult
  private mutating func open(
    _ line: inout any PurchaseLine, _ random: inout SeededChance
  ) async throws -> Bool {
    host.outages[line.vendor]?.isOn = false
    steps.append("opened")
    try await line.open(&random)
    return try await compare(line)
  }

  @discardableResult
  private func compare(_ line: any PurchaseLine) async throws -> Bool {
    let shown = try await host.shown(to: line.owner, in: line.bundleID)
    let (due, credits) = (try line.due(), line.creditsDue())
    try expect(
      shown.areAll(due, credits),
      "everywhere \(due?.description ?? "nothing"), and \(credits) credits, as the store's books say",
      found: "\(shown)")
    try expect(!shown.isStale, "nothing stale once everything was told", found: "\(shown)")
    let stranger = try await host.shown(to: line.stranger, in: line.bundleID)
    try expect(stranger.isNothing, "nothing for a stranger", found: "\(stranger)")
    return due != nil
  }
}

private func expect(_ holds: Bool, _ expected: String, found: String) throws(ContractMismatch) {
  guard holds else { throw ContractMismatch(expected: expected, found: found) }
}

/// The purchases of one customer at one store, and what is told of them.
protocol PurchaseLine {
  var owner: AccountID { get }
  var stranger: AccountID { get }
  var bundleID: String { get }
  var vendor: Vendor { get }
  /// Buys something, and opens the app with it.
  mutating func begin(_ random: inout SeededChance) async throws
  /// Does something at the store or tells something of it, and returns what it was; nil if that was not possible.
  mutating func step(_ random: inout SeededChance) async throws -> String?
  /// Tells everything, and opens the app, while the stores answer.
  mutating func open(_ random: inout SeededChance) async throws
  /// Returns the product that the customer has by the store's own books; nil for none.
  func due() throws -> ShownProduct?
  /// Returns the credits that the customer has by the store's own books.
  func creditsDue() -> Int
}

extension PurchaseLine {
  func product(_ random: inout SeededChance) -> String {
    AgreementHost.products[random.roll(AgreementHost.products.count)].0
  }
}

/// Numbers that are the same for the same seed (SplitMix64).
package struct SeededChance: RandomNumberGenerator {
  private var state: UInt64

  /// Creates the numbers of a seed.
  package init(seed: UInt64) { state = seed &* 0x2545_F491_4F6C_DD1D }

  /// Returns the next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 up to a bound.
  package mutating func roll(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
