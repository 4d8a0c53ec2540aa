internal import CStorekeeperMicroHTTPD
internal import HTTPMessages

/// A request and its answer, driven by the callbacks of libmicrohttpd and used by its thread alone.
///
/// The calls for a request come in this order: ``init`` after its first line; ``receive`` after all
/// header fields, without bytes; with bytes for each part of the body; without bytes at the end of
/// the body; and again whenever the connection is checked, until there is an answer.
final class Exchange {
  private enum Stage {
    case head
    case judging(RequestHead, Pending<HeadVerdict>)
    /// Without a verdict if there is no body; then judging and answering are one.
    case body(RequestHead, HeadVerdict?)
    case complete(Pending<HTTPResponseMessage>)
    case answering(Pending<HTTPResponseMessage>)
    /// The answer was sent in the middle of the body.
    case lingering
    case over
  }

  private let service: Service
  private let connection: Connection
  private let target: String?
  private var stage = Stage.head
  private var body: [UInt8] = []
  private var bodyCount = 0
  /// The reserved memory for the body, and the anonymous client that it counts for.
  private var taken = 0
  private var stranger: ClientAddress?
  /// Whether there was no memory for the body.
  private var isTooMuch = false

  init(_ service: Service, _ connection: Connection, target: String?) {
    self.service = service
    self.connection = connection
    self.target = target
    service.connections.enter(.receiving, connection)
  }

  /// Advances the exchange.
  ///
  /// - Returns: Whether the connection may continue; false ends it without an answer.
  func receive(
    _ bytes: UnsafeRawBufferPointer, method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?,
    on handle: OpaquePointer
  ) -> Bool {
    switch stage {
    case .head:
      return unsafe receiveHead(method: method, version: version, on: handle)
    case .judging(let head, let pending):
      guard let verdict = unsafe pending.take(suspending: handle) else { return true }
      service.connections.enter(.receiving, connection)
      return unsafe judged(head, verdict, on: handle)
    case .body(let head, let verdict):
      return unsafe bytes.isEmpty
        ? complete(head, verdict, on: handle) : append(bytes, head, verdict)
    case .complete(let answer), .answering(let answer):
      stage = .answering(answer)
      guard let response = unsafe answer.take(suspending: handle) else { return true }
      return unsafe send(response, on: handle)
    // Input after an early answer is dropped; its end is the end of the connection.
    case .lingering: return unsafe !bytes.isEmpty
    case .over: return unsafe bytes.isEmpty
    }
  }

  /// Ends the exchange; no more calls follow.
  func end() {
    switch stage {
    case .judging(_, let verdict): verdict.end()
    case .complete(let answer), .answering(let answer): answer.end()
    case .head, .body, .lingering, .over: break
    }
    stage = .over
    forgetBody()
    service.connections.enter(.idle, connection)
  }

  // MARK: Receiving

  private func receiveHead(
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, on handle: OpaquePointer
  ) -> Bool {
    do throws(RequestRefusal) {
      let head = try RequestHead(
        method: unsafe method.flatMap { unsafe String(validatingCString: $0) }, target: target,
        version: unsafe version.flatMap { unsafe String(validatingCString: $0) },
        fields: unsafe HeaderFields(of: handle), limit: service.configuration.headerLimit)
      guard head.hasBody else {
        stage = .body(head, nil)
        return true
      }
      return unsafe judge(head, on: handle)
    } catch {
      return unsafe send(error.answer, isLast: true, on: handle)
    }
  }

  /// Asks the handler for its verdict, which mostly comes without a wait.
  private func judge(_ head: RequestHead, on handle: OpaquePointer) -> Bool {
    let pending = Pending<HeadVerdict>(or: .answer(.unavailable))
    let (judge, request) = (service.judge, head.request)
    pending.wait(beginning: { $0() }) { await judge(request) }
    if let verdict = pending.take() { return unsafe judged(head, verdict, on: handle) }
    if !service.connections.begin(pending, on: connection) { pending.giveUp() }
    stage = .judging(head, pending)
    guard let verdict = unsafe pending.take(suspending: handle) else { return true }
    service.connections.enter(.receiving, connection)
    return unsafe judged(head, verdict, on: handle)
  }

  private func judged(
    _ head: RequestHead, _ verdict: HeadVerdict, on handle: OpaquePointer
  ) -> Bool {
    stage = .body(head, verdict)
    switch verdict {
    case .answer(let response) where head.isWaiting:
      return unsafe send(response, isLast: true, on: handle)
    case .answer(let response):
      return isUnwanted(head) ? sendEarly(response, to: head) : true
    case .admit(let admission):
      if !admission.isKnown { stranger = connection.address }
      guard isUnwanted(head) else { return true }
      let answer = start(beginning: { $0() }) { await admission.respond([]) }
      if !head.isWaiting, let response = answer.take() { return sendEarly(response, to: head) }
      stage = .answering(answer)
      guard let response = unsafe answer.take(suspending: handle) else { return true }
      return unsafe send(response, on: handle)
    }
  }

