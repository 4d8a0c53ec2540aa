import HTTPMessages
import Testing

@Suite("Requests and answers")
struct HTTPMessageTests {
  private let request: HTTPRequestMessage = HTTPRequestMessage(
    method: .post, url: "https://user:secret@example.org:8443/a/path?token=secret#secret",
    headers: [.authorization: "Bearer secret", .contentType: "text/plain"],
    body: Array("secret".utf8), timeout: .seconds(3), responseLimit: 10)
  private let response = HTTPResponseMessage(
    status: .ok, headers: ["Set-Cookie": "secret"], body: Array("secret".utf8))

  @Test("describes a request without secrets")
  func requestDescription() {
    #expect(request.description == "POST https://example.org:8443/a/path, 6 bytes")
    #expect(request.headers.description == "Authorization, Content-Type")
    #expect(request.headers.map(\.description) == ["Authorization", "Content-Type"])
  }

  @Test("describes an answer without secrets")
  func responseDescription() {
    #expect(response.description == "200, 6 bytes")
  }

  @Test("dumps neither bodies nor values of fields")
  func dumps() {
    var text = ""
    dump(request, to: &text)
    dump(response, to: &text)
    dump(request.headers[0], to: &text)
    debugPrint(request, response, request.headers, request.headers[0], to: &text)
    #expect(!text.contains("secret"))
    // The body as bytes: the codes of "sec".
    #expect(!text.contains("115"))
    #expect(text.contains("Authorization"))
    #expect(text.contains("Set-Cookie"))
  }

  @Test(
    "shows an address without user, query and fragment",
    arguments: [
      ("http://example.org", "http://example.org"),
      ("http://example.org?a@b/c", "http://example.org"),
      ("http://example.org/a@b", "http://example.org/a@b"),
      ("http://a@b@example.org/", "http://example.org/"),
      ("/v1/path?a=b", "/v1/path"),
      ("", ""),
    ])
  func addresses(url: String, shown: String) {
    #expect(HTTPRequestMessage(url: url).description == "GET \(shown), 0 bytes")
  }

  @Test(
    "tells methods apart by case",
    arguments: [("GET", true), ("get", false), ("Get", false), ("M-SEARCH", false)])
  func methods(name: String, isGet: Bool) throws {
    let method = try HTTPRequestMethod(name)
    #expect(method.name == name)
    #expect((method == .get) == isGet)
  }

  @Test(
    "keeps whatever status arrives",
    arguments: [(0, false), (199, false), (204, true), (300, false)])
  func status(code: Int, isSuccess: Bool) {
    #expect(HTTPStatusCode(code).code == code)
    #expect(HTTPStatusCode(code).isSuccess == isSuccess)
    #expect(HTTPStatusCode(200) == .ok)
  }

  @Test(
    "says whether a retry can help",
    arguments: [
      (HTTPTransportFailure.Reason.invalidRequest, false), (.notConnected, true),
      (.untrustedPeer, false), (.interrupted, true), (.timedOut, true), (.responseTooLarge, false),
    ])
  func retries(reason: HTTPTransportFailure.Reason, isRetryable: Bool) {
    #expect(HTTPTransportFailure(reason).isRetryable == isRetryable)
  }

  @Test("describes a failure without its cause")
  func failureDescription() {
    struct Cause: Error { var url = "https://example.org/?token=secret" }
    let failure = HTTPTransportFailure(.timedOut, cause: Cause())
    #expect(failure.description == "HTTP exchange failed: timedOut")
    #expect(failure.cause is Cause)
  }
}
