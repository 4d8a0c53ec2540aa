import Foundation
import HTTPMessages
import PurchaseStorage
import ReceiptModels
import Storekeeper

/// A test that kills senders of events at random moments, and compares what a receiver was sent with what was written.
struct SendTest {
  let store: String
  let kills: Int

  private static let accounts = 12

  func run() async throws -> Bool {
    let opened = try await CrashScene.store(store)
    // An endpoint hears of what happens from its first start on.
    _ = try await Self.sender(opened, number: 0).deliverDue()
    var receiver = Receiver(accounts: Self.accounts)
    for number in 1...kills {
      try await write(number, to: opened)
      let sender = try WorkerProcess(["send", store, String(number)])
      // Now and then it dies while it opens the store.
      if Int.random(in: 0..<10) > 0 { sender.waitForAnswers(Int.random(in: 1...Self.accounts)) }
      usleep(UInt32.random(in: 0..<3_000))
      receiver.take(sender.kill())
    }
    let last = try WorkerProcess(["send", store, String(kills + 1)])
    let limit = ContinuousClock.now + .seconds(120)
    while ContinuousClock.now < limit, !receiver.after(last.text).hasAll(kills) { usleep(5_000) }
    receiver.take(last.kill())
    await ServerSide(opened).close()
    let problems = receiver.problems(kills)
    guard problems.isEmpty else {
      print(problems.joined(separator: "\n"))
      return false
    }
    print(
      "kills of a sender: \(kills), events: \(kills * Self.accounts), second copies:",
      "\(receiver.copies); none lost, each account's in their order")
    return true
  }

  /// Writes the events of a round, one for each account.
  private func write(_ number: Int, to store: any PurchaseStore) async throws {
    let records = (0..<Self.accounts).map { account in
      PurchaseEvent(
        id: "evt_\(account)_\(number)", kind: .entitlementChanged,
        account: AccountID(stored: "account-\(account)"), date: Self.moment(number),
        details: .entitlement(EntitlementChange(bundleID: "com.example.reader"))
      ).record
    }
    try await store.write { unit in
      for record in records { try await unit.events.add(record) }
    }
  }

  // MARK: The sender

  /// Sends until the process is killed.
  static func send(_ name: String, number: Int) async throws {
    let sender = try sender(try await CrashScene.store(name), number: number)
    Worker.say("")
    while true {
      _ = try await sender.deliverDue()
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// The moment at which a sender begins: the leases of the one before, which was killed, have ended.
  private static func moment(_ number: Int) -> Date {
    Date(timeIntervalSince1970: 1_700_000_000 + 600 * Double(number))
  }

  private static func sender(
    _ store: any PurchaseStore, number: Int
  ) throws -> WebhookSender {
    let context = PurchaseContext(
      store: store, accounts: UnlistedAccounts(), now: { moment(number) })
    let endpoint = try WebhookEndpoint(
      "receiver", url: "https://receiver.example.org/events",
      keys: [WebhookSigningKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")])
    return WebhookSender(context, to: endpoint, transport: PrintingTransport())
  }
}

/// A transport that prints the identifier of each event, as a receiver that takes it.
private struct PrintingTransport: HTTPTransport {
  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    Worker.say("done \(request.headers["webhook-id"] ?? "")")
    return HTTPResponseMessage(status: .ok)
  }
}

/// What was received, in its order.
private struct Receiver {
  /// The number of the last event of each account.
  private var last: [Int]
  private(set) var copies = 0
  private var disorder: [String] = []

  init(accounts: Int) { last = Array(repeating: 0, count: accounts) }

  /// Takes the output of a sender.
  mutating func take(_ text: String) {
    for line in text.split(separator: "\n") where line.hasPrefix("done ") {
      let parts = line.split(separator: "_").compactMap { Int($0) }
      guard parts.count == 2, last.indices.contains(parts[0]) else {
        disorder.append("not written: \(line)")
        continue
      }
      let (account, number) = (parts[0], parts[1])
      switch number {
      // The last one may come again, as its sender may have been killed before it noted that it was taken.
      case last[account]: copies += 1
      case last[account] + 1: last[account] = number
      default: disorder.append("account \(account): \(number) after \(last[account])")
      }
    }
  }

  func after(_ text: String) -> Receiver {
    var receiver = self
    receiver.take(text)
    return receiver
  }

  func hasAll(_ count: Int) -> Bool { last.allSatisfy { $0 == count } }

  func problems(_ count: Int) -> [String] {
    disorder.prefix(20)
      + last.enumerated().filter { $1 != count }.map { "account \($0): \($1) of \(count) events" }
  }
}
