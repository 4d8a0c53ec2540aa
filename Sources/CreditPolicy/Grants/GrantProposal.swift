internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A user's wish to get the credits of a purchase that Apple signed, or Google Play described.
///
/// ```swift
/// let proposal = GrantProposal(claim: claim, product: products[claim.productCode], purchase: purchase)
/// switch proposal.decision(stored: row, isStarterUsed: false, balance: 100) { … }
/// ```
///
/// That Apple signed the purchase, in an environment and with a quantity that the host accepts, is not
/// checked here (step 4). Source: credit rules, section 2.
public struct GrantProposal: Hashable, Sendable {
  public var claim: GrantClaim
  /// The product with the code that the client named; nil if there is none.
  ///
  /// A product that is not for sale counts as none.
  public var product: CreditProduct?
  public var purchase: CreditPurchase
  /// The account token that the host made for the user; nil if it is not known.
  public var hostToken: UUID?

  /// Creates a proposal.
  public init(
    claim: GrantClaim, product: CreditProduct?, purchase: CreditPurchase, hostToken: UUID? = nil
  ) {
    self.claim = claim
    self.product = product
    self.purchase = purchase
    self.hostToken = hostToken
  }

  /// The first objection that needs no stored record (steps 3, 5 and 6), or nil if there is none.
  public var objection: GrantRefusal? {
    guard let product, product.isEnabled else { return .productNotFound }
    guard let productID = product.productID(at: purchase.vendor),
      productID.isSameText(as: claim.appStoreProductID),
      productID.isSameText(as: purchase.productID)
    else { return .productMismatch }
    guard claim.transactionID.isSameText(as: purchase.transactionID) else {
      return .transactionIDMismatch
    }
    return isTokenFitting ? nil : .appAccountTokenMismatch
  }

  /// Decides by the steps 3 and 5 to 12, in their order; the first one that decides ends the list.
  ///
  /// `isStarterUsed` counts for starter packs only.
  public func decision(
    stored: CreditTransaction?, isStarterUsed: Bool, balance: Int
  ) -> GrantDecision {
    if let refusal = objection { return .refuse(refusal) }
    if let answer = answer(of: stored) { return answer }  // 7 to 9
    guard let product else { return .refuse(.productNotFound) }
    if product.type == .starter, isStarterUsed { return .refuse(.starterIneligible) }  // 10
    let (credits, overflows) = product.credits.multipliedReportingOverflow(by: purchase.quantity)
    // A grant never lowers a balance, whatever quantity the caller let pass.
    guard !overflows, credits >= 1, !balance.addingReportingOverflow(credits).overflow else {  // 11
      return .refuse(.amountOutOfRange)
    }
    return .grant(transaction(granting: credits, of: product, stored: stored))  // 12
  }

  /// The answer of the stored transaction to the steps 7 to 9, or nil if none of them decides.
  private func answer(of stored: CreditTransaction?) -> GrantDecision? {
    guard purchase.revocationDate == nil else { return .refuse(.revoked) }
    guard let stored else { return nil }
    let isSameProduct = stored.purchase.productID.isSameText(as: purchase.productID)
    switch stored.status {
    case .refunded, .revokedPending:
      return .refuse(.revoked)  // 7
    case .granted:
      guard isSameProduct, stored.userID == claim.userID, let event = stored.ledgerEventID else {
        return .refuse(.conflict)  // 9
      }
      return .alreadyGranted(ledgerEventID: event)  // 8, of whatever app
    case .open:
      let isSameApp = stored.purchase.bundleID.isSameText(as: purchase.bundleID)
      return isSameProduct && isSameApp ? nil : .refuse(.conflict)  // 9
    }
  }

  /// Whether the account tokens fit: the client's, the signed one, and the host's.
  private var isTokenFitting: Bool {
    guard let signed = purchase.appAccountToken else { return claim.appAccountToken == nil }
    guard claim.appAccountToken.map({ $0 == signed }) ?? true else { return false }
    return hostToken.map { $0 == signed } ?? true
  }

  private func transaction(
    granting credits: Int, of product: CreditProduct, stored: CreditTransaction?
  ) -> CreditTransaction {
    var transaction = stored ?? CreditTransaction(purchase, status: .open)
    transaction.purchase = purchase
    transaction.status = .granted
    transaction.userID = claim.userID
    transaction.productCode = product.code
    transaction.creditsPerUnit = product.credits
    transaction.credits = credits
    transaction.ledgerEventID = LedgerEventID.purchase(purchase.transactionID)
    return transaction
  }
}

/// A decision about the credits of a purchase.
///
/// Source: credit rules, section 2.
public enum GrantDecision: Hashable, Sendable {
  /// The user gets these credits, and the transaction is stored in the state given.
  case grant(CreditTransaction)
  /// The user has got them; the event is that of the ledger's entry.
  case alreadyGranted(ledgerEventID: String)
  case refuse(GrantRefusal)
}

/// The reason for refusing to grant the credits of a verified purchase, in the order of the checks.
///
/// Source: credit rules, section 2.
@nonexhaustive
public enum GrantRefusal: Hashable, Sendable, CaseIterable {
  /// No product for sale has the code (step 3).
  case productNotFound
  /// The code, the identifier that the client sent and the signed one don't name one product (step 5).
  case productMismatch
  /// The client named another transaction than the signed one (step 6).
  case transactionIDMismatch
  /// The account tokens don't fit (step 6).
  case appAccountTokenMismatch
  /// The purchase was refunded or revoked (step 7).
  case revoked
  /// The customer has not paid yet, as Google Play allows it.
  case pending
  /// Another user owns the transaction, or it is stored with another product or, if nobody got its
  /// credits, with another app (step 9).
  case conflict
  /// The identity has bought a starter pack before (step 10).
  case starterIneligible
  /// The credits or the new balance don't fit in 64 bits (step 11).
  case amountOutOfRange
}
