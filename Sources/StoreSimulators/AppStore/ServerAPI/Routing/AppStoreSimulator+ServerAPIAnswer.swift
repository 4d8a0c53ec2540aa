internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension AppStoreSimulator {
  /// Answers a request to the server APIs as Apple does, or with the next fault.
  func answer(_ request: HTTPRequestMessage, _ target: ServerAPITarget) async throws
    -> HTTPResponseMessage
  {
    let fault = record(request, target)
    if case .delay(let delay) = fault { try await wait(delay, atMost: request.timeout) }
    switch fault {
    case .transportFailure(let reason): throw HTTPTransportFailure(reason)
    case .answerLost(let reason):
      _ = respond(to: request, target)
      throw HTTPTransportFailure(reason)
    case let fault?:
      if let answer = instead(fault) { return answer }
      return respond(to: request, target, with: fault)
    case nil: return respond(to: request, target)
    }
  }

  private func record(_ request: HTTPRequestMessage, _ target: ServerAPITarget) -> ServerAPIFault? {
    state.withLock { state in
      let index = state.serverAPI.faults.firstIndex { due in
        due.path.map { target.text.contains($0) } ?? true
      }
      let fault = index.map { state.serverAPI.faults.remove(at: $0).fault }
      state.serverAPI.requests.append(
        ServerAPIRequest(
          environment: target.server, method: request.method, target: target.text,
          body: request.body, fault: fault))
      return fault
    }
  }

  /// Answers a request; a fault may change the answer.
  private func respond(
    to request: HTTPRequestMessage, _ target: ServerAPITarget, with fault: ServerAPIFault? = nil
  ) -> HTTPResponseMessage {
    let now = now
    guard isAuthorized(request, target, at: now) else { return unauthenticated() }
    do {
      let (route, parameters) = try ServerAPIRoute.find(request.method, target.path)
      if let wait = tooMany(route, at: target.server, now) { return tooManyRequests(wait) }
      let call = ServerAPICall(
        appStore: self, server: target.server, request: request, target: target,
        parameters: parameters, now: now)
      runMassExtensions(at: now)
      var answer = try route.answer(call)
      if let fault { answer.json = try fault.changing(answer.json, call) }
      return response(answer.status, answer.json?.serialized ?? [], fault)
    } catch let refusal as ServerAPIRefusal {
      return response(refusal.status, refusal.body, fault)
    } catch {
      return response(.internalServerError, ServerAPIRefusal(5_000_000).body, fault)
    }
  }

  private func isAuthorized(
    _ request: HTTPRequestMessage, _ target: ServerAPITarget, at now: Date
  ) -> Bool {
    let (keys, isReleased) = state.withLock {
      ($0.serverAPI.keys, $0.serverAPI.settings.isReleased)
    }
    // Apple's Production does not know the keys of an app that was never released.
    guard isReleased || target.server == .sandbox else { return false }
    let fields = request.headers.values(for: .authorization)
    guard fields.count == 1, let token = BearerToken(authorization: fields[0]) else {
      return false
    }
    return token.isValid(for: bundleID, at: now, keys: keys)
  }

  // MARK: Responses

  private func response(
    _ status: HTTPStatusCode, _ body: [UInt8], _ fault: ServerAPIFault?
  ) -> HTTPResponseMessage {
    var response = HTTPResponseMessage(status: status, body: body)
    if !body.isEmpty { response.headers = [.contentType: "application/json"] }
    fault?.change(&response)
    return dated(response)
  }

  /// Adds the date by the simulator's clock, with which clients find out that theirs is wrong.
  func dated(_ response: HTTPResponseMessage) -> HTTPResponseMessage {
    var response = response
    // A date has no control characters.
    try? response.headers.set(IMFDate(now).text, for: .date)
    return response
  }

  /// The answer to a request without a valid token, recorded from Apple.
  func unauthenticated() -> HTTPResponseMessage {
    let id = UUID().uuidString.filter { $0 != "-" }.prefix(26)
    return dated(
      HTTPResponseMessage(
        status: .unauthorized, headers: [.contentType: "text/plain"],
        body: Array("Unauthenticated\n\nRequest ID: \(id).0.0\n".utf8)))
  }

  /// The answer to a request beyond the limit, with the moment at which the next one is welcome.
  func tooManyRequests(_ retryAfter: String?) -> HTTPResponseMessage {
    var response = HTTPResponseMessage(
      status: .tooManyRequests, headers: [.contentType: "application/json"],
      body: ServerAPIRefusal(4_290_000).body)
    if let retryAfter { try? response.headers.set(retryAfter, for: .retryAfter) }
    return dated(response)
  }

  /// Counts a request; returns the value of Retry-After, in milliseconds since 1970, if it is one
  /// too many.
  private func tooMany(
    _ route: ServerAPIRoute, at server: AppStoreEnvironment, _ now: Date
  ) -> String? {
    state.withLock { state in
      let settings = state.serverAPI.settings
      guard settings.limitsRequests, let limit = route.limit else { return nil }
      let documented = server == .sandbox ? limit * 360 : limit * 3600
      let allowed = settings.requestsPerHour ?? documented
      let endpoint = "\(server.rawValue) \(route.method.name) \(route.path)"
      var recent = state.serverAPI.recentRequests[endpoint] ?? []
      recent.removeAll { now.timeIntervalSince($0) >= 3600 }
      defer { state.serverAPI.recentRequests[endpoint] = recent }
      guard recent.count >= allowed else {
        recent.append(now)
        return nil
      }
      let free = (recent.first ?? now).addingTimeInterval(3600)
      return String(Int((free.timeIntervalSince1970 * 1000).rounded(.up)))
    }
  }
}

/// A moment as an HTTP `Date` field writes it, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Source: RFC 9110 section 5.6.7.
struct IMFDate {
  let text: String

  init(_ date: Date) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents(
      [.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let time = [parts.hour, parts.minute, parts.second].map { Self.padded($0 ?? 0, 2) }
    text =
      "\(days[(parts.weekday ?? 1) - 1]), \(Self.padded(parts.day ?? 1, 2)) "
      + "\(months[(parts.month ?? 1) - 1]) \(Self.padded(parts.year ?? 1970, 4)) "
      + "\(time.joined(separator: ":")) GMT"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
