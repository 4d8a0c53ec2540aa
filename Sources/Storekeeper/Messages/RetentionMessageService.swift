internal import JSONValues
public import JWSVerifier
public import ReceiptModels
internal import StorekeeperLocks

/// A service that answers Apple's realtime requests for a retention message.
///
/// ```swift
/// let messages = RetentionMessageService(
///   verifier: verifier, answerer: WinBack(), report: { log($0) })
/// let answer = try await messages.answer(body: body)
/// ```
///
/// A request is verified before the host's answerer sees it. Apple waits 700 milliseconds, and then shows its default
/// message; the service gives up earlier, after its ``budget``, so that the answer still travels in time. Nothing is
/// stored. Source: Apple, `RealtimeRequestBody`; App Store Server API rules, section 2.5.
public struct RetentionMessageService: Sendable {
  /// The budget unless the host sets another one: 600 milliseconds.
  ///
  /// It leaves 100 of Apple's 700 milliseconds for reading the request and for the way back.
  public static let standardBudget: Duration = .milliseconds(600)

  public let verifier: SignedDataVerifier
  /// The time from the call of the service to its answer.
  public let budget: Duration

  private let answerer: any RetentionMessageAnswerer
  private let clock: any Clock<Duration>
  private let report: @Sendable (ServiceIncident) -> Void

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - verifier: The verifier of requests, which should accept both Production and Sandbox. If it has a revocation
  ///     checker, Apple is asked about the certificates within the budget.
  ///   - answerer: The host's choice of messages.
  ///   - budget: The time from the call of the service to its answer. The time in which the server reads the request
  ///     and sends the answer is not part of it.
  ///   - clock: The clock that measures the time.
  ///   - report: Receives incidents: each missed budget with the time taken, and each authentic request that could
  ///     not be decoded; by default ``ServiceIncident/toStandardError``.
  public init(
    verifier: SignedDataVerifier, answerer: any RetentionMessageAnswerer,
    budget: Duration = Self.standardBudget, clock: any Clock<Duration> = ContinuousClock(),
    report: @escaping @Sendable (ServiceIncident) -> Void = ServiceIncident.toStandardError
  ) {
    self.verifier = verifier
    self.budget = budget
    self.answerer = answerer
    self.clock = clock
    self.report = report
  }

  /// Answers the body of a request, JSON in UTF-8.
  ///
  /// The length of the body is not limited here. Members other than `signedPayload` are ignored.
  ///
  /// - Throws: ``RetentionMessageFailure``.
  public func answer(
    body: [UInt8]
  ) async throws(RetentionMessageFailure) -> RetentionMessageAnswer {
    let watch = Stopwatch(clock)
    let token: String
    do {
      let text = try JSONText(checking: body, within: .knownMembers)
      token = try SignedPayloadBody(text, at: text.root).signedPayload
    } catch {
      throw .malformedBody
    }
    return try await answer(to: try verified(token), since: watch)
  }

  /// Answers a signed request, the `signedPayload` as a compact JWS.
  ///
  /// - Throws: ``RetentionMessageFailure``, except ``RetentionMessageFailure/malformedBody``.
  public func answer(
    signedPayload token: String
  ) async throws(RetentionMessageFailure) -> RetentionMessageAnswer {
    let watch = Stopwatch(clock)
    return try await answer(to: try verified(token), since: watch)
  }

  private func verified(
    _ token: String
  ) throws(RetentionMessageFailure) -> Verified<RealtimeRequest> {
    do throws(SignedDataFailure) {
      return try verifier.realtimeRequest(token)
    } catch {
      // Apple signed it, so this version is out of date, and the operator should know.
      if error.isUndecoded { report(.signedDataRefused(error)) }
      throw RetentionMessageFailure(error)
    }
  }

