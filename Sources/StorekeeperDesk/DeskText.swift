internal import LinkPolicy
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The texts of the desk, all in this file, so that a translation changes little else.
enum DeskText {
  static let language = "en"

  // MARK: Words

  static let desk = "Desk"
  static let signIn = "Sign in"
  static let signOut = "Sign out"
  static let token = "Support token"
  static let wrongToken = "This token is not accepted."
  static let find = "Find"
  static let findHint = "Account, e-mail address, transaction or order number"
  static let paste = "Paste a receipt or a signed transaction"
  static let nothingFound = "Nothing is stored under this."
  static let overview = "Overview"
  static let disputes = "Disputes"
  static let parked = "Parked messages"
  static let undecoded = "Undecoded notifications"
  static let acts = "What was done"
  static let customer = "Customer"
  static let purchase = "Purchase"
  static let purchases = "Purchases"
  static let why = "Why"
  static let timeline = "Timeline"
  static let ledger = "Ledger"
  static let history = "History"
  static let charges = "Charges"
  static let none = "None."
  static let earlier = "Earlier"
  static let later = "Later"
  static let rule = "Rule"
  static let reason = "Reason"
  static let doIt = "Do it"
  static let cancel = "Cancel"
  static let otherMoment = "At another moment"
  static let show = "Show"
  static let now = "Now"
  static let date = "Date"
  static let account = "Account"
  static let product = "Product"
  static let state = "State"
  static let amount = "Amount"
  static let balanceWord = "Balance"
  static let kind = "Kind"
  static let number = "Number"
  static let who = "Member"
  static let result = "Result"
  static let environment = "Environment"
  static let transaction = "Transaction"
  static let bought = "Bought"
  static let ends = "Ends"
  static let refundedWord = "Refunded"
  static let skip = "Skip to the content"
  static let payload = "Payload"
  static let transfersWord = "Moves"
  static let from = "From"
  static let to = "To"
  static let asOfWord = "As of"

  static func failure(_ status: Int) -> String {
    switch status {
    case 403: "This is not allowed"
    case 404: "There is no such page"
    case 503: "The desk cannot answer now; try again"
    default: "This did not work (\(status))"
    }
  }

  static func backlog(_ waiting: Int, _ parked: Int) -> String {
    "\(waiting) messages wait to be delivered, \(parked) are parked."
  }

  static func kept(_ count: Int) -> String {
    "\(count == 100 ? "100 or more" : String(count)) notifications could not be decoded."
  }

  static func newDisputes(_ count: Int) -> String {
    "\(count == 100 ? "100 or more" : String(count)) disputes in the last seven days."
  }

  static func notProven(_ reason: String) -> String { "This proves nothing: \(reason)." }

  // MARK: Reasons

