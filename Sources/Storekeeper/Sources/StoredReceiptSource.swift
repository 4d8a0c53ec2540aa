internal import PurchaseStorage
internal import ReceiptModels
public import ReceiptVerifier

/// A source that verifies the stored receipt of a purchase with verifyReceipt.
///
/// If Apple refuses the receipt of a cache, the next different receipt behind that cache is tried, and the refused
/// one is removed from the caches. Source: linking rules, section 4.5.
struct StoredReceiptSource: PurchaseSource {
  let tiers: ReceiptTiers
  let evidence: EvidenceVerifier

  /// Apple's purchases of all apps, as the client may accept several.
  var scope: PurchaseScope { PurchaseScope(vendor: .apple) }

  func facts(about purchase: PurchaseReference) async throws -> PurchaseFacts? {
    guard scope.contains(purchase), var found = try await storedReceipt(of: purchase) else {
      return nil
    }
    let server = VerifyReceiptServer.allCases.first { $0.environment == purchase.environment }
    while true {
      do {
        var facts = try await evidence.verified(
          .receipt(found.receipt.receipt), startingAt: server ?? .production
        ).facts.get()
        if found.isStored { facts.storedID = purchase.originalTransactionID }
        return facts
      } catch let failure as EvidenceFailure {
        guard failure.isAboutReceipt,
          let other = try await tiers.otherReceipt(than: found, of: purchase)
        else { throw SubscriptionFailure(failure) }
        await tiers.forget(found.receipt, before: other.tier)
        found = other
      }
    }
  }

  private func storedReceipt(of purchase: PurchaseReference) async throws -> FoundReceipt? {
    do {
      return try await tiers.receipt(of: purchase, from: .first)
    } catch SubscriptionFailure.receiptNotFound {
      return nil
    }
  }
}

extension EvidenceFailure {
  /// Whether the receipt itself was refused as malformed or not authentic, locally or by Apple
  /// (status 21002 or 21003).
  fileprivate var isAboutReceipt: Bool {
    switch self {
    case .verifyReceipt(.refused(.input, _)), .verifyReceipt(.refused(.notAuthenticated, _)),
      .verifyReceipt(.transient(.malformedReceipt, _)):
      true
    default: false
    }
  }
}

extension VerifyReceiptClient.Configuration {
  /// The configuration of a client for a ``SubscriptionService``.
  ///
  /// Purchases of both environments are accepted, because the policy decides which of them may change a membership. A
  /// Sandbox receipt that was sent to Production is verified at the Sandbox, which App Review requires. A Production
  /// receipt is never verified at the Sandbox. Source: linking rules, section 4.1.
  public static var subscriptionService: VerifyReceiptClient.Configuration {
    var configuration = VerifyReceiptClient.Configuration()
    configuration.environments = [.production, .sandbox]
    configuration.fallbacks = [.sandbox]
    return configuration
  }
}
