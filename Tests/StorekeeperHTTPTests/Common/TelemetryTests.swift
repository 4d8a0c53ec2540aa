import HTTPMessages
import StoreSimulators
import Storekeeper
import StorekeeperFixtures
import StorekeeperHTTP
import StorekeeperLocks
import Testing

@Suite("What an API tells of requests")
struct TelemetryTests {
  private static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  private let diary = TelemetryDiary()

  private var requests: [TelemetryDiary.Ended] {
    diary.ended { if case .request = $0 { true } else { false } }
  }

  @Test("a request with its route, status and sizes; the units of work in it are its parts")
  func done() async throws {
    let scene = try APIScene(telemetry: diary)
    let purchase = try await scene.bought()
    let response = try await scene.send(.get, "/apple/subs/\(purchase.originalTransactionID)")
    let request = try #require(requests.first)
    #expect(request.work == .request(.get, route: "/api/v1/apple/subs/{id}"))
    #expect(request.result.outcome == .succeeded)
    #expect(
      request.result.detail
        == .answer(200, requestBytes: 0, responseBytes: response.body.count))
    #expect(request.span.parentID == nil)
    let units = diary.ended { $0 == .unitOfWork(isWriting: false) }
    #expect(units.last?.span.parentID == request.span.id)
    #expect(Set(diary.begun) == Set(diary.ended.map(\.span)))
  }

  @Test("refusals of the head and of the body, and an unknown path")
  func refused() async throws {
    let scene = try APIScene(telemetry: diary)
    _ = try await scene.send(.get, "/nowhere")
    _ = try await scene.send(.post, "/apple/link", "{}", token: "wrong")
    _ = try await scene.send(.post, "/apple/link", "{}")
    #expect(
      requests.map(\.work) == [
        .request(.get, route: nil), .request(.post, route: "/api/v1/apple/link"),
        .request(.post, route: "/api/v1/apple/link"),
      ])
    #expect(requests.map(\.result.outcome) == [.refused, .refused, .refused])
    #expect(diary.begun.count == 3)
  }

  @Test("a request continues the trace of its caller, or that of the host's framework")
  func traces() async throws {
    let scene = try APIScene(telemetry: diary)
    _ = try await scene.send(.get, "/apple/subs/1", headers: ["Traceparent": Self.parent])
    _ = try await scene.send(.get, "/apple/subs/1", headers: ["traceparent": "nonsense"])
    let host = TelemetrySpan(traceID: 7, id: 8, isSampled: true)
    _ = try await TelemetrySpan.$current.withValue(host) {
      try await scene.send(.get, "/apple/subs/1", headers: ["traceparent": Self.parent])
    }
    #expect(requests.map(\.span.parentID) == [0x00f0_67aa_0ba9_02b7, nil, 8])
    // A stranger's flag decides nothing; the host's framework has decided.
    #expect(requests.map(\.span.isSampled) == [false, false, true])
    #expect(requests[0].span.traceID == 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736)
    #expect(requests[2].span.traceID == 7)
  }

  @Test("of two fields traceparent none is continued")
  func twoFields() async throws {
    let scene = try APIScene(telemetry: diary)
    let other = "00-\(String(repeating: "1", count: 32))-2222222222222222-01"
    _ = try await scene.send(
      .get, "/apple/subs/1", headers: ["traceparent": Self.parent, "traceparent": other])
    #expect(requests.map(\.span.parentID) == [nil])
  }

  @Test("where identifiers mean nothing, requests are told too, and a caller's trace goes on")
  func figures() async throws {
    let diary = TelemetryDiary(isForFigures: true)
    let scene = try APIScene(telemetry: diary)
    _ = try await scene.send(.get, "/apple/subs/1")
    #expect(diary.ended.count > 1 && Set(diary.ended.map(\.span)).count == 1)
    #expect(diary.begun.count == diary.ended.count)
    _ = try await scene.send(.get, "/apple/subs/1", headers: ["Traceparent": Self.parent])
    let request = try #require(diary.ended { if case .request = $0 { true } else { false } }.last)
    #expect(request.span.traceID == 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736)
    let unit = try #require(diary.ended { $0 == .unitOfWork(isWriting: false) }.last)
    #expect(unit.span.parentID == request.span.id)
  }

  @Test("the flag of a caller decides where the host trusts it", arguments: [true, false])
  func trust(isTrusted: Bool) async throws {
    let diary = TelemetryDiary(keepsTraces: !isTrusted)
    let scene = try APIScene(telemetry: diary, trustsTraceFlags: isTrusted)
    let flag = isTrusted ? "01" : "00"
    _ = try await scene.send(
      .get, "/apple/subs/1",
      headers: ["traceparent": "\(Self.parent.dropLast(2))\(flag)"])
    let request = try #require(diary.ended { if case .request = $0 { true } else { false } }.first)
    #expect(request.span.isSampled)
    #expect(request.span.parentID == 0x00f0_67aa_0ba9_02b7)
  }

  @Test("an unusual method is told as another one")
  func methods() async throws {
    let scene = try APIScene(telemetry: diary)
    _ = try await scene.send("BREW", "/nowhere")
    #expect(requests.map(\.work) == [.request("other", route: nil)])
  }

  @Test("a request whose body never comes is told as cancelled, and others once")
  func dropped() async throws {
    let scene = try APIScene(telemetry: diary)
    var head = HTTPRequestMessage(method: .post, url: "/api/v1/apple/link")
    try head.headers.set("Bearer \(APIScene.token)", for: .authorization)
    do {
      let judgement = await scene.api.judge(head: head)
      guard case .admitted = judgement else {
        Issue.record("the head was refused")
        return
      }
      withExtendedLifetime(judgement) { #expect(requests.isEmpty) }
    }
    #expect(requests.map(\.result.outcome) == [.cancelled])
    guard case .admitted(let admitted) = await scene.api.judge(head: head) else { return }
    _ = await admitted.respond(body: Array("{}".utf8))
    #expect(requests.map(\.result.outcome) == [.cancelled, .refused])
    #expect(Set(diary.begun) == Set(diary.ended.map(\.span)))
  }

  @Test("who authenticates works in the span of the request")
  func authenticator() async throws {
    let witness = Witness()
    let scene = try APIScene(authenticator: witness, telemetry: diary)
    _ = try await scene.send(.get, "/apple/subs/1")
    let request = try #require(requests.first)
    #expect(witness.spans.withLock { $0 } == [request.span])
  }

  /// An authenticator that notes the span in which it is asked.
  private final class Witness: Authenticator {
    let spans = Locked<[TelemetrySpan?]>([])

    func caller(token: String) async throws -> Caller {
      spans.withLock { $0.append(TelemetrySpan.current) }
      return Caller(name: "test")
    }
  }

  @Test("the report has the reason for a refusal, with Apple's status where that tells it")
  func reasons() async throws {
    let scene = try APIScene(transport: OneStatus(status: 21_004), telemetry: diary)
    _ = try await scene.send(
      .post, "/apple/verify-receipt", #"{"receiptData":"YSByZWNlaXB0"}"#)
    let report = try #require(scene.reports.all.last)
    #expect(report.reason == "sharedSecretMismatch: the shared secret is wrong (21004)")
    _ = try await scene.send(.post, "/webhook/apple", "{}", token: nil)
    #expect(scene.reports.all.last?.reason == "wrongPassword")
    _ = try await scene.send(.get, "/nowhere")
    #expect(scene.reports.all.last?.reason == nil)
  }

  private struct OneStatus: HTTPTransport {
    let status: Int

    func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
      HTTPResponseMessage(status: .ok, body: Array(#"{"status":\#(status)}"#.utf8))
    }
  }
}
