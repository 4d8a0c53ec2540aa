internal import CreditPolicy
internal import GooglePlayVerifier
internal import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// Credits that Google Play sells, as one-time products.
//
// Source: credit rules, section 11.
extension CreditService {
  /// Gives a user the credits of a one-time product of Google Play, once; they may have been given before.
  ///
  /// Google is asked about the purchase, and its answer decides. A new grant leaves a message in the outbox
  /// (`google_consumption`), so that ``AcknowledgementDelivery`` consumes the product, which can be bought again then.
  /// A purchase that is not paid yet gets no credits. Source: credit rules, section 11.
  ///
  /// - Parameters:
  ///   - purchaseToken: The purchase token, as the app got it from Google Play Billing.
  ///   - code: The host's code of the product.
  ///   - productID: The identifier of the product that the client named; nil for that of the code.
  ///   - userID: The user.
  /// - Returns: The grant, new or made before, with the balance.
  /// - Throws: ``CreditFailure``, or an error of the host's accounts or the store.
  public func grant(
    purchaseToken: String, of code: String, productID: String? = nil, to userID: AccountID
  ) async throws -> CreditGrant {
    guard let googlePlay else { throw CreditFailure.googlePlayNotServed }
    guard let product = products[code] else { throw CreditFailure.refused(.productNotFound) }
    guard let soldID = product.googlePlayProductID, productID?.isSameText(as: soldID) ?? true
    else { throw CreditFailure.refused(.productMismatch) }
    guard StoredText.fits(purchaseToken, .orderReceipt) else { throw CreditFailure.payloadInvalid }
    let purchases = try await purchases(
      of: purchaseToken, at: googlePlay, telling: context.telemetry)
    guard let facts = purchases.facts else {
      throw purchases.isPending ? CreditFailure.refused(.pending) : CreditFailure.payloadInvalid
    }
    guard let item = purchases.items.first(where: { $0.purchase.productID.isSameText(as: soldID) })
    else { throw CreditFailure.refused(.productMismatch) }
    return try await grant(item, of: facts, product, to: userID)
  }

  /// Gives a user the credits of a product in an answer of Google's, once.
  func grant(
    _ item: PlayCreditPurchases.Item, of facts: PurchaseFacts, _ product: CreditProduct,
    to userID: AccountID
  ) async throws -> CreditGrant {
    let environments = try await environments(for: userID)
    guard environments.count(facts.environment, for: nil) else {
      throw CreditFailure.environmentNotAllowed(facts.environment)
    }
    if let mark = facts.accountMark, let owner = try await accounts.account(markedBy: mark),
      !owner.isKnown(as: userID)
    {
      throw CreditFailure.refused(.appAccountTokenMismatch)
    }
    var proposal = GrantProposal(
      claim: GrantClaim(
        userID: userID, productCode: product.code, appStoreProductID: item.purchase.productID,
        transactionID: item.purchase.transactionID), product: product, purchase: item.purchase)
    let notice = item.refund(asOf: facts.asOf)
    // Of a purchase that is refunded in part, a host that takes the whole back gives nothing.
    if item.givesCredits(options.partialRefunds) { proposal.purchase.revocationDate = nil }
    if let objection = proposal.objection { throw CreditFailure.refused(objection) }
    do {
      return try await grant(proposal, product, facts, notice)
    } catch CreditFailure.refused(.revoked) where notice == nil {
      // What is stored is older than Google's answer.
      let reversal = item.reversal(asOf: facts.asOf)
      try await retrying {
        try await store.write { try await follow(reversal, .restoration, in: $0) }
      }
      return try await grant(proposal, product, facts, notice)
    }
  }

  private func grant(
    _ proposal: GrantProposal, _ product: CreditProduct, _ facts: PurchaseFacts,
    _ notice: CreditNotice?
  ) async throws -> CreditGrant {
    let (purchase, userID, now) = (proposal.purchase, proposal.claim.userID, now())
    return try await carryOut(proposal, product, facts: facts) { grant, records in
      try await keepToken(of: facts, in: records)
      try await records.outbox.add(
        OutboxMessage(
          kind: .googleConsumption, account: Account(id: userID),
          originalTransactionID: purchase.originalTransactionID,
          reference: purchase.transactionID), now: now)
      guard let notice else { return grant.newBalance }
      try await follow(notice, .clawback, in: records)
      return try await records.creditLedger.balance(of: userID)
    }
  }

  /// Follows Google's present answer about a purchase, and returns whether all its products are ones of credits.
  ///
  /// Credits of units that are refunded are taken back, and given again if Google no longer says so. A purchase that
  /// is stored concerns credits also if its product is no longer in the list.
  ///
  /// - Throws: `GooglePlayFailure` if Google could not be asked, or an error of the store.
  package func follow(purchaseToken token: String) async throws -> Bool {
    guard let purchases = try await present(token) else { return false }
    return try await follow(purchases).isOfCredits
  }

  /// Returns Google's present answer about a token; nil if it is of no one-time product.
  ///
  /// - Throws: `GooglePlayFailure` if Google could not be asked.
  func present(_ token: String) async throws -> PlayCreditPurchases? {
    guard let googlePlay, StoredText.fits(token, .orderReceipt) else { return nil }
    do {
      return try await purchases(of: token, at: googlePlay)
    } catch CreditFailure.purchaseNotFound {
      return nil
    } catch CreditFailure.googlePlayUnavailable(let failure) {
      throw failure
    }
  }

