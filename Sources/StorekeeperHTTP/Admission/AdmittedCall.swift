internal import HTTPMessages

/// A call that waits for its body, of any API.
protocol WaitingCall: Sendable {
  var caller: Caller? { get }
  var bodyLimit: Int { get }
  func respond(body: [UInt8]) async -> HTTPResponseMessage
  func respondOverloaded() -> HTTPResponseMessage
}

/// A call of an API that waits for its body.
struct AdmittedCall<API: RoutedAPI>: WaitingCall {
  private let api: API
  private let course: RequestCourse
  private let call: Call<API>
  private let operation: Operation<API>

  init(_ api: API, _ course: RequestCourse, _ call: Call<API>, _ operation: Operation<API>) {
    self.api = api
    self.course = course
    self.call = call
    self.operation = operation
  }

  var caller: Caller? { call.caller }

  /// The maximum number of body bytes to read: one more than allowed, or 0 if no body is used.
  var bodyLimit: Int { operation.readsBody ? api.bodyLimit(of: operation) + 1 : 0 }

  func respond(body: [UInt8]) async -> HTTPResponseMessage {
    var (course, call) = (course, call)
    call.request.body = body
    course.request.body = body
    do {
      if operation.readsBody { try checkBody(of: call.request) }
      return course.end((try await operation.run(api, call), .succeeded))
    } catch {
      return course.end(api.answer(to: error, in: call))
    }
  }

  func respondOverloaded() -> HTTPResponseMessage {
    course.end((api.answer(to: CancellationError(), in: call).response, .overloaded))
  }

  private func checkBody(of request: HTTPRequestMessage) throws(RequestRefusal) {
    guard request.body.count <= api.bodyLimit(of: operation) else { throw .bodyTooLarge }
    guard !request.headers.declaresCoding else { throw .codedBody }
  }
}
