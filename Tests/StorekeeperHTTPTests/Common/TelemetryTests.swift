import HTTPMessages
import StoreSimulators
import Storekeeper
import StorekeeperFixtures
import StorekeeperHTTP
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
    #expect(requests.map(\.span.isSampled) == [true, false, true])
    #expect(requests[0].span.traceID == 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736)
    #expect(requests[2].span.traceID == 7)
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
