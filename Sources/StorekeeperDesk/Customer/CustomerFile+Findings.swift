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
      let sentence = DeskText.nothingKnown(account != nil, hasOrders: hasOrders)
      return [Finding(.notice, sentence, .linking("1.1"))]
    }
    // Of the past only the dates of charges are kept.
    guard isNow else { return purchases.compactMap(pastFinding) }
    let findings =
      membershipFindings + orderFindings + purchases.flatMap(findings(about:))
      + doubleFindings + entitlements.flatMap(findings(in:)) + claimFindings + changeFindings
      + creditFindings
    return findings.isEmpty ? [Finding(.notice, DeskText.onlyTold, .linking("1.1"))] : findings
  }

  private func pastFinding(of purchase: HeldPurchase) -> Finding? {
    guard let past = purchase.asPaid(at: moment), let summary = summary(of: past) else {
      return nil
    }
    let sentence = DeskText.past(
      summary.productID, wasPaid: summary.isEntitled, end: summary.transaction.expiresDate)
    return Finding(summary.isEntitled ? .good : .notice, sentence, .appStore("8.1")).about(purchase)
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
        purchase.environment, for: holder, at: moment)
      {
        return [Finding(.bad, DeskText.sandboxDoesNotCount(plan), .linking("2.2")).about(purchase)]
      }
      return [
        Finding(.bad, DeskText.membershipEnded(plan, held.accessEnd), .linking("1.5")).about(
          purchase)
      ]
    }
    if let purchase {
      return [
        Finding(
          .good, DeskText.membership(plan, held.accessEnd, restingOn: purchase.vendor),
          .linking("1.5")
        ).about(purchase)
      ]
    }
    let sentence =
      held.isIAP
      ? DeskText.unknownPurchase(plan, held.accessEnd)
      : DeskText.foreignMembership(plan, held.accessEnd, held.payMethod?.rawValue)
    return [Finding(.good, sentence, .linking("2.2"))]
  }

  // MARK: Purchases

  private func findings(about purchase: HeldPurchase) -> [Finding] {
    guard let summary = summary(of: purchase) else { return [] }
    let name = summary.productID
    var findings: [Finding] = []
    func add(_ tone: Finding.Tone, _ sentence: String, _ rule: DeskRule = .appStore("8.1")) {
      findings.append(Finding(tone, sentence, rule).about(purchase))
    }
    let seasonEnd = seasonEnds[Season(productID: name, environment: purchase.environment)]
    let state: DeskRule = purchase.vendor == .google ? .googlePlay("2.1") : .appStore("8.1")
    switch summary.state {
    case .active(let end) where summary.renewal?.isInBillingRetry == true:
      // The end that Google tells has the grace period in it.
      add(.notice, DeskText.grace(name, until: end), state)
    case .active(let periodEnd):
      let end = seasonEnd ?? periodEnd
      add(.good, DeskText.active(name, until: end, willRenew: summary.willRenew), state)
      if let next = summary.pendingProductID { add(.notice, DeskText.pending(name, next)) }
      if summary.isPriceConsentPending { add(.notice, DeskText.consentPending(name)) }
    case .inGracePeriod(let end): add(.notice, DeskText.grace(name, until: end))
    case .inBillingRetry:
      add(.bad, DeskText.billingRetry(name, since: summary.transaction.expiresDate))
    case .expired(let reason):
      if let end = seasonEnd {
        // Until then another purchase of it goes on.
        if end <= moment { add(.bad, DeskText.ended(name, on: end), state) }
      } else {
        add(.bad, DeskText.expired(name, reason, on: summary.transaction.expiresDate), state)
      }
    case .revoked where purchase.vendor == .google, .refunded where purchase.vendor == .google:
      // Google's end, hold and pause have the same form here as a refund.
      add(.bad, DeskText.endedAtGoogle(name, on: summary.transaction.cancellationDate), state)
    case .revoked(let cause), .refunded(let cause):
      let (date, end) = (summary.transaction.cancellationDate, summary.transaction.expiresDate)
      let endedAccess = date.map { $0 < end ?? .distantFuture } ?? true
      add(.bad, DeskText.revoked(name, cause, on: date, endedAccess: endedAccess))
    case .upgraded: add(.notice, DeskText.upgraded(name))
    case .owned: add(.good, DeskText.owned(name, since: summary.transaction.purchaseDate))
    }
    if summary.state.isEntitled, purchase.subscription != nil, let sentence = unlinked(purchase) {
      findings.append(Finding(.bad, sentence, .linking("2.2")).about(purchase))
    }
    if summary.state.isEntitled, summary.hasRefundedHistory, purchase.vendor != .google {
      add(.notice, DeskText.earlierRefund(name))
    }
    if let transfer = purchase.transfers.last, isOwn(transfer.owner) {
      findings.append(
        Finding(.good, DeskText.moved(name, toThis: true, on: transfer.date), .linking("2.4"))
          .about(purchase, leadingTo: transfer.previousOwner))
    }
    for claim in purchase.claims where !isOwn(claim.account) {
      findings.append(
        Finding(.notice, DeskText.wantedByOther(name, on: claim.date), .linking("2.2"))
          .about(purchase, leadingTo: claim.account))
    }
    return findings
  }

  private func isOwn(_ other: AccountID) -> Bool { account?.isKnown(as: other) ?? (other == id) }

  /// The reason why a paid subscription gives the account no membership; nil if it gives one, or need not.
  private func unlinked(_ purchase: HeldPurchase) -> String? {
    guard let subscription = purchase.subscription,
      linkOptions.allowedEnvironments.count(
        purchase.environment, for: holder, at: moment)
    else { return nil }
    let name = subscription.productID
    if let membership = purchase.membership {
      return membership.accountID.map(isOwn) ?? true ? nil : DeskText.membershipElsewhere(name)
    }
    return subscription.owner.map(isOwn) ?? false
      ? DeskText.notInUse(name) : DeskText.notLinked(name)
  }

  /// Subscriptions for the same memberships, or in the same app, that the account pays for at the same time.
  private var doubleFindings: [Finding] {
    let paid = purchases.compactMap { purchase -> (purchase: HeldPurchase, product: String)? in
      guard purchase.environment == .production, let summary = summary(of: purchase),
        case .active = summary.state, summary.transaction.expiresDate != nil,
        !summary.isFamilyShared
      else { return nil }
      return (purchase, DeskText.product(summary.productID, of: purchase.vendor))
    }
    let forMemberships = paid.filter { $0.purchase.subscription != nil }
    var groups = [(app: String?.none, paid: forMemberships, rule: DeskRule.linking("2.2"))]
    for app in entitlements {
      let inApp = paid.filter { $0.purchase.isHeld(by: holder, in: app.bundleID) }
      // Those of memberships are told of already.
      guard forMemberships.count < 2 || inApp.contains(where: { $0.purchase.subscription == nil })
      else { continue }
      groups.append((app.bundleID, inApp, .entitlements("5.1")))
    }
    return groups.filter { $0.paid.count > 1 }.map { group in
      let vendors = Set(group.paid.map { $0.purchase.vendor.rawValue })
      let sentence = DeskText.paidTwice(
        group.paid.map(\.product), atSeveralStores: vendors.count > 1, in: group.app)
      return Finding(.bad, sentence, group.rule).about(group.paid[1].purchase)
    }
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
    if entitlements.isSubscriber, let standing = entitlements.subscription {
      findings.append(
        Finding(
          .good, DeskText.subscriber(of: entitlements.bundleID, until: standing.accessEndDate),
          .entitlements("5.1")))
    }
    let products = entitlements.allowedProducts
    if !products.isEmpty {
      findings.append(
        Finding(
          .good, DeskText.allowed(products, in: entitlements.bundleID), .entitlements("5.3")))
    } else if !entitlements.isSubscriber,
      purchases.contains(where: { $0.isHeld(by: holder, in: entitlements.bundleID) })
    {
      findings.append(
        Finding(.notice, DeskText.nothingAllowed(in: entitlements.bundleID), .entitlements("5.3")))
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

  /// Purchases that the account asked for and does not have.
  private var claimFindings: [Finding] {
    wanted.map { want in
      let name = want.purchase.productID ?? want.purchase.id
      let owner = want.purchase.owners.first
      let rule: DeskRule =
        want.purchase.subscription == nil ? .entitlements("7") : .linking("2.2")
      return Finding(
        .bad, DeskText.notGiven(name, on: want.date, isOwned: owner != nil), rule
      ).about(want.purchase, leadingTo: owner)
    }
  }

  /// Subscriptions that the account lost: by an unlink, or to another account that showed them.
  private var changeFindings: [Finding] {
    changes.compactMap { change in
      guard let id = change.originalTransactionID else { return nil }
      let purchase = purchases.first { $0.id == id }
      let name = purchase?.productID ?? id
      var finding: Finding
      switch change.kind {
      case .unlink:
        finding = Finding(.notice, DeskText.unlinked(name, on: change.date), .linking("3.1"))
      case .snapshot(_, .transfer) where purchase == nil:
        finding = Finding(
          .bad, DeskText.moved(name, toThis: false, on: change.date), .linking("2.4"))
      default: return nil
      }
      finding.purchase = (id, purchase?.environment ?? .production)
      return finding
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
          .bad, DeskText.clawedBack(-entry.booking.amount, on: entry.createdDate), .credits("6")))
    }
    let spent = credits.entries.filter {
      $0.booking.amount < 0 && $0.booking.changeType != .refund
    }
    if let last = spent.first {
      let sum = -spent.reduce(0) { $0 + $1.booking.amount }
      findings.append(
        Finding(
          .notice,
          DeskText.spent(
            sum, times: spent.count, last: last.createdDate, among: credits.entries.count,
            of: credits.total), .credits("5")))
    }
    return findings
  }
}
