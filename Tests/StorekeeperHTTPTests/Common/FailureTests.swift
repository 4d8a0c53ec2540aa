import HTTPMessages
import PurchaseStorage
import StoreSimulators
import StorekeeperHTTP
import Testing

@Suite("Failures within")
struct FailureTests {
  /// A request that gets as far as the store.
  private func sound(_ endpoint: Endpoint, _ scene: APIScene) throws -> String {
    let purchase = try scene.appStore.buy(APIScene.monthly)
    return switch endpoint.path {
    case "/webhook/apple": try scene.notificationV2(about: purchase)
    default:
      #"""
      {"ftcId":"alice","originalTxId":"1","receiptData":"\#(try purchase.receipt)",
      "receipt-data":"\#(try purchase.receipt)"}
      """#
    }
  }

  @Test("a store that fails is 500 with a fixed text, everywhere", arguments: Endpoint.all)
  func store(endpoint: Endpoint) async throws {
    let scene = try APIScene(store: brokenStore())
    let response = try await scene.send(to: endpoint, try sound(endpoint, scene))
    #expect(response.status == 500)
    #expect(response.body == Array(#"{"message":"Internal Server Error"}"#.utf8))
    // The log knows it by the id that the client has.
    let report = try #require(scene.reports.all.first)
    #expect(report.id == response.headers[.requestID])
    #expect(report.status == 500)
    guard case .failed(let error) = report.outcome else {
      Issue.record("not told of the failure")
      return
    }
    #expect(error is SecretFailure)
    for field in response.headers { #expect(!field.value.contains("hunter2")) }
  }

  @Test(
    "a database that cannot be reached is 503 with Retry-After, where the contract does not say 500",
    arguments: Endpoint.all)
  func unreachable(endpoint: Endpoint) async throws {
    let failure = StorageFailure.unavailable(mayHaveCommitted: false, detail: "hunter2")
    let scene = try APIScene(store: brokenStore(failure: failure))
    let response = try await scene.send(to: endpoint, try sound(endpoint, scene))
    // Linking rules, sections 4.2, 4.4 and 5, and what verifies as 4.2 does.
    let isFixed =
      endpoint.isOf2019 || ["/apple/verify-receipt", "/webhook/apple"].contains(endpoint.path)
      || endpoint.path == "/apple/subs" && endpoint.method == .post || endpoint.method == .patch
    #expect(response.status.code == (isFixed ? 500 : 503))
    #expect(response.headers["Retry-After"] == (isFixed ? nil : "30"))
    #expect(!response.text.contains("hunter2"))
    guard case .failed(let error)? = scene.reports.all.first?.outcome else {
      Issue.record("not told of the failure")
      return
    }
    #expect(error as? StorageFailure == failure)
  }

  @Test("an authenticator that fails is 500, never 401")
  func authenticator() async throws {
    let scene = try APIScene(authenticator: FixedAuthenticator(failure: SecretFailure()))
    let response = try await scene.send(.get, "/apple/subs/1")
    #expect(response.refusal == .failed)
    #expect(response.headers[.authenticate] == nil)
  }

  @Test("a request that is given up is 503, and no failure", arguments: Endpoint.all)
  func cancelled(endpoint: Endpoint) async throws {
    let scene = try APIScene(store: brokenStore(failure: CancellationError()))
    #expect(
      try await scene.send(to: endpoint, try sound(endpoint, scene)).refusal == .unavailable)
    expectCancelled(scene)
  }

  @Test("a request that is given up while its token is looked up is 503")
  func cancelledAuthenticator() async throws {
    let scene = try APIScene(authenticator: FixedAuthenticator(failure: CancellationError()))
    #expect(try await scene.send(.get, "/apple/subs/1").refusal == .unavailable)
    expectCancelled(scene)
  }

  @Test("a task that is cancelled while Apple is asked is 503")
  func cancelledTask() async throws {
    let silence = SilentTransport()
    let scene = try APIScene(transport: silence)
    let body = #"{"receiptData":"\#(try scene.appStore.buy(APIScene.monthly).receipt)"}"#
    let task = Task { try await scene.send(.post, "/apple/verify-receipt", body) }
    var asked = silence.asked.makeAsyncIterator()
    await asked.next()
    task.cancel()
    #expect(try await task.value.refusal == .unavailable)
    expectCancelled(scene)
  }

  private func expectCancelled(_ scene: APIScene) {
    let reports = scene.reports.all
    #expect(reports.map(\.status.code) == [503])
    guard case .cancelled? = reports.first?.outcome else {
      Issue.record("not told of the cancellation")
      return
    }
  }
}