  static func nothingKnown(_ isAccount: Bool) -> String {
    isAccount
      ? "No purchase was ever shown for this account, and it asked for none."
      : "The host knows no such account, and nothing is stored under this name."
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
    """
    The membership (\(plan)) gives access\(until(end)). It was paid by \
    \(source ?? "an unknown method"), so that no subscription of a store takes its place \
    before it ends.
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
    "\(product) is paid, and gives this account no membership, because it is not linked."
  }

  static func grace(_ product: String, until end: Date) -> String {
    """
    The renewal of \(product) could not be charged. The store tries again, and lets the \
    customer use it until \(moment(end)).
    """
  }

  static func billingRetry(_ product: String, since date: Date?) -> String {
    """
    The renewal of \(product) could not be charged on \(day(date)). The store tries again for \
    up to 60 days; until it succeeds there is no access.
    """
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
    _ product: String, _ cause: SubscriptionState.RevocationCause, by vendor: Vendor, on date: Date?
  ) -> String {
    switch cause {
    case .familySharing:
      "\(product) was shared by somebody in the family, who stopped sharing it on \(day(date))."
    case .refund(.issueInApp?):
      """
      \(self.vendor(vendor)) refunded \(product) on \(day(date)) for a problem with the app. \
      Access ended with the refund.
      """
    case .refund:
      "\(self.vendor(vendor)) refunded \(product) on \(day(date)). Access ended with the refund."
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

  static func paidTwice(_ products: [String]) -> String {
    """
    Several subscriptions are paid at the same time: \(products.joined(separator: " and ")). \
    The stores do not know of each other; the customer has to end all but one, and ask for a \
    refund there.
    """
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
    """
    Another account asked for \(product) on \(moment(date)), and was refused, because this one \
    has it.
    """
  }

  static func ownedByOther(_ product: String, since date: Date) -> String {
    """
    This account asked for \(product) on \(moment(date)), and was refused, because another \
    account has it.
    """
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

  static func allowed(_ products: [String], in app: String) -> String {
    products.isEmpty
      ? "Nothing may be used in \(app)."
      : "May be used in \(app): \(products.joined(separator: ", "))."
  }

  static func order(_ level: String, _ vendor: Vendor, isValid: Bool, end: Date) -> String {
    isValid
      ? "The order of \(level) at \(self.vendor(vendor)) is valid until \(moment(end))."
      : "The order of \(level) at \(self.vendor(vendor)) ended on \(moment(end))."
  }

  static func balance(_ balance: Int) -> String { "The balance is \(balance) credits." }

  static func clawedBack(_ amount: Int, on date: Date) -> String {
    "\(amount) credits were taken back on \(moment(date)), because the store refunded their pack."
  }

  static func spent(_ amount: Int, times: Int, last: Date) -> String {
    "\(amount) credits were spent in \(times) entries, the last one on \(moment(last))."
  }

  static func revokedPack(_ product: String) -> String {
    "The pack \(product) gives no credits, because the store refunded it before it was claimed."
  }

  // MARK: Acts

  static let notServed = "The host does not serve this."
  static let notParked = "This message is not parked any more."
  static let nothingChanges = "Nothing changes: it is so already."
  static let wouldChange = "This would change"
  static let cannotBeDone = "This cannot be done"
  static let readersOnly = "You may read this, and change nothing."
  static let reasonMissing = "Say why: the reason is recorded."
  static let staleForm =
    """
    Nothing was done: what this form would have changed is not as it was, or the form is too \
    old. Look again.
    """
  static let usedForm = "Nothing was done: this form was sent before."
  static let done = "done"
  static let unknownResult = "not known"

  static func failed(_ reason: String) -> String { "failed: \(reason)" }

  static func act(_ act: DeskAct) -> String {
    let purchase = act.purchase ?? ""
    return switch act.kind {
    case .refresh: "Ask the store about \(purchase)"
    case .link: "Link \(purchase) with this account"
    case .unlink: "Unlink \(purchase) from this account"
    case .dissociate: "Take \(purchase) from this account in \(act.app ?? "")"
    case .book: "Book \(act.amount ?? 0) credits"
    case .resend: "Send message \(act.number ?? 0) again"
    case .discard: "Remove message \(act.number ?? 0)"
    }
  }

  static func willRefresh(_ id: String) -> String {
    "The store is asked how \(id) stands, and what it says is recorded."
  }

  static func willDissociate(_ id: String, _ account: AccountID, _ app: String) -> String {
    "\(id) belongs to \(account.rawValue) in \(app) no more, and whoever shows it next gets it."
  }

  static func willBook(_ amount: Int, balance: Int) -> String {
    "The balance changes from \(balance) to \(balance + amount)."
  }

  static func willResend(_ kind: String) -> String { "The message (\(kind)) is sent again." }

  static func willDiscard(_ kind: String) -> String {
    "The message (\(kind)) is removed, and nobody gets it."
  }

  static func refusal(_ refusal: LinkRefusal) -> String {
    switch refusal {
    case .linkedToOtherAccount: "Another account has the subscription."
    case .linkedToOtherSubscription: "The account has another subscription of a store."
    case .hasValidNonIAP:
      "The account has a valid membership that was not paid by a store, which stays until it ends."
    case .environmentNotAllowed:
      "The subscription is of the Sandbox, which does not count for this account."
    case .expiresEarlier: "The subscription ends before the membership that it would replace."
    case .notLinked: "The subscription is not linked with this account."
    case .accountTokenMismatch: "The subscription was bought in the name of another account."
    }
  }

  /// A change in words; nil for one that nobody sees.
  static func write(_ write: LinkWrite) -> String? {
    switch write {
    case .claim(let id, let owner):
      owner.map { "\(id) belongs to \($0.rawValue)." } ?? "\(id) belongs to nobody."
    case .insert(let row): "A membership is given: \(plan(row.tier, row.cycle))."
    case .update(let row, let previous):
      """
      The membership changes from \(plan(previous.tier, previous.cycle)) to \
      \(plan(row.tier, row.cycle)), with the last day \
      \(row.expireDate.map { "\($0)" } ?? "unknown").
      """
    case .delete(let row): "The membership (\(plan(row.tier, row.cycle))) is removed."
    case .snapshot: "A copy of the membership as it was is kept."
    case .dispute(let id, _): "That this account asked for \(id) is recorded."
    case .archive: "That it was unlinked is recorded."
    case .email: "The customer is told by e-mail."
    }
  }
}
