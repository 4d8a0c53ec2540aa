internal import LinkPolicy
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// The sentences that say why a customer has something or not.

extension DeskText {
  static func nothingKnown(_ isAccount: Bool, hasOrders: Bool) -> String {
    guard !hasOrders else {
      return """
        \(isAccount ? "This page has nothing of the account." : "The host knows no such account.") An ordered \
        subscription that ended is found by its purchase: type in its order number, transaction ID or purchase token.
        """
    }
    return isAccount
      ? """
      Nothing is recorded for this account: no purchase that it showed, and none that it asked \
      for.
      """
      : "The host knows no such account, and nothing is recorded under this name."
  }

  static func membership(
    _ plan: String, _ end: HeldMembership.AccessEnd, restingOn vendor: Vendor
  ) -> String {
    """
    The membership (\(plan)) gives access\(until(end)). It rests on a subscription of \
    \(self.vendor(vendor)).
    """
  }

  static func foreignMembership(
    _ plan: String, _ end: HeldMembership.AccessEnd, _ source: String?
  ) -> String {
    let access = "The membership (\(plan)) gives access\(until(end))."
    guard let source else { return "\(access) It is not known how it was paid." }
    return """
      \(access) It was paid by \(source), so that no subscription of a store takes its place before \
      it ends.
      """
  }

  static func unknownPurchase(_ plan: String, _ end: HeldMembership.AccessEnd) -> String {
    """
    The membership (\(plan)) gives access\(until(end)). It names a subscription of a store that is \
    not stored here.
    """
  }

  private static func until(_ end: HeldMembership.AccessEnd) -> String {
    switch end {
    case .date(let date): " until \(moment(date))"
    case .unreadable: ", as its last day cannot be read"
    case .never: ""
    }
  }

  static func membershipEnded(_ plan: String, _ end: HeldMembership.AccessEnd) -> String {
    switch end {
    case .date(let date):
      "The membership (\(plan)) gives no access any more: it ended on \(moment(date))."
    default: "The membership (\(plan)) gives no access."
    }
  }

  static func sandboxDoesNotCount(_ plan: String) -> String {
    """
    The membership (\(plan)) rests on a purchase of the Sandbox, for which nobody pays and \
    which does not count for this account.
    """
  }

  static func active(_ product: String, until end: Date, willRenew: Bool?) -> String {
    switch willRenew {
    case true: "\(product) is paid until \(moment(end)) and renews by itself."
    case false:
      """
      \(product) is paid until \(moment(end)). The customer has turned renewal off, so that it \
      ends then.
      """
    default: "\(product) is paid until \(moment(end))."
    }
  }

  static func pending(_ product: String, _ next: String) -> String {
    "\(product) renews as \(next), which the customer has chosen."
  }

  static func consentPending(_ product: String) -> String {
    """
    The customer has not agreed yet to the new price of \(product); without that it ends with \
    the paid period.
    """
  }

  static func notLinked(_ product: String) -> String {
    """
    \(product) is paid, and gives this account no membership, because no account is linked \
    with it.
    """
  }

  static func notInUse(_ product: String) -> String {
    """
    \(product) is paid and belongs to this account, and gives it no membership, because another one \
    stands in its place.
    """
  }

  static func membershipElsewhere(_ product: String) -> String {
    "\(product) is paid, and the membership that rests on it is that of another account."
  }

  static func past(_ product: String, wasPaid: Bool, end: Date?) -> String {
    guard let end else { return "\(product) was \(wasPaid ? "bought" : "not bought") then." }
    return wasPaid
      ? "\(product) was paid until \(moment(end))."
      : "\(product) was not paid any more: the last paid period had ended on \(moment(end))."
  }

  static let pastOnly =
    """
    Of the past only the paid times are kept. Memberships, balances and owners are shown as of \
    now.
    """

  static func grace(_ product: String, until end: Date) -> String {
    """
    The renewal of \(product) could not be charged. The store tries again, and lets the \
    customer use it until \(moment(end)).
    """
  }

  static func billingRetry(_ product: String, since date: Date?) -> String {
    """
    The renewal of \(product) could not be charged on \(day(date)). Apple tries again for up to 60 \
    days; until it succeeds there is no access.
    """
  }

  static func endedAtGoogle(_ product: String, on date: Date?) -> String {
    """
    Google says that \(product) gives nothing since \(day(date)): it ended, was paused, is on hold \
    until it is paid, or was refunded.
    """
  }

