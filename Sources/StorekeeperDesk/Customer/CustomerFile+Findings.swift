internal import CreditPolicy
internal import EntitlementPolicy
internal import LinkPolicy
internal import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension CustomerFile {
  /// The reasons for what the account has, the most important first.
  ///
  /// The states come from the pure rules of `ReceiptModels` and the policies; here they get words only.
  var findings: [Finding] {
    guard !isEmpty else {
      return [Finding(.notice, DeskText.nothingKnown(account != nil), .linking("1.1"))]
    }
    return membershipFindings + orderFindings + purchases.flatMap(findings(about:))
      + doubleFindings + entitlements.flatMap(findings(in:)) + claimFindings + changeFindings
      + creditFindings
  }

  // MARK: Memberships

  private var membershipFindings: [Finding] {
    guard let held else { return [] }
    let plan = DeskText.plan(held.tier, held.cycle)
    let purchase = purchases.first { held.isIAP && $0.id == held.originalTransactionID }
    guard held.grantsAccess(at: moment) else {
      guard let purchase else {
        return [Finding(.bad, DeskText.membershipEnded(plan, held.accessEnd), .linking("1.5"))]
      }
      if !linkOptions.allowedEnvironments.count(
        purchase.environment, for: account ?? Account(id: id), at: moment)
      {
        return [Finding(.bad, DeskText.sandboxDoesNotCount(plan), .linking("2.2")).about(purchase)]
      }
      return [
        Finding(.bad, DeskText.membershipEnded(plan, held.accessEnd), .linking("1.5")).about(
          purchase)
      ]
    }
    var findings: [Finding] = []
    if let purchase {
      findings.append(
        Finding(
          .good, DeskText.membership(plan, held.accessEnd, restingOn: purchase.vendor),
          .linking("1.5")
        ).about(purchase))
    } else {
      findings.append(
        Finding(
          .good, DeskText.foreignMembership(plan, held.accessEnd, held.payMethod?.rawValue),
          .linking("2.2")))
    }
    return findings
  }

  // MARK: Purchases

  private func findings(about purchase: HeldPurchase) -> [Finding] {
    guard let summary = summary(of: purchase) else { return [] }
    let name = summary.productID
    var findings: [Finding] = []
    func add(_ tone: Finding.Tone, _ sentence: String, _ rule: DeskRule = .appStore("8.1")) {
      findings.append(Finding(tone, sentence, rule).about(purchase))
    }
    switch summary.state {
    case .active(let end):
      add(.good, DeskText.active(name, until: end, willRenew: summary.willRenew))
      if let next = summary.pendingProductID { add(.notice, DeskText.pending(name, next)) }
      if summary.isPriceConsentPending { add(.notice, DeskText.consentPending(name)) }
      if subscriptionIsUnlinked(purchase) {
        add(.bad, DeskText.notLinked(name), .linking("2.2"))
      }
    case .inGracePeriod(let end): add(.notice, DeskText.grace(name, until: end))
    case .inBillingRetry:
      add(.bad, DeskText.billingRetry(name, since: summary.transaction.expiresDate))
    case .expired(let reason):
      add(.bad, DeskText.expired(name, reason, on: summary.transaction.expiresDate))
    case .revoked(let cause), .refunded(let cause):
      let date = summary.transaction.cancellationDate
      add(.bad, DeskText.revoked(name, cause, by: purchase.vendor, on: date))
    case .upgraded: add(.notice, DeskText.upgraded(name))
    case .owned: add(.good, DeskText.owned(name, since: summary.transaction.purchaseDate))
    }
    if summary.state.isEntitled, summary.hasRefundedHistory {
      add(.notice, DeskText.earlierRefund(name))
    }
    for transfer in purchase.transfers {
      let moved = account?.isKnown(as: transfer.owner) ?? (transfer.owner == id)
      findings.append(
        Finding(
          moved ? .good : .bad, DeskText.moved(name, toThis: moved, on: transfer.date),
          .linking("2.4")
        ).about(purchase, leadingTo: moved ? transfer.previousOwner : transfer.owner))
    }
    for claim in purchase.claims where !isOwn(claim.account) {
      findings.append(
        Finding(.notice, DeskText.wantedByOther(name, on: claim.date), .linking("2.2"))
          .about(purchase, leadingTo: claim.account))
    }
    return findings
  }

  private func isOwn(_ other: AccountID) -> Bool { account?.isKnown(as: other) ?? (other == id) }

  private func subscriptionIsUnlinked(_ purchase: HeldPurchase) -> Bool {
    purchase.subscription != nil && purchase.membership == nil
      && linkOptions.allowedEnvironments.count(
        purchase.environment, for: account ?? Account(id: id), at: moment)
  }

  /// Subscriptions that are paid at the same time.
  private var doubleFindings: [Finding] {
    let paid = purchases.compactMap { purchase -> (HeldPurchase, SubscriptionSummary)? in
      guard let summary = summary(of: purchase), summary.state.isEntitled,
        purchase.history?.isSubscription == true
      else { return nil }
      return (purchase, summary)
    }
    guard paid.count > 1 else { return [] }
    let names = paid.map { DeskText.product($0.1.productID, of: $0.0.vendor) }
    return [Finding(.bad, DeskText.paidTwice(names), .linking("2.2")).about(paid[1].0)]
  }

  // MARK: Products and orders

  private func findings(in entitlements: Entitlements) -> [Finding] {
    var findings: [Finding] = []
    if entitlements.isSuspended {
      findings.append(
        Finding(.bad, DeskText.suspended(entitlements.bundleID), .entitlements("4.1")))
    } else if entitlements.isStale {
      findings.append(Finding(.notice, DeskText.stale(entitlements.bundleID), .entitlements("4.1")))
    }
    if !purchases.isEmpty || !entitlements.allowedProducts.isEmpty {
      findings.append(
        Finding(
          entitlements.allowedProducts.isEmpty ? .notice : .good,
          DeskText.allowed(entitlements.allowedProducts, in: entitlements.bundleID),
          .entitlements("5.3")))
    }
    return findings
  }

  private var orderFindings: [Finding] {
    guard let order else { return [] }
    let isValid = moment < order.expiration
    return [
      Finding(
        isValid ? .good : .bad,
        DeskText.order(order.levelName, order.vendor, isValid: isValid, end: order.expiration),
        .entitlements("12"))
    ]
  }

  // MARK: Claims, links and unlinks

  /// Purchases of others for which the account asked.
  private var claimFindings: [Finding] {
    wanted.map { want in
      let name = want.purchase.productID ?? want.purchase.id
      return Finding(
        .bad, DeskText.ownedByOther(name, since: want.date), .linking("2.2")
      ).about(want.purchase, leadingTo: want.purchase.owners.first { !isOwn($0) })
    }
  }

  private var changeFindings: [Finding] {
    changes.compactMap { change in
      guard case .unlink = change.kind, change.date <= moment else { return nil }
      let purchase = purchases.first { $0.id == change.originalTransactionID }
      let name = purchase?.productID ?? change.originalTransactionID ?? ""
      return Finding(.notice, DeskText.unlinked(name, on: change.date), .linking("3.1"))
    }
  }

  // MARK: Credits

  private var creditFindings: [Finding] {
    guard let credits, credits.total > 0 || !credits.packs.isEmpty else { return [] }
    var findings = [
      Finding(
        credits.balance > 0 ? .good : .bad, DeskText.balance(credits.balance), .credits("5"))
    ]
    for entry in credits.entries where entry.booking.changeType == .refund {
      findings.append(
        Finding(
          .bad,
          DeskText.clawedBack(-entry.booking.amount, on: entry.createdDate),
          .credits("6")))
    }
    let spent = credits.entries.filter {
      $0.booking.amount < 0 && $0.booking.changeType != .refund
    }
    if let last = spent.first {
      findings.append(
        Finding(
          .notice,
          DeskText.spent(
            -spent.reduce(0) { $0 + $1.booking.amount }, times: spent.count, last: last.createdDate),
          .credits("5")))
    }
    for pack in credits.packs where pack.status == .revokedPending {
      findings.append(
        Finding(
          .bad, DeskText.revokedPack(pack.purchase.productID), .credits("6")))
    }
    return findings
  }
}
