internal import CStorekeeperMicroHTTPD
internal import HTTPMessages

/// One request and its answer, as libmicrohttpd takes it through; touched by its thread only.
///
/// The calls for a request come in this order: ``init`` once its first line is read; ``receive`` once
/// all header fields are, with no bytes; with bytes for each piece of the body; with no bytes at the
/// end of the body; and again whenever the connection is looked at, until there is an answer.
final class Exchange {
  private enum Stage {
    case head
    case body(RequestHead)
    case complete(PendingAnswer)
    case answering(PendingAnswer)
    case over
  }

  let socket: Int32
  private let service: Service
  private let target: String?
  private var stage = Stage.head
  private var body: [UInt8] = []
  private var bodyCount = 0
  /// What is taken of the memory for bodies.
  private var taken = 0
  /// Whether there was no memory for the body.
  private var isTooMuch = false

  init(_ service: Service, socket: Int32, target: String?) {
    self.service = service
    self.socket = socket
    self.target = target
    service.connections.enter(.receiving, on: socket)
  }

  /// Moves on.
  ///
  /// - Returns: Whether the connection may go on; false ends it without an answer.
  func receive(
    _ bytes: UnsafeRawBufferPointer, method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?,
    on connection: OpaquePointer
  ) -> Bool {
    switch stage {
    case .head:
      return unsafe receiveHead(method: method, version: version, on: connection)
    case .body(let head):
      guard unsafe bytes.isEmpty else { return unsafe append(bytes) }
      if isTooMuch { return unsafe send(.unavailable, isLast: true, on: connection) }
      guard let answer = start(head) else { return false }
      if let response = answer.take() { return unsafe send(response, on: connection) }
      stage = .complete(answer)
      // The connection is not suspended yet: in 0.9.75 one that is suspended in this call is read from
      // when it is resumed, and closed without an answer if the client has shut down its side. It is
      // looked at again at once.
      return true
    case .complete(let answer), .answering(let answer):
      stage = .answering(answer)
      guard let response = unsafe answer.take(suspending: connection) else { return true }
      return unsafe send(response, on: connection)
    case .over: return unsafe bytes.isEmpty
    }
  }

  /// No more calls will come.
  func end() {
    switch stage {
    case .complete(let answer), .answering(let answer): answer.end()
    case .head, .body, .over: break
    }
    stage = .over
    service.memory.free(taken)
    taken = 0
    service.connections.enter(.idle, on: socket)
  }

  // MARK: Receiving

  private func receiveHead(
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, on connection: OpaquePointer
  ) -> Bool {
    do throws(RequestRefusal) {
      let head = try RequestHead(
        method: unsafe method.flatMap { unsafe String(validatingCString: $0) }, target: target,
        version: unsafe version.flatMap { unsafe String(validatingCString: $0) },
        fields: unsafe HeaderFields(of: connection), limit: service.configuration.headerLimit)
      guard isUnwanted(head) else {
        stage = .body(head)
        return true
      }
      guard let answer = start(head) else { return false }
      stage = .answering(answer)
      guard let response = unsafe answer.take(suspending: connection) else { return true }
      return unsafe send(response, on: connection)
    } catch {
      return unsafe send(error.answer, isLast: true, on: connection)
    }
  }

  /// Whether the body is not read at all: it will be refused for its length, and the client waits to
  /// be asked for it, or would send so much that it is better cut off.
  private func isUnwanted(_ head: RequestHead) -> Bool {
    guard let length = head.declaredLength, length > service.configuration.bodyLimit else {
      return false
    }
    return head.isWaiting || length > service.configuration.readingLimit
  }

  /// Keeps what is within the limit and a byte, and drops the rest; all of it where there is no memory.
  ///
  /// In the midst of a body, libmicrohttpd takes no answer.
  private func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bodyCount += bytes.count
    let count = min(bytes.count, service.configuration.bodyLimit + 1 - body.count)
    if !isTooMuch, service.memory.take(count) {
      taken += count
      unsafe body.append(contentsOf: bytes.prefix(count))
    } else {
      dropBody()
    }
    return bodyCount <= service.configuration.readingLimit
  }

  private func dropBody() {
    isTooMuch = true
    body = []
    service.memory.free(taken)
    taken = 0
  }

  // MARK: Answering

  /// Lets the handler work; nil when nothing is taken any more.
  private func start(_ head: RequestHead) -> PendingAnswer? {
    let answer = PendingAnswer()
    guard service.connections.begin(answer, on: socket) else { return nil }
    let request = HTTPRequest(
      method: head.method, url: head.target, headers: head.headers, body: body)
    body = []
    let respond = service.respond
    // What has no body to be read begins here, so that no other thread has to be woken for it.
    let begin = bodyCount == 0 ? service.begin : nil
    answer.wait(beginning: begin) { await respond(request) }
    return answer
  }

  private func send(
    _ response: HTTPResponse, isLast: Bool = false, on connection: OpaquePointer
  ) -> Bool {
    stage = .over
    service.connections.enter(.sending, on: socket)
    guard
      let reply = Reply(response, isLast: isLast || service.connections.isDraining)
    else { return false }
    return unsafe reply.queue(on: connection)
  }
}
