import StoreSimulators
import Storekeeper
import StorekeeperTesting

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A process that sends requests to the subscription service for ever, and prints them line by
/// line.
struct Worker {
  let service: SubscriptionService
  let appStore: AppStoreSimulator
  let number: Int

  /// The number of concurrent lanes, each of which runs its requests in order.
  static let lanes = 4

  init(store name: String, number: Int) async throws {
    // Each process starts a quarter of a day after the one before.
    appStore = try AppStoreSimulator(bundleID: "com.example.reader") {
      $0.start = Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 21_600)
    }
    self.number = number
    service = try CrashScene.service(
      try await CrashScene.store(name), appStore, prefix: String(1000 + number))
  }

  /// Works until the process is killed.
  func work() async {
    await withTaskGroup(of: Void.self) { group in
      for lane in 0..<Self.lanes {
        group.addTask {
          var generation = 0
          while true {
            // A lane stops at a request whose outcome is unknown.
            var worker = LaneWorker(worker: self, lane: "run\(number)-\(lane)-\(generation)")
            await worker.work()
            generation += 1
          }
        }
      }
    }
  }

  /// Writes a line at once.
  static func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
  }
}

/// A lane: a member, a rival, and the subscriptions that the member buys.
struct LaneWorker {
  /// A subscription at the App Store.
  private struct Bought {
    var last: TestPurchase
    var isOn = true
    var isRefunded = false
    var isRenewed = false
  }

  private let worker: Worker
  private var state: LaneState
  private var bought: [String: Bought] = [:]
  /// The subscriptions that Apple knows, in the order of buying.
  private var ids: [String] = []

  init(worker: Worker, lane: String) {
    self.worker = worker
    state = LaneState(lane: lane)
  }

  /// Works until a request has no answer.
  mutating func work() async {
    do {
      while true {
        let (operation, receipt) = try next()
        Worker.say("begin \(state.lane) \(operation)")
        let expected = state.apply(operation)
        let found = try await answer(operation, receipt)
        if found != expected {
          Worker.say("wrong \(state.lane) \(operation): \(found) instead of \(expected)")
        }
        Worker.say("done \(state.lane)")
      }
    } catch is StorageFailure {
      // The store is unavailable, so the outcome of the request is unknown.
      await Task.yield()
    } catch {
      Worker.say("wrong \(state.lane) threw \(error)")
    }
  }

  // MARK: Asking

  private func answer(_ operation: Operation, _ receipt: String) async throws -> Outcome {
    do {
      switch operation {
      case .verify(let id, _):
        let subscription = try await worker.service.subscription(receipt: receipt)
        return subscription.originalTransactionID == id ? .kept : .refusedAsNotLinked
      case .link(let who, let id, let force):
        let membership = try await worker.service.link(
          AccountID(stored: state.account(who)), to: id, force: force)
        return membership.originalTransactionID == id ? .linked : .refusedAsNotLinked
      case .unlink(let id):
        try await worker.service.unlink(AccountID(stored: state.member), from: id)
        return .unlinked
      }
    } catch SubscriptionFailure.refused(let refusal) {
      switch refusal {
      case .linkedToOtherAccount: return .refusedAsAnothers
      case .linkedToOtherSubscription: return .refusedAsHasOther
      default: return .refusedAsNotLinked
      }
    }
  }

  // MARK: Choosing

  private mutating func next() throws -> (Operation, receipt: String) {
    worker.appStore.clock.advance(by: .seconds(1))
    guard let id = ids.randomElement(), ids.count >= 5 || Int.random(in: 0..<5) > 0 else {
      return try buy()
    }
    let isOwned = state.subscriptions[id]?.owner != nil
    switch Int.random(in: 0..<10) {
    case 0, 1, 2: return (.link(.member, id: id, force: Bool.random()), "")
    case 3 where isOwned: return (.link(.rival, id: id, force: Bool.random()), "")
    case 4, 5: return (.unlink(id: id), "")
    default: return try news(of: id)
    }
  }

  private mutating func buy() throws -> (Operation, receipt: String) {
    let product = ["reader.monthly", "reader.yearly", "reader.premium"].randomElement()
    let purchase = try worker.appStore.buy(
      product ?? "reader.monthly", by: "\(state.lane)-\(ids.count)")
    let id = "\(1000 + worker.number)\(purchase.originalTransactionID)"
    ids.append(id)
    bought[id] = Bought(last: purchase)
    return (.verify(id: id, .bought), try purchase.receipt)
  }

  /// Makes an event at the App Store that changes the end or the renewal.
  private mutating func news(of id: String) throws -> (Operation, receipt: String) {
    guard var purchase = bought[id] else { return try buy() }
    let news: Operation.News
    switch Int.random(in: 0..<4) {
    case 0 where !purchase.isRefunded:
      purchase.isOn.toggle()
      try worker.appStore.setAutoRenew(purchase.isOn ? .on : .off, of: purchase.last)
      news = purchase.isOn ? .switchedOn : .switchedOff
    case 1 where purchase.isRenewed && !purchase.isRefunded:
      try worker.appStore.refund(purchase.last)
      (purchase.isRefunded, purchase.isOn) = (true, false)
      news = .refunded
    default:
      purchase.last = try worker.appStore.renew(purchase.last)
      (purchase.isRefunded, purchase.isRenewed, purchase.isOn) = (false, true, true)
      news = .renewed
    }
    bought[id] = purchase
    return (.verify(id: id, news), try worker.appStore.receipt(of: purchase.last.customer))
  }
}
