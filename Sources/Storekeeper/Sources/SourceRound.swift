internal import AppStoreServerAPI
internal import GooglePlayVerifier
internal import HTTPMessages
internal import PurchaseStorage
internal import ReceiptModels
internal import ReceiptVerifier
internal import StorekeeperLocks

/// Questions to the sources of purchases, of which one that is down is asked no further.
///
/// What fails is a source, never a vendor: the next one whose scope contains the purchase is asked. Source:
/// entitlement rules, section 9.
final class SourceRound: Sendable {
  /// The part of the failures after which a source is asked about no further purchase.
  enum Limit: Sendable {
    /// Those that would most likely repeat for every other purchase, such as an outage or a refused key.
    case outages
    /// Those alone that somebody has to mend: a wrong shared secret.
    case wrongSecrets
    case none
  }

  private let sources: [any PurchaseSource]
  private let limit: Limit
  private let report: @Sendable (ServiceIncident) -> Void
  /// The failures of sources that are down, by their places.
  private let down = Locked<[Int: SubscriptionFailure]>([:])

  init(
    _ sources: [any PurchaseSource], stoppingAt limit: Limit = .none,
    report: @escaping @Sendable (ServiceIncident) -> Void
  ) {
    self.sources = sources
    self.limit = limit
    self.report = report
  }

  var isOver: Bool { !sources.isEmpty && down.withLock { $0.count } == sources.count }

  /// Returns the facts of the first source that can answer, or nil if none can.
  ///
  /// - Throws: If nobody answered and a source failed, its ``SubscriptionFailure``, of several the first outage;
  ///   ``SourcesNotAsked`` if all that might have answered are down; `CancellationError`; or an error of the store.
  func facts(about purchase: PurchaseReference) async throws -> PurchaseFacts? {
    var failures: [SubscriptionFailure] = []
    var isDown = false
    for (place, source) in sources.enumerated() where source.scope.contains(purchase) {
      guard down.withLock({ $0[place] }) == nil else {
        isDown = true
        continue
      }
      do {
        guard let facts = try await source.facts(about: purchase) else { continue }
        facts.incidents.forEach(report)
        return facts
      } catch SubscriptionFailure.notRecorded(.empty) {
        // An answer: there is nothing to record.
        throw SubscriptionFailure.notRecorded(.empty)
      } catch let failure as SubscriptionFailure {
        failures.append(failure)
        note(failure, failure, at: place)
      } catch let failure as StorageFailure {
        throw failure
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        var scope = source.scope
        scope.environment = scope.environment ?? purchase.environment
        report(.sourceFailed(error, of: scope))
        failures.append(.sourceFailed)
        note(.sourceFailed, error, at: place)
      }
    }
    if let failure = failures.first(where: \.isOutage) { throw failure }
    if isDown { throw SourcesNotAsked() }
    if let failure = failures.first { throw failure }
    return nil
  }

  private func note(_ failure: SubscriptionFailure, _ error: any Error, at place: Int) {
    let isDown =
      switch limit {
      case .outages: error.isOfWholeSource
      case .wrongSecrets: failure.isWrongSecret
      case .none: false
      }
    if isDown { down.withLock { $0[place] = failure } }
  }
}

/// All sources that might have answered a question are down, so that none was asked.
struct SourcesNotAsked: Error {}

extension SubscriptionFailure {
  /// Whether a source could not be reached or could not answer.
  ///
  /// Source: entitlement rules, section 4.1.
  var isOutage: Bool {
    guard case .verification(let failure) = self else { return true }
    switch failure {
    case .refused, .transient(.malformedReceipt, _), .transient(.receiptMissing, _): return false
    case .transient: return true
    }
  }

  /// Whether Apple refused the shared secret.
  fileprivate var isWrongSecret: Bool {
    if case .verification(.transient(.sharedSecretMismatch, _)) = self { true } else { false }
  }
}

extension Error {
  /// Whether the error of a source would most likely repeat for every other purchase.
  fileprivate var isOfWholeSource: Bool {
    switch self {
    case let failure as SubscriptionFailure:
      if case .verification = failure { failure.isOutage } else { false }
    case let failure as AppStoreServerFailure: failure.isOfWholeSource
    case let failure as GooglePlayFailure: failure.isOfWholeSource
    default: false
    }
  }
}

extension VerifyReceiptFailure {
  fileprivate var isOfWholeSource: Bool {
    guard case .transient(let failure, _) = self else { return false }
    switch failure {
    case .transport, .timeUp, .serverUnavailable, .sharedSecretMismatch: return true
    case .httpStatus(let status, _): return status == .tooManyRequests || status.code >= 500
    default: return false
    }
  }
}

extension AppStoreServerFailure {
  fileprivate var isOfWholeSource: Bool {
    switch reason {
    case .keyUnavailable, .signing, .transport, .timeUp, .limited: return true
    case .refused:
      let code = status?.code ?? 0
      return [401, 403, 429].contains(code) || code >= 500
    default: return false
    }
  }
}

extension GooglePlayFailure {
  fileprivate var isOfWholeSource: Bool {
    switch self {
    case .accessToken, .unauthorized, .permissionDenied, .projectNotLinked, .accessNotConfigured,
      .forbidden, .quotaExceeded, .backendError, .transport:
      true
    default: false
    }
  }
}