  /// The end of a subscription that does not renew, which follows from the length that the host gives it.
  static func ended(_ product: String, on date: Date) -> String {
    "\(product) ended on \(day(date)). It does not renew."
  }

  static func expired(
    _ product: String, _ reason: SubscriptionState.ExpirationReason, on date: Date?
  ) -> String {
    let end = "\(product) ended on \(day(date))"
    return switch reason {
    case .customerCancelled: "\(end): the customer had turned renewal off."
    case .billingError: "\(end): the store could not charge the customer."
    case .priceIncrease: "\(end): the customer did not agree to the new price."
    case .productUnavailable: "\(end): the product is not sold any more."
    case .unknown: "\(end), and no renewal is known. The store gave no reason."
    }
  }

  static func revoked(
    _ product: String, _ cause: SubscriptionState.RevocationCause, on date: Date?,
    endedAccess: Bool
  ) -> String {
    let end = endedAccess ? " Access ended with the refund." : ""
    return switch cause {
    case .familySharing:
      "\(product) was shared by somebody else, who stopped sharing it on \(day(date))."
    case .refund(.issueInApp?):
      "Apple refunded \(product) on \(day(date)) for a problem with the app.\(end)"
    case .refund: "Apple refunded \(product) on \(day(date)).\(end)"
    }
  }

  static func upgraded(_ product: String) -> String {
    "\(product) was replaced by another subscription of its group, to which the customer changed."
  }

  static func owned(_ product: String, since date: Date?) -> String {
    "\(product) was bought on \(day(date)), once and for good."
  }

  static func earlierRefund(_ product: String) -> String {
    "An earlier charge of \(product) was refunded; the present one was not."
  }

  static func paidTwice(
    _ products: [String], atSeveralStores: Bool, in app: String?
  ) -> String {
    let paid =
      "Several subscriptions are paid at the same time: \(products.joined(separator: " and "))."
    let stores = atSeveralStores ? " The stores do not know of each other." : ""
    let effect =
      app.map { "Each of them makes the customer a subscriber of \($0)" }
      ?? "One membership rests on one of them"
    return "\(paid)\(stores) \(effect); the customer can end the others at the store."
  }

  static func moved(_ product: String, toThis: Bool, on date: Date) -> String {
    toThis
      ? "\(product) moved to this account on \(moment(date)), because it showed the purchase."
      : """
      \(product) moved to another account on \(moment(date)), because that one showed the \
      purchase.
      """
  }

  static func wantedByOther(_ product: String, on date: Date) -> String {
    "Another account asked for \(product) on \(moment(date)), and did not get it."
  }

  static func notGiven(_ product: String, on date: Date, isOwned: Bool) -> String {
    "This account asked for \(product) on \(moment(date)), and did not get it."
      + (isOwned ? " Another account has it." : "")
  }

  static func unlinked(_ product: String, on date: Date) -> String {
    "\(product) was unlinked from this account on \(moment(date))."
  }

  static func suspended(_ app: String) -> String {
    """
    The store could not be asked about purchases in \(app) for so long that they count for \
    nothing until it answers.
    """
  }

  static func stale(_ app: String) -> String {
    "The store could not be asked about purchases in \(app) lately; what it said last still counts."
  }

  static func subscriber(of app: String, until end: Date) -> String {
    "The account is a subscriber in \(app) until \(moment(end))."
  }

  static func allowed(_ products: [String], in app: String) -> String {
    "May be used in \(app): \(products.joined(separator: ", "))."
  }

  static func nothingAllowed(in app: String) -> String { "Nothing may be used in \(app)." }

  static func order(_ level: String, _ vendor: Vendor, isValid: Bool, end: Date) -> String {
    isValid
      ? "The order of \(level) at \(self.vendor(vendor)) is valid until \(moment(end))."
      : "The order of \(level) at \(self.vendor(vendor)) ended on \(moment(end))."
  }

  static func balance(_ balance: Int) -> String { "The balance is \(balance) credits." }

  static func clawedBack(_ amount: Int, on date: Date) -> String {
    "\(amount) credits were taken back on \(moment(date)), because the store took their pack back."
  }

  static func spent(
    _ amount: Int, times: Int, last: Date, among shown: Int, of total: Int
  ) -> String {
    let place = shown == total ? "" : " among the \(shown) that are shown"
    return """
      \(amount) credits were spent in \(times) entries\(place), the last one on \(moment(last)).
      """
  }
}