  /// Whether the body is not kept at all: it will be refused for its length, and the client either
  /// waits for permission to send it, or would send more than is worth reading.
  private func isUnwanted(_ head: RequestHead) -> Bool {
    guard let length = head.declaredLength, length > service.configuration.bodyLimit else {
      return false
    }
    return head.isWaiting || length > service.configuration.readingLimit
  }

  /// Keeps at most one byte more than the limit, and drops the rest; drops everything if the body
  /// is unwanted or there is no memory.
  ///
  /// In the middle of a body, libmicrohttpd accepts no answer.
  private func append(
    _ bytes: UnsafeRawBufferPointer, _ head: RequestHead, _ verdict: HeadVerdict?
  ) -> Bool {
    bodyCount += bytes.count
    guard bodyCount <= service.configuration.readingLimit else {
      return answerOverlong(head, verdict)
    }
    guard case .admit(let admission)? = verdict, !isTooMuch else { return true }
    let limit = min(service.configuration.bodyLimit + 1, admission.bodyLimit)
    let count = min(bytes.count, limit - body.count)
    if service.memory.take(count, for: stranger) {
      taken += count
      unsafe body.append(contentsOf: bytes.prefix(count))
    } else {
      isTooMuch = true
      forgetBody()
    }
    return true
  }

  /// Answers a body in chunks that exceeds all limits.
  private func answerOverlong(_ head: RequestHead, _ verdict: HeadVerdict?) -> Bool {
    switch verdict {
    case .answer(let response)?: return sendEarly(response, to: head)
    case .admit(let admission)? where isTooMuch: return sendEarly(admission.refuse(), to: head)
    case .admit(let admission)?:
      let body = takeBody()
      let answer = start(beginning: { $0() }, { await admission.respond(body) })
      guard let response = answer.take() else {
        answer.end()
        return false
      }
      return sendEarly(response, to: head)
    case nil: return false
    }
  }

  private func forgetBody() {
    body = []
    service.memory.free(taken, of: stranger)
    taken = 0
  }

  private func takeBody() -> [UInt8] {
    defer { body = [] }
    return body
  }

  // MARK: Answering

  private func complete(
    _ head: RequestHead, _ verdict: HeadVerdict?, on handle: OpaquePointer
  ) -> Bool {
    let answer: Pending<HTTPResponseMessage>
    switch verdict {
    case .answer(let response)?: return unsafe send(response, on: handle)
    case .admit(let admission)? where isTooMuch:
      return unsafe send(admission.refuse(), isLast: true, on: handle)
    case .admit(let admission)?:
      let body = takeBody()
      answer = start(beginning: nil) { await admission.respond(body) }
    case nil:
      let (respond, request) = (service.respond, head.request)
      // A request without a body begins here, so that no other thread has to be woken for it.
      answer = start(beginning: service.begin) { await respond(request) }
    }
    if let response = answer.take() { return unsafe send(response, on: handle) }
    stage = .complete(answer)
    // The connection is not suspended yet: in 0.9.75 one that is suspended in this call is read
    // from when it resumes, and closed without an answer if the client has closed its side. It is
    // checked again at once.
    return true
  }

  /// Runs the handler; when requests are refused, the answer is 503.
  private func start(
    beginning begin: (@Sendable (() -> Void) -> Void)?,
    _ respond: @escaping @Sendable () async -> HTTPResponseMessage
  ) -> Pending<HTTPResponseMessage> {
    let answer = Pending<HTTPResponseMessage>(or: .unavailable)
    if service.connections.begin(answer, on: connection) {
      answer.wait(beginning: begin, for: respond)
    } else {
      answer.giveUp()
    }
    return answer
  }

  private func send(
    _ response: HTTPResponseMessage, isLast: Bool = false, on handle: OpaquePointer
  ) -> Bool {
    stage = .over
    service.connections.enter(.sending, connection)
    guard
      let reply = Reply(response, isLast: isLast || service.connections.isDraining)
    else { return false }
    return unsafe reply.queue(on: handle)
  }

  /// Answers in the middle of a body; the rest of it is read and dropped for a while.
  private func sendEarly(_ response: HTTPResponseMessage, to head: RequestHead) -> Bool {
    forgetBody()
    stage = .lingering
    service.connections.enter(.lingering, connection)
    return EarlyAnswer(response, to: head.method).send(on: connection.socket)
      && !service.connections.isDraining
  }
}

extension RequestHead {
  fileprivate var request: HTTPRequestMessage {
    HTTPRequestMessage(method: method, url: target, headers: headers)
  }
}
