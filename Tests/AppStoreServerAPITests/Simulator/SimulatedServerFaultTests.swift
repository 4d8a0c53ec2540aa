import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

@Suite("The simulator's faults of the server APIs")
struct SimulatedServerFaultTests {
  @Test("a fault affects as many requests as ordered, at the path that it names")
  func paths() async throws {
    let scene = try ServerAPIScene()
    let id = try scene.appStore.buy("reader.monthly").transactionID
    scene.appStore.failServerAPI(next: 2, with: .error(5_000_001), at: "history")
    #expect(try await scene.send(.get, "/inApps/v1/transactions/\(id)").status == .ok)
    for _ in 1...2 {
      #expect(try await scene.code(.get, "/inApps/v2/history/\(id)") == 5_000_001)
    }
    #expect(try await scene.send(.get, "/inApps/v2/history/\(id)").status == .ok)
    #expect(
      scene.appStore.serverAPIRequests.map(\.fault)
        == [nil, .error(5_000_001), .error(5_000_001), nil])
  }

  @Test("answers that are none come with their status and body")
  func bodies() async throws {
    let scene = try ServerAPIScene()
    for (fault, status, body) in [
      (AppStoreSimulator.ServerAPIFault.answer(503, .empty), 503, ""),
      (.answer(500, .html), 500, "<html><body>Service Unavailable</body></html>"),
      (.answer(200, .null), 200, "null"), (.answer(200, .text("ok")), 200, "ok"),
    ] {
      scene.appStore.failServerAPI(with: fault)
      let response = try await scene.send(.get, "/inApps/v1/transactions/1")
      #expect(response.status.code == status)
      #expect(String(decoding: response.body, as: UTF8.self) == body)
      #expect(response.headers[.date] != nil)
    }
    scene.appStore.failServerAPI(with: .redirect("https://example.org/"))
    let redirect = try await scene.send(.get, "/inApps/v1/transactions/1")
    #expect(redirect.status.code == 302)
    #expect(redirect.headers[.location] == "https://example.org/")
  }

  @Test("too many requests come with a moment in milliseconds, or any text")
  func tooMany() async throws {
    let scene = try ServerAPIScene()
    scene.appStore.failServerAPI(with: .tooManyRequests(until: scene.appStore.now + 3))
    scene.appStore.failServerAPI(with: .tooManyRequests(retryAfter: "soon"))
    scene.appStore.failServerAPI(with: .tooManyRequests(retryAfter: nil))
    for expected in ["1700000003000", "soon", nil] {
      let response = try await scene.send(.get, "/inApps/v1/transactions/1")
      #expect(response.status == .tooManyRequests)
      #expect(response.headers[.retryAfter] == expected)
      #expect(try JSONValue(parsing: response.body)["errorCode"] == .integer(4_290_000))
    }
  }

  @Test("limits hold for each endpoint over an hour, in the Sandbox a tenth")
  func limits() async throws {
    for (environment, allowed) in [(AppStoreEnvironment.production, 3600), (.sandbox, 360)] {
      let scene = try ServerAPIScene(environment) { $0.limitsRequests = true }
      let token = try "Bearer " + scene.token(lifetime: .seconds(3600))
      for _ in 1...allowed {
        let response = try await scene.send(
          .get, "/inApps/v1/notifications/test/x", authorization: token)
        #expect(response.status == .badRequest)
      }
      let response = try await scene.send(.get, "/inApps/v1/notifications/test/x")
      #expect(response.status == .tooManyRequests)
      #expect(response.headers[.retryAfter] == "1700003600000")
      #expect(try await scene.code(.get, "/inApps/v1/transactions/1") == 4_040_010)
      scene.appStore.clock.advance(by: .seconds(3600))
      #expect(try await scene.code(.get, "/inApps/v1/notifications/test/x") == 4_000_020)
    }
  }

  @Test("an answer may be lost after the request was carried out, or the request before")
  func transport() async throws {
    let scene = try ServerAPIScene()
    let monthly = try scene.appStore.buy("reader.monthly")
    let path = "/inApps/v1/subscriptions/extend/\(monthly.transactionID)"
    let body = #"{"extendByDays":1,"extendReasonCode":0,"requestIdentifier":"a"}"#
    scene.appStore.failServerAPI(with: .transportFailure(.notConnected))
    scene.appStore.failServerAPI(with: .answerLost(.interrupted))
    for (reason, sent) in [(HTTPTransportFailure.Reason.notConnected, 1), (.interrupted, 2)] {
      let failure = await #expect(throws: HTTPTransportFailure.self) {
        try await scene.send(.put, path, body)
      }
      #expect(failure?.reason == reason)
      #expect(scene.appStore.sentNotifications.count == sent)
    }
  }

  @Test("the right answer may be cut, padded, or wrong in one part")
  func changedAnswers() async throws {
    let scene = try ServerAPIScene { $0.pageSize = 2 }
    let ids = try (1...3).map { _ in try scene.appStore.buy("reader.coffee").transactionID }
    let path = "/inApps/v2/history/\(ids[0])"
    scene.appStore.failServerAPI(with: .brokenJSON)
    let cut = try await scene.send(.get, path)
    #expect(cut.status == .ok)
    #expect(throws: JSONValue.SyntaxFailure.self) { try JSONValue(parsing: cut.body) }
    scene.appStore.failServerAPI(with: .oversized(1 << 20 + 1))
    #expect(try await scene.send(.get, path).body.count == 1 << 20 + 1)
    scene.appStore.failServerAPI(with: .bundleID("com.example.other"))
    #expect(try await scene.get(path)["bundleId"] == .string("com.example.other"))
    scene.appStore.failServerAPI(with: .environment(.sandbox))
    #expect(try await scene.get(path)["environment"] == .string("Sandbox"))
    scene.appStore.failServerAPI(with: .missingRevision)
    #expect(try await scene.get(path)["revision"] == nil)
    scene.appStore.failServerAPI(with: .badSignature(1))
    let page = try await scene.get(path)["signedTransactions"]?.list ?? []
    #expect(try scene.transaction(page.first).transactionID == ids[0])
    #expect(throws: SignedDataFailure.signatureInvalid) { try scene.transaction(page.last) }
  }

  @Test("a page may repeat its revision")
  func loop() async throws {
    let scene = try ServerAPIScene { $0.pageSize = 1 }
    let id = try scene.appStore.buy("reader.coffee").transactionID
    let path = "/inApps/v2/history/\(id)"
    let revision = try #require(try await scene.get(path)["revision"]?.string)
    scene.appStore.failServerAPI(with: .repeatedPage)
    let page = try await scene.get(path + "?revision=" + escaped(revision))
    #expect(page["revision"]?.string == revision)
    #expect(page["hasMore"] == .boolean(true))
  }

  @Test("unknown calls and methods have no code")
  func unknownCalls() async throws {
    let scene = try ServerAPIScene()
    for (method, path, status) in [
      (HTTPRequestMethod.get, "/inApps/v3/history/1", 404),
      (.get, "/inApps/v2/history/", 404), (.post, "/inApps/v2/history/1", 405),
      (.get, "/inApps/v2/history/1/", 404),
    ] {
      let response = try await scene.send(method, path)
      #expect(response.status.code == status)
      #expect(response.body.isEmpty)
    }
  }
}
