internal import HTTPMessages
internal import JWSVerifier
internal import ReceiptModels
internal import StorekeeperLocks

extension AppStoreServerClient {
  /// The upper limit of the patience; clocks cannot wait for an arbitrary time.
  private static let longestPatience = Duration.seconds(86_400)

  /// Asks the servers that may answer, one after the other, and reads the first good answer.
  func ask<Value>(
    _ request: ServerRequest, in environment: AppStoreEnvironment?, patience: Duration?,
    _ read: nonisolated(nonsending) (ServerAnswer) async throws(AppStoreServerFailure) -> Value
  ) async throws(AppStoreServerFailure) -> Value {
    let environments = try environments(for: request.endpoint, named: environment)
    let patience = min(patience ?? configuration.patience, Self.longestPatience)
    var exchange = Exchange(request: request, end: uptime.elapsed + patience)
    for (index, environment) in environments.enumerated() {
      let isLast = index == environments.count - 1
      do throws(AppStoreServerFailure) {
        return try await read(send(&exchange, to: environment))
      } catch {
        if !isLast, falls(back: error) {
          exchange.earlier = exchange.earlier ?? error
          continue
        }
        throw final(error, after: exchange.earlier)
      }
    }
    throw AppStoreServerFailure(.environmentRequired, of: request.endpoint)
  }

  /// Returns the environments to ask, in order.
  private func environments(
    for endpoint: AppStoreServerEndpoint, named environment: AppStoreEnvironment?
  ) throws(AppStoreServerFailure) -> [AppStoreEnvironment] {
    let served: [AppStoreEnvironment] = [.production, .sandbox]
    let accepted = served.filter { verifier.environments.contains($0) }
    let named: AppStoreEnvironment? =
      switch (environment, configuration.server) {
      case (let environment?, _): environment
      case (nil, .production): .production
      case (nil, .sandbox): .sandbox
      case (nil, .auto): nil
      }
    if let named {
      guard accepted.contains(named) else {
        throw AppStoreServerFailure(.environmentNotServed(named), of: endpoint)
      }
      return [named]
    }
    guard endpoint.canFallBack else {
      throw AppStoreServerFailure(.environmentRequired, of: endpoint)
    }
    return accepted
  }

  /// Returns whether a failure of Production leads to the Sandbox.
  private func falls(back failure: AppStoreServerFailure) -> Bool {
    failure.code == .transactionIDNotFound
      // Apple serves groups in the Sandbox only so far.
      || failure.endpoint == .currentGroups && failure.status == .notFound && failure.code == nil
      || failure.status == .unauthorized && configuration.fallsBackForUnreleasedApp
  }

  /// Returns the failure to throw when the last server has failed too.
  private func final(
    _ failure: AppStoreServerFailure, after earlier: AppStoreServerFailure?
  ) -> AppStoreServerFailure {
    guard let earlier else { return failure }
    // Production's refusal of the token stands if the Sandbox refuses it too.
    if earlier.status == .unauthorized, failure.status == .unauthorized {
      var earlier = earlier
      // The Sandbox knows apps that were never released, so this is not the cause.
      earlier.likelyCauses.removeAll { $0 == .appNeverReleased }
      return earlier
    }
    // Production's answer stands if there was no time to ask the Sandbox.
    switch failure.reason {
    case .timeUp, .limited: return earlier
    default: break
    }
    var failure = failure
    if failure.code == .transactionIDNotFound { failure.retry = .never }
    return failure
  }
}

/// A call under way.
struct Exchange {
  let request: ServerRequest
  /// The time at which the patience ends, in the client's uptime.
  let end: Duration
  /// The failure of Production after which the Sandbox is asked.
  var earlier: AppStoreServerFailure?
  /// The number of requests to the present server.
  var attempts = 0
  /// The number of answers 5000000 of the present server.
  var internalErrors = 0
  /// Whether Apple may have acted on an earlier attempt.
  var isUncertain = false
}
