public import GooglePlayVerifier
public import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A source that asks Google Play about purchases whose tokens are stored, and that makes facts of tokens.
///
/// ```swift
/// let google = PlayPurchaseSource(play, store: store)
/// let subscriptions = try SubscriptionService(
///   store: store, accounts: users, sources: [google], products: products)
///
/// let facts = try await google.facts(ofSubscription: purchaseToken)
/// let membership = try await subscriptions.link("alice", to: facts)
/// ```
///
/// Purchases of Google Play enter the same tables as Apple's. The SHA-256 of the token stands for the original
/// transaction ID, after a word that no identifier of Apple's has. Purchases of license testers count as the
/// Sandbox's. Source: Google Play rules, section 3.1.
public struct PlayPurchaseSource: PurchaseSource {
  public let play: GooglePlayClient

  private let store: any PurchaseStore
  private let now: @Sendable () -> Date

  /// Creates a source for one app; an answer of Google counts from the moment that `now` returned before.
  public init(
    _ play: GooglePlayClient, store: any PurchaseStore,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.play = play
    self.store = store
    self.now = now
  }

  public var scope: PurchaseScope { PurchaseScope(vendor: .google, appID: play.packageName) }

  /// Asks Google about the token of a subscription that somebody sent, and about those of all purchases that it
  /// continues, back to the first, as the owner of any of them owns it.
  ///
  /// - Throws: ``/GooglePlayVerifier/GooglePlayFailure``; ``FactsFailure/empty`` while the first payment is missing,
  ///   or another ``FactsFailure``.
  public func facts(ofSubscription token: String) async throws -> PurchaseFacts {
    try await facts(of: token).withLineage { token in
      do {
        return try await facts(of: token)
      } catch let failure as GooglePlayFailure where failure.saysNothingElse {
        return nil
      } catch is FactsFailure {
        return nil
      }
    }
  }

  /// Asks Google about a token that does not tell whether it is of a subscription or of one-time products.
  func facts(ofToken token: String) async throws -> PurchaseFacts {
    do {
      return try await facts(ofSubscription: token)
    } catch let failure as GooglePlayFailure where failure.kind == .invalid {
      return try await facts(ofProduct: token)
    }
  }

  private func facts(of token: String) async throws -> PurchaseFacts {
    let asked = now()
    return try PurchaseFacts(try await play.subscription(token: token), token: token, asOf: asked)
  }

  /// Asks Google about the token of a purchase of one-time products.
  ///
  /// - Throws: As ``facts(ofSubscription:)``.
  public func facts(ofProduct token: String) async throws -> PurchaseFacts {
    let asked = now()
    return try PurchaseFacts(try await play.product(token: token), token: token, asOf: asked)
  }

  /// Returns the present facts about a stored purchase, or nil if it is not of Google Play, if its token is not
  /// stored, if Google does not know the token in this app, or if its answer has no facts.
  ///
  /// A purchase that Google has forgotten is over. What a stored purchase continues was followed when it came.
  ///
  /// - Throws: ``/GooglePlayVerifier/GooglePlayFailure``, `CancellationError`, or an error of the store.
  public func facts(about purchase: PurchaseReference) async throws -> PurchaseFacts? {
    guard scope.contains(purchase) else { return nil }
    let (id, environment) = (purchase.originalTransactionID, purchase.environment)
    let stored = try await store.read { records in
      try await records.purchases.receipt(of: id, environment: environment)
    }
    guard let token = stored?.receipt else { return nil }
    do {
      return purchase.isSubscription
        ? try await facts(of: token) : try await facts(ofProduct: token)
    } catch let failure as GooglePlayFailure {
      switch failure.kind {
      case .invalid: return nil
      case .gone:
        let asOf = now()
        return try await store.read { records in
          try await PurchaseFacts.ends(of: id, asOf: asOf, in: records)
        }.first { $0.environment == environment }
      case .cancelled: throw CancellationError()
      default: throw failure
      }
    } catch is FactsFailure {
      return nil
    }
  }
}

extension GooglePlayFailure {
  /// Whether Google has nothing to tell about a token, now and later.
  fileprivate var saysNothingElse: Bool { kind == .gone || kind == .invalid }
}
