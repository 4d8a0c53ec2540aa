internal import StorekeeperLocks
public import HTTPMessages
internal import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AppStoreSimulator {
  /// A fault that affects one request to the server APIs.
  ///
  /// Unless a case says otherwise, the request is not carried out.
  public enum ServerAPIFault: Hashable, Sendable {
    /// Apple refuses with a code, whose first three digits are the status; without a text if it is
    /// nil.
    case error(Int, message: String? = nil)
    /// Apple or a server on the way answers with a status and any body.
    case answer(HTTPStatusCode, Body)
    /// Apple refuses with 429; the text is that of `Retry-After`, which is missing if it is nil.
    case tooManyRequests(retryAfter: String?)
    /// Apple refuses the token, however good it is.
    case unauthenticated
    /// A server on the way redirects to another address.
    case redirect(String)
    case transportFailure(HTTPTransportFailure.Reason)
    /// The request is carried out, but its answer is lost in transport.
    case answerLost(HTTPTransportFailure.Reason)
    /// The request is carried out once the clock has advanced by the delay; a request with a shorter
    /// timeout fails with that.
    case delay(Duration)
    /// The request is carried out, and its answer is truncated in the middle.
    case brokenJSON
    /// The request is carried out, and white space makes its answer at least so many bytes long.
    case oversized(Int)
    /// The request is carried out; its answer names this app beside the signed data.
    case bundleID(String)
    /// The request is carried out; its answer names this environment beside the signed data.
    case environment(AppStoreEnvironment)
    /// The request is carried out; the signature of one element of its answer is not valid, by its
    /// place.
    case badSignature(Int)
    /// The request is carried out; its answer says that there is more, and repeats the revision or
    /// the pagination token of the request.
    case repeatedPage
    /// The request is carried out; its answer says that there is more, but has no revision and no
    /// pagination token.
    case missingRevision

    /// A body that is no answer of the server APIs.
    public typealias Body = FaultBody

    /// Apple refuses with 429 until a moment.
    public static func tooManyRequests(until date: Date) -> ServerAPIFault {
      let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded())
      return .tooManyRequests(retryAfter: String(milliseconds))
    }
  }

  /// Makes the next requests to the server APIs fail, after those that already will.
  ///
  /// `path` is a text that the path with its query has to contain, such as `history`; nil for any.
  public func failServerAPI(
    next count: Int = 1, with fault: ServerAPIFault, at path: String? = nil
  ) {
    let due = DueServerAPIFault(fault: fault, path: path)
    state.withLock { $0.serverAPI.faults += Array(repeating: due, count: count) }
  }

  /// Removes all faults of the server APIs that are still due.
  public func stopFailingServerAPI() { state.withLock { $0.serverAPI.faults = [] } }
}

/// A fault that is due for a request whose path contains a text.
struct DueServerAPIFault: Sendable {
  let fault: AppStoreSimulator.ServerAPIFault
  let path: String?
}

extension AppStoreSimulator {
  /// Returns the answer that a fault gives instead of Apple's; nil if the request is carried out.
  func instead(_ fault: ServerAPIFault) -> HTTPResponseMessage? {
    switch fault {
    case .error(let code, let message):
      let refusal = ServerAPIRefusal(code, message)
      return dated(
        HTTPResponseMessage(
          status: refusal.status, headers: [.contentType: "application/json"], body: refusal.body))
    case .answer(let status, let body):
      return dated(body.response(status, json: "application/json"))
    case .tooManyRequests(let retryAfter): return tooManyRequests(retryAfter)
    case .unauthenticated: return unauthenticated()
    case .redirect(let address):
      var response = HTTPResponseMessage(status: 302)
      try? response.headers.set(address, for: .location)
      return dated(response)
    default: return nil
    }
  }
}

extension AppStoreSimulator.ServerAPIFault {
  func changing(_ answer: JSONValue?, _ call: ServerAPICall) throws -> JSONValue? {
    guard case .object(var members)? = answer else { return answer }
    switch self {
    case .bundleID(let id): members["bundleId"] = .string(id)
    case .environment(let environment): members["environment"] = .string(environment.rawValue)
    case .badSignature(let place):
      var place = place
      return answer.map { Self.spoilt($0, at: &place) }
    case .repeatedPage:
      members["hasMore"] = .boolean(true)
      for name in ["revision", "paginationToken"] {
        members[name] = call.value(name).map(JSONValue.string) ?? members[name]
      }
    case .missingRevision:
      members["hasMore"] = .boolean(true)
      members["revision"] = nil
      members["paginationToken"] = nil
    default: break
    }
    return .object(members)
  }

  /// Changes the bytes of the right answer.
  func change(_ response: inout HTTPResponseMessage) {
    switch self {
    case .brokenJSON: response.truncate()
    case .oversized(let count): response.pad(to: count)
    default: break
    }
  }

  /// Spoils the signature of the signed text at a place, counted from 0 in the order of the answer.
  private static func spoilt(_ value: JSONValue, at place: inout Int) -> JSONValue {
    switch value {
    case .array(let elements): return .array(elements.map { spoilt($0, at: &place) })
    case .object(let members):
      var changed = members
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        changed[name] = spoilt(member, at: &place)
      }
      return .object(changed)
    case .string(let text) where text.hasPrefix("ey") && text.split(separator: ".").count == 3:
      defer { place -= 1 }
      guard place == 0 else { return value }
      // The first character of the signature: the last may have bits without meaning.
      var parts = text.split(separator: ".").map(String.init)
      let first = parts[2].first == "A" ? "B" : "A"
      parts[2] = first + parts[2].dropFirst()
      return .string(parts.joined(separator: "."))
    default: return value
    }
  }
}
