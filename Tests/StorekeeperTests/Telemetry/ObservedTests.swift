import Foundation
import HTTPMessages
import InMemoryStorage
import PurchaseStorage
import ReceiptModels
import SQLStorage
import SQLiteStorage
import Storekeeper
import StorekeeperFixtures
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("What a store and a transport tell")
struct ObservedTests {
  private struct Fault: Error {}

  private let diary = TelemetryDiary()

  @Test("how units of work end, and how often they were begun", .onEveryStore)
  func units() async throws {
    let diary = TelemetryDiary()
    let store = try await StoreScope.emptyStore().observed(by: diary)
    try await store.write { _ in }
    _ = try await store.read { try await $0.outbox.backlog() }
    await #expect(throws: Fault.self) { try await store.write { _ in throw Fault() } }
    await #expect(throws: StorageFailure.duplicate(.other)) {
      try await store.write { _ in throw StorageFailure.duplicate(.other) }
    }
    #expect(
      diary.ended.map(\.work) == [
        .unitOfWork(isWriting: true), .unitOfWork(isWriting: false), .unitOfWork(isWriting: true),
        .unitOfWork(isWriting: true),
      ])
    #expect(diary.ended.map(\.result.outcome) == [.succeeded, .succeeded, .refused, .refused])
    #expect(diary.ended.map(\.result.reason) == [nil, nil, nil, "duplicate"])
    for ended in diary.ended {
      guard case .attempts(1, let wait) = ended.result.detail else {
        Issue.record("\(ended.result.detail)")
        continue
      }
      #expect(wait >= .zero && wait <= ended.result.duration)
    }
  }

  @Test(
    "a failure of the store has its name",
    arguments: [
      (StorageFailure.conflict, TelemetryOutcome.conflict, nil as String?),
      (.unavailable(mayHaveCommitted: false, detail: "x"), .unavailable, "unavailable"),
      (.database(code: 13, detail: "x"), .failed, "diskFull"),
      (.database(code: 1, detail: "x"), .failed, "database"),
    ])
  func failures(failure: StorageFailure, outcome: TelemetryOutcome, reason: String?) async {
    let store = WrappedStore(InMemoryPurchaseStore()) { _, _ in throw failure }
      .observed(by: diary)
    await #expect(throws: failure) { try await store.write { _ in } }
    #expect(diary.ended.map(\.result.outcome) == [outcome])
    #expect(diary.ended.map(\.result.reason) == [reason])
    // It was never begun.
    #expect(diary.ended.first.map { "\($0.result.detail)" }?.contains("attempts(0") == true)
  }

  @Test("attempts after a conflict are counted")
  func attempts() async throws {
    let store = RepeatingStore(base: InMemoryPurchaseStore(), times: 3).observed(by: diary)
    try await store.write { _ in }
    guard case .attempts(3, _)? = diary.ended.first?.result.detail else {
      Issue.record("\(diary.ended)")
      return
    }
  }

  @Test("the wait for a reader of SQLite is told")
  func wait() async throws {
    var configuration = SQLiteConfiguration()
    configuration.readers = 1
    try await withSQLiteFile(SQLCapability.all, configuration) { file, _ in
      let store = file.observed(by: diary)
      let (held, hold) = AsyncStream<Void>.makeStream()
      let (released, release) = AsyncStream<Void>.makeStream()
      async let first: Void = file.read { _ in
        hold.finish()
        for await _ in released {}
      }
      for await _ in held {}
      async let second: Void = store.read { _ in }
      while file.waitingToRead == 0 { await Task.yield() }
      release.finish()
      try await first
      try await second
      guard case .attempts(1, let wait)? = diary.ended.first?.result.detail else {
        Issue.record("\(diary.ended)")
        return
      }
      #expect(wait > .zero)
    }
  }

  @Test("a store is told of once, and no more without a port")
  func once() async throws {
    let store = InMemoryPurchaseStore().observed(by: diary).observed(by: diary)
    try await store.write { _ in }
    #expect(diary.ended.count == 1)
    try await store.observed(by: nil).write { _ in }
    #expect(diary.ended.count == 1)
    #expect(InMemoryPurchaseStore().observed(by: nil) is InMemoryPurchaseStore)
  }

  @Test("a context tells of its store and of its incidents, and logs them as before")
  func context() async throws {
    let log = Locked<[String]>([])
    var context = PurchaseContext(
      store: InMemoryPurchaseStore(), accounts: UnlistedAccounts(),
      report: { incident in log.withLock { $0.append(incident.name) } })
    context.tell(.refreshFailed("before"))
    context.telemetry = diary
    try await context.store.write { _ in }
    context.tell(.refreshFailed("after"))
    #expect(diary.ended.count == 1)
    #expect(diary.facts == [.incident("refreshFailed")])
    #expect(log.withLock { $0 } == ["refreshFailed", "refreshFailed"])
    try await StoreFigures(context).tell()
    #expect(diary.facts.contains(.backlog(OutboxBacklog())))
  }

  @Test(
    "a report that passes on to the one before, and a store that is set later, are told of once")
  func order() async throws {
    let log = Locked<[String]>([])
    var context = PurchaseContext(
      store: InMemoryPurchaseStore(), accounts: UnlistedAccounts(),
      report: { incident in log.withLock { $0.append(incident.name) } })
    context.telemetry = diary
    let before = context.report
    context.report = { before($0) }
    context.tell(.refreshFailed("x"))
    #expect(diary.facts == [.incident("refreshFailed")])
    #expect(log.withLock { $0 } == ["refreshFailed"])
    context.store = InMemoryPurchaseStore()
    try await context.store.write { _ in }
    #expect(diary.ended.map(\.work) == [.unitOfWork(isWriting: true)])
  }

  @Test("events and figures that are added later make nothing be told of, or written, twice")
  func layers() async throws {
    var context = PurchaseContext(
      store: InMemoryPurchaseStore(), accounts: UnlistedAccounts(), report: { _ in })
    context.telemetry = diary
    let shop = context.recordingEvents().keepingMoneyFigures().recordingEvents()
      .keepingMoneyFigures()
    try await shop.store.write { unit in
      _ = try await unit.creditLedger.book(
        LedgerBooking(
          userID: "ann", eventID: "one", changeType: "bonus", subjectType: "host", subjectID: "1",
          amount: 5), now: Date(timeIntervalSince1970: 1_700_000_000))
    }
    #expect(diary.ended.map(\.work) == [.unitOfWork(isWriting: true)])
    #expect(try await events(in: shop.store).told == ["credits.booked ann"])
    #expect(try await MoneyFigures(shop).differences(in: .production).isEmpty)
    // What is no longer told of still writes events.
    var silent = shop
    silent.telemetry = nil
    #expect(silent.store is MoneyStore)
  }

  @Test("a message of a kind that nobody delivers is not the oldest one")
  func held() async throws {
    var context = PurchaseContext(store: InMemoryPurchaseStore(), accounts: UnlistedAccounts())
    context.telemetry = diary
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    try await context.store.write { unit in
      for (index, kind) in ["held", "mine"].enumerated() {
        try await unit.outbox.add(
          OutboxMessage(
            kind: OutboxMessage.Kind(rawValue: kind), originalTransactionID: "1", reference: kind),
          now: start + Double(index))
      }
    }
    var figures = StoreFigures(context)
    figures.heldKinds = [OutboxMessage.Kind(rawValue: "held")]
    try await figures.tell()
    #expect(diary.facts.contains(.backlog(OutboxBacklog(waiting: 2, oldestDate: start + 1))))
  }

  // MARK: Calls

  @Test(
    "a trace that is not kept is carried on as the caller sent it, or not at all",
    arguments: [false, true])
  func carried(isForFigures: Bool) async throws {
    let diary = TelemetryDiary(isForFigures: isForFigures)
    let transport = ObservedTransport(
      OneAnswer(result: .success(200)), asking: nil, telemetry: diary)
    func sent(under span: TelemetrySpan?) async throws -> String? {
      try await TelemetrySpan.$current.withValue(span) {
        try await transport.send(HTTPRequestMessage(url: "https://example.org/"))
          .headers["traceparent"]
      }
    }
    // A flag 00 of ours would have a sampler there drop what it would have kept.
    #expect(try await sent(under: nil) == nil)
    let field = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    let caller = try #require(TelemetrySpan(traceparent: field))
    let stranger = TelemetrySpan(continuing: caller, decidedBy: diary)
    #expect(!stranger.isSampled)
    #expect(try await sent(under: stranger) == field)
    #expect(try await sent(under: TelemetrySpan(under: stranger, for: diary)) == field)
    #expect(try await sent(under: .unkept) == nil)
    // One that is kept names our span.
    let kept = TelemetrySpan(
      continuing: caller, decidedBy: TelemetryDiary(keepsTraces: true))
    let own = try await sent(under: kept)
    #expect(own?.hasSuffix("-01") == true && own != field)
    #expect(own?.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-") == true)
  }

  @Test(
    "an answer has its status, whatever it is",
    arguments: [
      (200, TelemetryOutcome.succeeded), (404, .refused), (401, .refused), (429, .unavailable),
      (503, .unavailable),
    ])
  func answers(status: Int, outcome: TelemetryOutcome) async throws {
    let diary = TelemetryDiary(keepsTraces: true)
    let transport = ObservedTransport(
      OneAnswer(result: .success(HTTPStatusCode(status))), asking: .apple, telemetry: diary)
    var request = HTTPRequestMessage(url: "https://example.org/secret/1?token=2")
    request.call = "transactionInfo"
    let response = try await transport.send(request)
    let ended = try #require(diary.ended.first)
    #expect(ended.work == .call(.apple, "transactionInfo"))
    #expect(ended.result.outcome == outcome)
    #expect(ended.result.detail == .status(HTTPStatusCode(status)))
    #expect(diary.begun == [ended.span])
    // The double answers with the field that it got.
    #expect(response.headers["traceparent"] == ended.span.traceparent)
  }

  @Test("no answer has its reason, and a call without a name is another one")
  func noAnswer() async throws {
    let failure = HTTPTransportFailure(.timedOut)
    var transport = ObservedTransport(
      OneAnswer(result: .failure(failure)), asking: nil, telemetry: diary)
    await #expect(throws: HTTPTransportFailure.self) {
      try await transport.send(HTTPRequestMessage(url: "https://example.org/"))
    }
    #expect(diary.ended.map(\.work) == [.call(nil, "other")])
    #expect(diary.ended.map(\.result.outcome) == [.unavailable])
    #expect(diary.ended.map(\.result.reason) == ["timedOut"])
    transport = ObservedTransport(
      OneAnswer(result: .success(200)), asking: nil, telemetry: diary)
    transport.sendsTrace = false
    let response = try await transport.send(HTTPRequestMessage(url: "https://example.org/"))
    #expect(response.headers["traceparent"] == nil)
  }

  /// An answer that repeats the field `traceparent` of its request.
  private struct OneAnswer: HTTPTransport {
    let result: Result<HTTPStatusCode, HTTPTransportFailure>

    func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
      var response = HTTPResponseMessage(status: try result.get())
      if let field = request.headers["traceparent"] {
        try response.headers.set(field, for: "traceparent")
      }
      return response
    }
  }

  /// A store that begins each unit of work several times, as after conflicts.
  private struct RepeatingStore: PurchaseStore {
    let base: InMemoryPurchaseStore
    let times: Int
    var capabilities: Set<StoreCapability> { base.capabilities }

    func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
      try await base.read(body)
    }

    func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
      for _ in 1..<times { _ = try await base.write { try await body($0) } }
      return try await base.write { try await body($0) }
    }
  }
}
