internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A reader of the head of an answer, which tells success from failure.
///
/// Source: App Store Server API rules, section 3.1.
struct AnswerReader {
  /// The maximum number of bytes of a body that a failure keeps.
  static let keptBytes = 64 << 10

  let client: AppStoreServerClient
  let endpoint: AppStoreServerEndpoint
  let environment: AppStoreEnvironment

  /// Returns the answer if its status is one of success.
  func answer(_ response: HTTPResponseMessage) throws(AppStoreServerFailure) -> ServerAnswer {
    guard response.body.count <= client.configuration.responseLimit else {
      throw failure(of: HTTPTransportFailure(.responseTooLarge))
    }
    guard response.status.isSuccess else { throw failure(of: response) }
    return ServerAnswer(
      endpoint: endpoint, environment: environment, status: response.status, body: response.body)
  }

  /// Returns the failure for an error of the transport.
  func failure(of error: any Error) -> AppStoreServerFailure {
    if error is CancellationError {
      return AppStoreServerFailure(.cancelled, of: endpoint, in: environment)
    }
    // Of an unknown error, it is unknown too whether Apple acted on the request.
    let reason = (error as? HTTPTransportFailure)?.reason ?? .interrupted
    let mayRetry: Bool =
      switch reason {
      case .notConnected: true
      case .interrupted, .timedOut: endpoint.isRepeatable
      case .invalidRequest, .untrustedPeer, .responseTooLarge: false
      @unknown default: false
      }
    var failure = AppStoreServerFailure(
      .transport(reason), of: endpoint, in: environment, retry: mayRetry ? .afterBackOff : .never)
    failure.cause = error
    return failure
  }

  /// Returns the failure for an answer with a status of failure.
  private func failure(of response: HTTPResponseMessage) -> AppStoreServerFailure {
    var failure = AppStoreServerFailure(.refused, of: endpoint, in: environment)
    failure.status = response.status
    failure.body = Array(response.body.prefix(Self.keptBytes))
    if let json = try? JSONValue(parsing: response.body),
      let answer = try? ErrorResponse(json: json)
    {
      failure.code = answer.errorCode.map { AppStoreServerErrorCode(rawValue: $0) }
      failure.message = answer.errorMessage
      if endpoint == .sendExternalPurchaseReport, case .array(let errors)? = json["errors"] {
        // An error that is malformed still means that nothing was taken.
        failure.reportErrors = errors.map { error in
          (try? ExternalPurchaseReportError(json: error)) ?? ExternalPurchaseReportError()
        }
      }
    }
    failure.retryAfter = retryAfter(response)
    failure.retry = retry(after: failure, response)
    if response.status == .unauthorized {
      failure.requestID = Self.requestID(in: response.body)
      failure.likelyCauses = causes(response)
    }
    return failure
  }

  /// Returns whether and when to retry: a code decides before the status does.
  private func retry(
    after failure: AppStoreServerFailure, _ response: HTTPResponseMessage
  ) -> AppStoreServerFailure.Retry {
    if let code = failure.code {
      if code.isPassing || code == .generalInternal { return .afterBackOff }
      if code.startsOver { return .startOver }
      if code == .transactionIDNotFound { return .otherEnvironment }
      if code == .rateLimitExceeded {
        return failure.retryAfter.map { .notBefore($0) } ?? .afterBackOff
      }
      if code.isKnown { return .never }
    }
    if response.status == .tooManyRequests {
      return failure.retryAfter.map { .notBefore($0) } ?? .afterBackOff
    }
    guard failure.code == nil, response.status.code >= 500 else { return .never }
    return endpoint.isRepeatable ? .afterBackOff : .never
  }

  /// Reads `Retry-After`, which is a number of milliseconds since 1970.
  ///
  /// A small number counts as seconds from now, as everywhere else. Anything else, and a date more
  /// than a day ahead, is not relied on.
  private func retryAfter(_ response: HTTPResponseMessage) -> Date? {
    guard let text = response.headers[.retryAfter], (1...18).contains(text.utf8.count),
      text.utf8.areDigits, let number = Int(text)
    else { return nil }
    let now = client.now()
    let date =
      number < 1_000_000_000
      ? now.addingTimeInterval(Double(number))
      : Date(timeIntervalSince1970: Double(number) / 1000)
    guard date <= now.addingTimeInterval(86_400) else { return nil }
    return max(date, now)
  }

  // MARK: Status 401

  private func causes(_ response: HTTPResponseMessage) -> [AppStoreServerFailure.UnauthorizedCause]
  {
    var causes: [AppStoreServerFailure.UnauthorizedCause] = [.key, .issuerOrBundleID]
    if let date = response.headers[.date].flatMap(DateTextReader.seconds(headerField:)) {
      let skew = Int((client.now().timeIntervalSince1970 - Double(date)).rounded())
      if abs(skew) > 60 { causes.insert(.clockSkew(.seconds(skew)), at: 0) }
    }
    if environment == .production { causes.append(.appNeverReleased) }
    return causes
  }

  /// Reads the identifier in the text of a status 401.
  private static func requestID(in body: [UInt8]) -> String? {
    let text = String(decoding: body.prefix(1024), as: UTF8.self)
    guard let label = text.firstRange(of: "Request ID: ") else { return nil }
    let id = text[label.upperBound...].utf8.prefix { byte in
      byte.isLetterOrDigit || "-._".utf8.contains(byte)
    }
    return id.isEmpty || id.count > 128 ? nil : String(id)
  }
}