  /// Follows an answer of Google's in one unit of work.
  func follow(_ purchases: PlayCreditPurchases) async throws -> FollowedPurchases {
    let products = products
    guard let facts = purchases.facts else {
      return FollowedPurchases(
        isOfCredits: purchases.productIDs.allSatisfy { products.contains($0, at: .google) })
    }
    let counts = options.environments.countForSomebody(facts.environment)
    return try await retrying {
      try await store.write { records in
        var followed = FollowedPurchases(isOfCredits: !purchases.items.isEmpty)
        for item in purchases.items {
          let stored = try await records.creditTransactions.find(
            transactionID: item.purchase.transactionID, environment: item.purchase.environment)
          guard stored != nil || products.contains(item.purchase.productID, at: .google) else {
            followed.isOfCredits = false
            continue
          }
          guard counts else { continue }
          if let notice = item.refund(asOf: facts.asOf) {
            guard options.clawbackTypes.contains(.refund) else { continue }
            followed.outcomes.append(
              try await carryOut(notice, .clawback, about: stored, in: records))
          } else if stored?.status == .refunded || stored?.status == .revokedPending {
            followed.outcomes.append(
              try await carryOut(
                item.reversal(asOf: facts.asOf), .restoration, about: stored, in: records))
          }
        }
        if followed.isOfCredits, counts {
          try await facts.keepPurchases(in: records, now: now())
          try await keepToken(of: facts, in: records)
        }
        return followed
      }
    }
  }

  /// Keeps the token, with which Google can be asked again after a loss.
  private func keepToken(of facts: PurchaseFacts, in records: UnitOfWork) async throws {
    guard let token = facts.receipt, let id = facts.originalTransactionIDs.first else { return }
    try await records.purchases.put(
      StoredReceipt(
        originalTransactionID: id, environment: facts.environment, receipt: token,
        asOf: facts.asOf), now: now())
  }

  private func follow(
    _ notice: CreditNotice, _ effect: CreditNotice.Effect, in records: UnitOfWork
  ) async throws {
    let stored = try await records.creditTransactions.find(
      transactionID: notice.purchase.transactionID, environment: notice.purchase.environment)
    try await carryOut(notice, effect, about: stored, in: records)
  }

  /// Asks Google about a token; a port is told only of one that a client handed over, as any other may be of another kind.
  private func purchases(
    of token: String, at play: GooglePlayClient, telling telemetry: (any Telemetry)? = nil
  ) async throws -> PlayCreditPurchases {
    let asked = now()
    do throws(GooglePlayFailure) {
      let answer = try await telemetry.verifyingToken {
        () async throws(GooglePlayFailure) in try await play.product(token: token)
      }
      return PlayCreditPurchases(
        answer, token: token, packageName: play.packageName, asOf: asked)
    } catch {
      switch error.kind {
      case .invalid, .gone: throw CreditFailure.purchaseNotFound(error)
      case .cancelled: throw CancellationError()
      default: throw CreditFailure.googlePlayUnavailable(error)
      }
    }
  }
}

/// What following an answer of Google's did.
struct FollowedPurchases: Sendable {
  /// Whether all products are ones of credits.
  var isOfCredits: Bool
  var outcomes: [NoticeOutcome] = []
}

/// The products of a purchase at Google Play, as far as credits need them.
struct PlayCreditPurchases: Sendable {
  /// The facts; nil of a purchase that was not paid, or that can't be stored.
  let facts: PurchaseFacts?
  let isPending: Bool
  let productIDs: [String]
  let items: [Item]

  struct Item: Sendable {
    let purchase: CreditPurchase
    /// The units that are refunded; all of a purchase that was canceled.
    let refundedUnits: Int
    let isCancelled: Bool

    /// Whether there are credits to give: not of a purchase that is refunded, unless the rest of it counts.
    func givesCredits(_ rule: PartialRefundRule) -> Bool {
      refundedUnits == 0 || (rule == .share && !isCancelled)
    }

    /// The news that units are refunded; nil if none is.
    func refund(asOf: Date) -> CreditNotice? {
      refundedUnits > 0 ? notice(.refund, refundedUnits, asOf) : nil
    }

    func reversal(asOf: Date) -> CreditNotice { notice(.refundReversed, nil, asOf) }

    private func notice(_ type: NotificationType, _ units: Int?, _ asOf: Date) -> CreditNotice {
      CreditNotice(
        type: type, notificationUUID: "", signedDate: asOf, purchase: purchase,
        refundedUnits: units)
    }
  }

  init(_ answer: ProductPurchaseV2, token: String, packageName: String, asOf: Date) {
    let facts = try? PurchaseFacts(answer, token: token, asOf: asOf)
    let isCancelled = answer.purchaseState == .cancelled
    self.facts = facts
    isPending = answer.purchaseState == .pending
    productIDs = answer.productLineItems.map(\.productID)
    items = (facts?.purchases ?? []).compactMap { record in
      guard let environment = record.environment, record.quantity >= 1,
        let item = answer.productLineItems.last(where: {
          $0.productID.isSameText(as: record.productID)
        })
      else { return nil }
      let left = item.productOfferDetails?.refundableQuantity ?? record.quantity
      let refunded = isCancelled ? record.quantity : record.quantity - left
      return Item(
        purchase: CreditPurchase(
          environment: environment, transactionID: record.transactionID,
          originalTransactionID: record.originalTransactionID, bundleID: packageName,
          productID: record.productID, quantity: record.quantity,
          purchaseDate: record.purchaseDate ?? asOf, revocationDate: refunded > 0 ? asOf : nil),
        refundedUnits: min(max(0, refunded), record.quantity), isCancelled: isCancelled)
    }
  }
}
