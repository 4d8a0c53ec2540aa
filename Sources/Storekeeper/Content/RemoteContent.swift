internal import EntitlementPolicy
internal import HTTPMessages

/// Fetches content from servers, with redirects and repetitions.
///
/// Source: entitlement rules, section 8.
struct RemoteContent: Sendable {
  let transport: any HTTPTransport
  let clock: any Clock<Duration>
  let allowsHTTP: Bool
  let timeout: Duration

  private static let maximumRedirectCount = 5
  /// The pauses before the second and the third attempt.
  private static let pauses: [Duration] = [.seconds(1), .seconds(2)]

  private enum AttemptFailure: Error {
    /// One that may be gone on the next attempt.
    case passing(ContentFailure)
    case final(ContentFailure)
  }

  /// Fetches the bytes of a source, in up to three attempts.
  func bytes(of source: ContentSource, limit: Int) async throws(ContentFailure) -> [UInt8] {
    let address = try RemoteAddress(source.url, allowsHTTP: allowsHTTP)
    var pauses = Self.pauses[...]
    while true {
      do throws(AttemptFailure) {
        return try await attempt(address, limit: limit)
      } catch {
        switch error {
        case .final(let failure): throw failure
        case .passing(let failure):
          guard let pause = pauses.popFirst() else { throw failure }
          guard (try? await clock.sleep(for: pause)) != nil else {
            throw Task.isCancelled ? .cancelled : failure
          }
        }
      }
    }
  }

  /// Asks a server, and those to which it redirects.
  private func attempt(
    _ first: RemoteAddress, limit: Int
  ) async throws(AttemptFailure) -> [UInt8] {
    var address = first
    var redirectCount = 0
    while true {
      let response = try await answer(of: address, limit: limit)
      let code = response.status.code
      guard code != 200 else { return try content(of: response, limit: limit) }
      guard [301, 302, 303, 307, 308].contains(code), let location = response.headers[.location],
        redirectCount < Self.maximumRedirectCount
      else {
        let isPassing = code == 429 || (500...599).contains(code)
        throw isPassing ? .passing(.httpStatus(code)) : .final(.httpStatus(code))
      }
      redirectCount += 1
      do throws(ContentFailure) {
        address = try address.redirected(to: location, allowsHTTP: allowsHTTP)
      } catch {
        throw .final(error)
      }
    }
  }

  private func content(
    of response: HTTPResponseMessage, limit: Int
  ) throws(AttemptFailure) -> [UInt8] {
    let announced = response.headers[.contentLength].flatMap { Int($0) } ?? 0
    guard announced <= limit, response.body.count <= limit else {
      throw .final(.tooLarge(limit: limit))
    }
    return response.body
  }

  /// Sends one request, whose answer has no body if the status is not that of content and the body is too large.
  private func answer(
    of address: RemoteAddress, limit: Int
  ) async throws(AttemptFailure) -> HTTPResponseMessage {
    let request = HTTPRequestMessage(
      url: address.url, headers: ["Accept-Encoding": "identity"], timeout: timeout,
      responseLimit: limit)
    let result: Result<HTTPResponseMessage, any Error>
    do { result = .success(try await transport.send(request)) } catch { result = .failure(error) }
    // Only this tells a cancellation; a transport may throw `CancellationError` for reasons of its own.
    guard !Task.isCancelled else { throw .final(.cancelled) }
    switch result {
    case .success(let response): return response
    case .failure(let error as HTTPTransportFailure): return try judged(error, limit: limit)
    // Whether a retry helps against any other error is unknown.
    case .failure: throw .passing(.transport)
    }
  }

  /// Returns the answer without its body if that is no content, or throws the failure of the attempt.
  private func judged(
    _ failure: HTTPTransportFailure, limit: Int
  ) throws(AttemptFailure) -> HTTPResponseMessage {
    switch failure.reason {
    case .invalidRequest: throw .final(.invalidURL)
    case .responseTooLarge:
      guard let response = failure.response, response.status != .ok else {
        throw .final(.tooLarge(limit: limit))
      }
      return response
    default: throw .passing(.transport)
    }
  }
}