  private func answer(
    to request: Verified<RealtimeRequest>, since watch: Stopwatch
  ) async throws(RetentionMessageFailure) -> RetentionMessageAnswer {
    let rest = budget - watch.elapsed
    guard rest > .zero else { throw timeUp(watch) }
    let waited = await clock.wait(atMost: rest) {
      // Leaves the caller's thread, which an answerer that blocks would hold beyond the budget.
      await Task.yield()
      return await response(to: request)
    }
    switch waited {
    case .value(let result):
      let response = try result.get()
      let duration = watch.elapsed
      if duration > budget { report(.retentionMessageLate(duration)) }
      return RetentionMessageAnswer(response: response, duration: duration)
    case .timeUp: throw timeUp(watch)
    case .cancelled: throw .cancelled
    }
  }

  /// Checks the certificates online if that is configured, and asks the host's answerer.
  private func response(
    to request: Verified<RealtimeRequest>
  ) async -> Result<RealtimeResponse?, RetentionMessageFailure>? {
    let checked: Verified<RealtimeRequest>
    do throws(SignedDataFailure) {
      checked = try await verifier.checkingRevocation(of: request)
    } catch {
      return .failure(RetentionMessageFailure(error))
    }
    do {
      return .success(try await answerer.answer(to: checked))
    } catch {
      return .failure(.answererFailed(error))
    }
  }

  private func timeUp(_ watch: Stopwatch) -> RetentionMessageFailure {
    let duration = watch.elapsed
    report(.retentionMessageLate(duration))
    return .timeUp(after: duration)
  }
}

/// An answerer of Apple's realtime requests: the host's choice of what a customer sees who is about
/// to cancel a subscription.
///
/// ```swift
/// struct WinBack: RetentionMessageAnswerer {
///   func answer(to request: Verified<RealtimeRequest>) async throws -> RealtimeResponse? {
///     guard request.payload.productID == "reader.yearly" else { return nil }
///     return .alternateProduct(messageIdentifier: stayMonthly, productID: "reader.monthly")
///   }
/// }
/// ```
///
/// Apple waits 700 milliseconds in all, so look up what is at hand and compute the rest beforehand.
public protocol RetentionMessageAnswerer: Sendable {
  /// Returns the answer to a verified request, or nil for Apple's default message, which Apple also shows after an
  /// error.
  ///
  /// The method is called at most once for each request that arrives, but Apple may ask again about the same
  /// customer, and any number of calls may run at once. The calling task is cancelled when the time is up; an answer
  /// that comes later is discarded. A request from Production belongs to one of the verifier's apps. A request from
  /// the Sandbox may belong to any app, because Apple's number is compared in Production only.
  func answer(to request: Verified<RealtimeRequest>) async throws -> RealtimeResponse?
}

/// The answer to a request for a retention message, with the time it took.
public struct RetentionMessageAnswer: Hashable, Sendable {
  /// The response for Apple, or nil for Apple's default message.
  public let response: RealtimeResponse?
  /// The time from the call of the service to the answer.
  public let duration: Duration
}

/// The reason that a request for a retention message has no answer.
///
/// Apple shows its default message in all of these cases.
@nonexhaustive
public enum RetentionMessageFailure: Error, Sendable {
  /// The body is not a JSON object with a string `signedPayload`.
  case malformedBody
  /// The signature is invalid, a certificate was revoked, or the environment is not accepted.
  case notAuthentic(SignedDataFailure)
  /// The request is authentic, but does not fit the models of this version.
  ///
  /// The path of the field is ``/JWSVerifier/SignedDataFailure/undecodedPath``.
  case notDecoded(SignedDataFailure)
  /// The request is authentic, but belongs to another app (Production).
  case otherApp(SignedDataFailure)
  /// The revocation status of a certificate is unknown, because Apple could not be reached.
  case revocationUnknown(SignedDataFailure)
  /// The time was up before there was an answer; the value is the time taken.
  case timeUp(after: Duration)
  /// The host's answerer failed with this error.
  case answererFailed(any Error)
  /// The calling task was cancelled, for example because the server is about to stop.
  case cancelled
}

extension RetentionMessageFailure {
  init(_ failure: SignedDataFailure) {
    switch failure {
    case .bundleMismatch, .appAppleIdMismatch: self = .otherApp(failure)
    case .onlineCheckFailed: self = .revocationUnknown(failure)
    default: self = failure.isUndecoded ? .notDecoded(failure) : .notAuthentic(failure)
    }
  }
}
