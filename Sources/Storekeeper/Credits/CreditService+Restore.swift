internal import CreditPolicy
internal import JWSVerifier
internal import PurchaseStorage
internal import ReceiptModels

// The credits of purchases that a lost database had, from what Apple signed, and what Google answers.
extension CreditService {
  /// The outcome of bringing the credits of a purchase up to what a store says.
  enum Restoration: Hashable, Sendable {
    /// The product is none of the host's, or the purchase was taken back before credits were given.
    case none
    case unchanged
    case granted(Int)
    /// A refund took effect of which no notification had told.
    case takenBack
    /// The reversal of a refund took effect of which no notification had told.
    case givenBack
    /// The app named no account in the purchase, or the host knows none for it.
    case ownerless
    case refused(CreditFailure)

    /// Whether credits that were bought could not be given.
    var isFault: Bool {
      switch self {
      case .ownerless, .refused: true
      default: false
      }
    }
  }

  /// Gives the credits of a purchase to the account that the app named in it, once, or takes them back.
  ///
  /// What was given before is not given again, whoever has it: the ledger has one entry for each purchase.
  ///
  /// - Throws: ``CreditFailure`` that may pass, or an error of the host's accounts or the store.
  func restore(_ transaction: Verified<Transaction>) async throws -> Restoration {
    guard let purchase = CreditPurchase(transaction, at: now()) else { return .none }
    let stored = try await store.read { records in
      try await records.creditTransactions.find(
        transactionID: purchase.transactionID, environment: purchase.environment)
    }
    // What was given is taken back also where the product has left the mapping.
    let isSold = products.contains(appStoreProductID: purchase.productID)
    guard stored != nil || isSold else { return .none }
    let isRevoked = purchase.revocationDate != nil
    switch stored?.status {
    case .granted:
      guard isRevoked else { return .unchanged }
      return try await follow(transaction, purchase, as: .refund) ? .takenBack : .unchanged
    case .refunded where isRevoked:
      guard options.partialRefunds == .share else { return .unchanged }
      return try await follow(transaction, purchase, as: .refund) ? .takenBack : .unchanged
    case .refunded:
      return try await follow(transaction, purchase, as: .refundReversed) ? .givenBack : .unchanged
    case .revokedPending where !isRevoked:
      // A failed renewal may have taken it, which no date tells.
      guard transaction.payload.type != .autoRenewableSubscription else { return .none }
      _ = try await follow(transaction, purchase, as: .refundReversed)
    case .revokedPending, .open, nil: break
    }
    guard !isRevoked, isSold else { return .none }
    guard let token = purchase.appAccountToken,
      let owner = try await accounts.account(appAccountToken: token)
    else { return .ownerless }
    let product = products.enabled.first {
      $0.appStoreProductID.isSameText(as: purchase.productID)
    }
    guard let product else { return .refused(.refused(.productNotFound)) }
    return try await outcome { try await grant(transaction, of: product.code, to: owner.id) }
  }

  /// Follows Google's present answer about a purchase, and gives each pack of it to the account that the app named in the
  /// purchase, once; nil if it is of no one-time product.
  ///
  /// - Throws: `GooglePlayFailure` if Google could not be asked, ``CreditFailure`` that may pass, or an error of the
  ///   host's accounts or the store.
  func restore(purchaseToken token: String) async throws -> RestoredPurchase? {
    guard let purchases = try await present(token) else { return nil }
    let followed = try await follow(purchases)
    var restored = RestoredPurchase(isOfCredits: followed.isOfCredits)
    for outcome in followed.outcomes {
      switch outcome {
      case .clawedBack: restored.credits.note(.takenBack)
      case .restored: restored.credits.note(.givenBack)
      default: break
      }
    }
    guard let facts = purchases.facts else { return restored }
    for item in purchases.items { restored.credits.note(try await restore(item, of: facts)) }
    return restored
  }

  private func restore(
    _ item: PlayCreditPurchases.Item, of facts: PurchaseFacts
  ) async throws -> Restoration {
    let purchase = item.purchase
    guard products.contains(purchase.productID, at: .google) else { return .none }
    let stored = try await store.read { records in
      try await records.creditTransactions.find(
        transactionID: purchase.transactionID, environment: purchase.environment)
    }
    switch stored?.status {
    case .granted, .refunded: return .unchanged
    case .revokedPending, .open, nil: break
    }
    guard item.givesCredits(options.partialRefunds) else { return .none }
    guard let mark = facts.accountMark, let owner = try await accounts.account(markedBy: mark)
    else { return .ownerless }
    let product = products.enabled.first {
      $0.googlePlayProductID?.isSameText(as: purchase.productID) ?? false
    }
    guard let product else { return .refused(.refused(.productNotFound)) }
    return try await outcome { try await grant(item, of: facts, product, to: owner.id) }
  }

  /// Returns the outcome of a grant, or of its refusal.
  private func outcome(
    of grant: nonisolated(nonsending) () async throws -> CreditGrant
  ) async throws -> Restoration {
    do {
      let grant = try await grant()
      return grant.status == .granted ? .granted(grant.creditsAdded) : .unchanged
    } catch let failure as CreditFailure {
      switch failure {
      case .revocationUnknown, .conflict: throw failure
      default: return .refused(failure)
      }
    }
  }

  /// Carries out what the signed transaction itself says of a refund, as a notification of the type would; returns
  /// false if the host takes no credits back for it.
  private func follow(
    _ transaction: Verified<Transaction>, _ purchase: CreditPurchase, as type: NotificationType
  ) async throws -> Bool {
    guard let effect = CreditNotice.effect(of: type, clawbackTypes: options.clawbackTypes) else {
      return false
    }
    let notice = CreditNotice(
      type: type, notificationUUID: "", signedDate: (transaction.signedDate ?? now()).stamp,
      purchase: purchase, revocationReason: transaction.payload.revocationReason,
      revocationPercentage: transaction.payload.revocationPercentage)
    return try await retrying {
      try await store.write { records in
        let stored = try await records.creditTransactions.find(
          transactionID: purchase.transactionID, environment: purchase.environment)
        let outcome = try await carryOut(notice, effect, about: stored, in: records)
        return [.clawedBack, .restored].contains(outcome)
      }
    }
  }
}

/// What a rebuild did for a purchase at Google Play.
struct RestoredPurchase: Sendable {
  /// Whether all products are ones of credits.
  let isOfCredits: Bool
  var credits = CreditRestorations()
}

/// The numbers of purchases whose credits were given again, by outcome.
struct CreditRestorations: Hashable, Sendable {
  var granted = 0
  /// The credits that were given.
  var credits = 0
  var takenBack = 0
  var givenBack = 0
  var ownerless = 0
  var refused = 0

  mutating func note(_ restoration: CreditService.Restoration) {
    switch restoration {
    case .none, .unchanged: break
    case .granted(let credits):
      granted += 1
      self.credits += credits
    case .takenBack: takenBack += 1
    case .givenBack: givenBack += 1
    case .ownerless: ownerless += 1
    case .refused: refused += 1
    }
  }
}
