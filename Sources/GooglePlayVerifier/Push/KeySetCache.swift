internal import HTTPMessages
internal import JSONValues
internal import StorekeeperCrypto
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Google's public keys, fetched when they are needed.
final class KeySetCache: Sendable {
  /// A set of keys with the time for which it counts.
  private struct KeptKeySet: Sendable {
    let keys: WebKeySet
    let received: Date
    /// The time until which nobody asks for another set.
    let freshEnd: Date
    /// The time until which the set serves if there is no other.
    let end: Date

    func isFresh(at date: Date) -> Bool { received <= date && date < freshEnd }
  }

  private struct State {
    var kept: KeptKeySet?
    var lastRequest: Date?
  }

  private let configuration: PushTokenVerifier.Configuration
  private let transport: any HTTPTransport
  private let now: @Sendable () -> Date
  private let state = Locked(State())
  private let flights = SingleFlight<Int, Result<Void, KeySetFailure>>()

  init(
    configuration: PushTokenVerifier.Configuration, transport: any HTTPTransport,
    now: @escaping @Sendable () -> Date
  ) {
    self.configuration = configuration
    self.transport = transport
    self.now = now
  }

  /// Returns the key with an ID.
  func key(id: String) async throws(PushTokenFailure) -> RSAPublicKey {
    let kept = state.withLock { $0.kept }
    let wasFresh = kept?.isFresh(at: now()) ?? false
    if wasFresh, let key = kept?.keys[id] { return key }
    guard let fetched = await flights.value(for: 0, orFrom: { await self.fetch() }) else {
      throw .cancelled
    }
    let now = now()
    if let kept = state.withLock({ $0.kept }), now < kept.end, let key = kept.keys[id] {
      return key
    }
    switch fetched {
    case .success: throw .unknownKey
    // We asked a moment ago, and the keys were current then.
    case .failure(.askedRecently) where wasFresh: throw .unknownKey
    case .failure(let failure): throw .keysUnavailable(failure)
    }
  }

  /// Fetches the keys, unless that was tried a moment ago: whoever sends us tokens must not decide how
  /// often we ask.
  private func fetch() async -> Result<Void, KeySetFailure> {
    let asked = now()
    let interval = configuration.minimumInterval.timeInterval
    let isAllowed = state.withLock { state in
      if let last = state.lastRequest, last <= asked, asked < last.addingTimeInterval(interval) {
        return false
      }
      state.lastRequest = asked
      return true
    }
    guard isAllowed else { return .failure(.askedRecently) }
    do throws(KeySetFailure) {
      let response = try await answer()
      let keys = try WebKeySet(parsing: response.body)
      let freshEnd = asked.addingTimeInterval(
        CacheLifetime.seconds(
          of: response, otherwise: configuration.defaultLifetime.timeInterval))
      let kept = KeptKeySet(
        keys: keys, received: asked, freshEnd: freshEnd,
        end: freshEnd.addingTimeInterval(configuration.outageTolerance.timeInterval))
      state.withLock { $0.kept = kept }
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  private func answer() async throws(KeySetFailure) -> HTTPResponseMessage {
    var request = HTTPRequestMessage(
      url: configuration.keysURL, headers: [.accept: "application/json"],
      timeout: configuration.timeout, responseLimit: WebKeySet.maximumSize)
    request.call = "pushKeys"
    let response: HTTPResponseMessage
    do {
      response = try await transport.send(request)
    } catch {
      throw .transport((error as? HTTPTransportFailure)?.reason ?? .interrupted)
    }
    guard response.status.isSuccess else { throw .status(response.status) }
    return response
  }
}
