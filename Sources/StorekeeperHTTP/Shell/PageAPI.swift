package import HTTPMessages
internal import PurchaseStorage
package import Storekeeper

/// An API of pages, whose handlers are in another module: the shell of all APIs, with callers that the handlers know
/// themselves.
package struct PageAPI: APIShell {
  typealias Terms = Void

  /// A page, or what a form of one sends.
  package struct Page: Sendable {
    package let method: HTTPRequestMethod
    /// The path below the prefix, with one placeholder at most, such as `/customers/{id}`.
    package let path: String
    /// The maximum number of bytes in the body of a request; 0 for none.
    package let bodyLimit: Int
    package let handler: @Sendable (PageRequest) async throws -> HTTPResponseMessage

    /// Creates a page.
    package init(
      _ method: HTTPRequestMethod, _ path: String, bodyLimit: Int = 0,
      handler: @escaping @Sendable (PageRequest) async throws -> HTTPResponseMessage
    ) {
      self.method = method
      self.path = path
      self.bodyLimit = bodyLimit
      self.handler = handler
    }
  }

  package let options: APIOptions
  let table: RouteTable<PageAPI>
  private let limits: [String: Int]
  private let failure: @Sendable (HTTPStatusCode) -> HTTPResponseMessage

  /// Creates an API.
  ///
  /// - Parameters:
  ///   - pages: The pages below the prefix of the options; those of one path follow each other.
  ///   - options: The settings that the APIs of a host share.
  ///   - telemetry: The port that is told of every request; nil for none.
  ///   - failure: Returns the page for a request that failed with a status.
  package init(
    _ pages: [Page], options: APIOptions, telling telemetry: (any Telemetry)?,
    failure: @escaping @Sendable (HTTPStatusCode) -> HTTPResponseMessage
  ) {
    var options = options
    options.port = telemetry.map { TelemetryPort($0) }
    self.options = options
    self.failure = failure
    limits = Dictionary(
      pages.map { (options.prefix + $0.path, $0.bodyLimit) }, uniquingKeysWith: max)
    table = RouteTable(
      pages.map { page in
        Route(
          page.method, options.prefix + page.path, .anyone, readsBody: page.bodyLimit > 0
        ) { _, call in
          try await page.handler(PageRequest(call.request, id: call.id))
        }
      })
  }

  func admit(_ call: inout Call<PageAPI>, to route: Route<PageAPI>) {}

  func bodyLimit(of route: Route<PageAPI>) -> Int { limits[route.path] ?? 0 }

  func ownAnswer(to error: any Error, in call: Call<PageAPI>) -> ObservedAnswer? {
    if let answered = error as? AnsweredPage {
      return (answered.response, .refused(field: nil, code: nil))
    }
    let told: ObservedAnswer =
      switch error {
      case let refusal as RequestRefusal: written(refusal.answer)
      case is CancellationError: (HTTPResponseMessage(.unavailable), .cancelled)
      case is StorageFailure: unavailable(.failed(error))
      default: failed(error)
      }
    var answer = failure(told.response.status)
    if let pause = told.response.headers[.retryAfter] {
      try? answer.headers.set(pause, for: .retryAfter)
    }
    if case RequestRefusal.methodNotAllowed(let methods) = error {
      // Names of methods are valid values, so `set` does not throw.
      try? answer.headers.set(methods.map(\.name).joined(separator: ", "), for: .allow)
    }
    return (answer, told.outcome)
  }
}

/// A request for a page.
package struct PageRequest: Sendable {
  package let message: HTTPRequestMessage
  /// The part of the path that stands for the placeholder, as it was sent; empty without one.
  package let id: String

  init(_ message: HTTPRequestMessage, id: String) {
    self.message = message
    self.id = id
  }

  /// Returns a parameter of the query; nil if it is missing, empty, given twice, or no text.
  package func parameter(_ name: String) -> String? {
    (try? message.parameter(name)) ?? nil
  }

  /// Returns the fields of a form in the body; nil if it is no form, or has a field twice.
  ///
  /// Source: URL Standard, section 5.1.
  package func form() -> [String: String]? {
    let type = message.headers[.contentType]?.utf8.prefix { $0 != UInt8(ascii: ";") }
    guard let type, String(Substring(type)).lowercased() == "application/x-www-form-urlencoded"
    else { return nil }
    return HTTPRequestMessage.fields(message.body)
  }
}

/// A refusal for which a handler has made the page itself.
package struct AnsweredPage: Error {
  package let response: HTTPResponseMessage

  package init(_ response: HTTPResponseMessage) { self.response = response }
}
