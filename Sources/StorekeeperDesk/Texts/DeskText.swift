internal import AppStoreServerAPI
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The texts of the desk, all in this type, so that a translation changes nothing else.
enum DeskText {
  static let language = "en"

  // MARK: Words

  static let desk = "Desk"
  static let signIn = "Sign in"
  static let signOut = "Sign out"
  static let token = "Support token"
  static let wrongToken = "This token is not accepted."
  static let find = "Find"
  static let findHint = "Account, transaction, order, or address of a starter pack"
  static let paste = "Paste a receipt or a signed transaction"
  static let nothingFound = "Nothing is stored under this."
  static let overview = "Overview"
  static let disputes = "Disputes"
  static let disputesInApps =
    "Of memberships. Claims to purchases in apps are on the pages of their accounts."
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
  static let cut = "The account has more purchases than are shown."
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

  static func orMore(_ count: Int) -> String { "\(count) or more" }

  static func parked(_ count: String) -> String { "\(count) messages are parked." }

  static func waiting(since date: Date?) -> String {
    date.map { "The oldest message that waits to be delivered was written on \(moment($0))." }
      ?? "No message waits to be delivered."
  }

  static func kept(_ count: String) -> String { "\(count) notifications could not be decoded." }

  // MARK: Events and messages

  static let onlyTold = "The account has nothing now. What it was told is below."
  static let events = "Events"
  static let messages = "E-mails and other messages"
  static let content = "Content"

  static func state(of message: KeptMessage) -> String {
    if let date = message.sentDate { return "sent on \(moment(date))" }
    return message.parkedDate.map { "parked since \(moment($0))" } ?? "waits"
  }

  // MARK: Overviews

  static let day = "The last 24 hours"
  static let eventsByHour = "Events by hour (UTC)"
  static let eventsByType = "Events by type"
  static let noEvents = "No events were recorded. The host may keep none."
  static let money = "Money"
  static let activeByMonth = "Active subscriptions at the end of each month"
  static let noFigures = "The host keeps no figures of money."
  static let productsWord = "Products"
  static let subscriptions = "Subscriptions"
  static let packs = "Packs of credits"
  static let plan = "Plan"
  static let creditsWord = "Credits"
  static let questions = "Questions about refunds"
  static let deadline = "Until"
  static let answer = "Answer"
  static let decision = "Decision"
  static let preference = "The decision that you prefer"
  static let noPreference = "None"
  static let delivered = "Was it delivered?"
  static let consumed = "The part that was used, in percent"
  static let sample = "The customer could try it before"
  static let consent = "The customer consented to it that Apple is told"
  static let answerIt = "Answer"
  static let next = "Next"
  static let waitingQuestions = "Questions about refunds that wait"
  static let workers = "Workers"
  static let job = "Job"
  static let place = "Place"
  static let lease = "Lease"
  static let lastStep = "Last step"
  static let free = "free"
  static let notificationsWord = "Notifications of Apple's"
  static let askApple = "Ask Apple for its notifications"
  static let noNotifications = "Apple knows of no notification about this in its history."
  static let moreNotifications = "There are more, which are not shown."
  static let noAnswerOfApple = "Apple could not be asked; try again."
  static let attempts = "Attempts"
  static let noSourceFails = "No source is known to fail."

  static func newestEvents(_ count: Int) -> String { "The newest \(count) events are counted." }

  static func sourceFails(_ source: FailingSource) -> String {
    let names = [
      source.scope.vendor.map(vendor), source.scope.appID, source.scope.environment?.rawValue,
    ]
    let name = names.compactMap(\.self).joined(separator: ", ")
    return "\(name) has not answered since \(moment(source.since))."
  }

  static func questionsWait(_ count: String) -> String {
    "\(count) questions of the stores about refunds wait for an answer."
  }

  static func asks(_ question: ConsumptionCase) -> String {
    let reason = question.reason.map { " The reason it gives: \($0)." } ?? ""
    return """
      \(vendor(question.vendor)) asks about \(question.transactionID), and waits until \
      \(moment(question.deadline)).\(reason)
      """
  }

  /// The lease of a job: until when somebody works on it, or since when a worker has been gone that did not give it back.
  static func lease(_ end: Date?, at now: Date) -> String {
    guard let end else { return free }
    return now < end ? "held until \(moment(end))" : "lost at \(moment(end))"
  }

  static func catalog(_ count: Int, warnings: Int) -> String {
    "\(count) products, \(warnings) warnings."
  }

  static func bytes(_ count: Int) -> String { "\(count) bytes" }

  static let appleSilent = "Apple could not be asked about this order number; try again."

  static func notProven(_ reason: String) -> String { "This proves nothing: \(reason)." }

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
  static let usedForm = "This form was sent before"
  static let done = "done"
  static let unknownResult = "not known"

  static func failed(_ reason: String) -> String { "failed: \(reason)" }

  static func act(_ act: DeskAct) -> String {
    let purchase = act.purchase ?? ""
    return switch act.kind {
    case .refresh: "Ask the store about \(purchase)"
    case .reconcile: "Read the whole history of \(purchase) from Apple"
    case .restore: "Ask the stores about all purchases in \(act.app ?? "")"
    case .link: "Link \(purchase) with this account"
    case .unlink: "Unlink \(purchase) from this account"
    case .dissociate: "Take \(purchase) from this account in \(act.app ?? "")"
    case .book: "Book \(act.amount ?? 0) credits"
    case .answer: "Answer a question about a refund"
    case .resend: "Send message \(act.number ?? 0) again"
    case .discard: "Remove message \(act.number ?? 0)"
    case .erase: "Erase this account"
    }
  }

  static func willRefresh(_ id: String) -> String {
    "The store is asked how \(id) stands, and what it says is recorded."
  }

  static func willReconcile(_ id: String) -> String {
    """
    Apple is asked for all that the customer of \(id) ever bought: what was missed is added, and refunds take \
    effect. Nobody gets a purchase by it.
    """
  }

  static func willRestore(_ account: AccountID, _ app: String) -> String {
    "The stores are asked how all purchases of \(account.rawValue) in \(app) stand, and what they say is recorded."
  }

  static func willDissociate(_ id: String, _ account: AccountID, _ app: String) -> String {
    "\(id) belongs to \(account.rawValue) in \(app) no more, and whoever shows it next gets it."
  }

  static func willBook(_ amount: Int, balance: Int) -> String {
    "The balance changes from \(balance) to \(balance + amount)."
  }

  static func willResend(_ kind: String) -> String { "The message (\(kind)) is sent again." }

  /// The kinds of rows that an erasure changes, with their numbers.
  static func willErase(_ rows: [ErasedKind: Int]) -> [String] {
    rows.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue): \($0.value)" }
      + ["This cannot be undone. Erase the account in your own records first."]
  }

  static func willDiscard(_ kind: String) -> String {
    "The message (\(kind)) is removed, and nobody gets it."
  }

  static let storeSilent = "The store could not be asked."
  static let notAsked =
    """
    This question takes no answer here: it is settled or too late, an answer is being sent, or the server \
    does not answer this store.
    """
  static let consentMissing =
    "Apple may be told of a customer's use only if the customer consented to it."
  static let replacesAnswer = "An answer that was given before, and was not sent yet, is replaced."
  static let sendNothing = "Send nothing"

  static func willSendNothing(_ vendor: Vendor) -> String {
    "Nothing is sent, and \(self.vendor(vendor)) decides without you."
  }

  static func moreQuestions(_ count: Int) -> String { "The first \(count) are shown." }

  static func brokenAnswer(_ reason: String) -> String {
    "The store does not take this: \(reason)."
  }

  static func willAnswer(_ vendor: Vendor, _ answer: RefundAnswer) -> [String] {
    let name = self.vendor(vendor)
    let preference = answer.preference.map { "\(name) is told that you prefer \($0)." }
    let delivery = answer.delivery.map { "Whether it was delivered: \($0)." }
    let consumed = answer.consumedPercent.map { "\($0) % of it was used." }
    return [
      preference ?? "\(name) is told that you prefer nothing.", delivery, consumed,
      answer.sampleWasProvided
        ? "The customer could try it before." : "The customer could not try it before.",
      "It is sent within a minute. \(name) decides, and tells it later.",
    ].compactMap(\.self)
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

  static let noSuchAccount = "The host knows no account of this name."
  static let notAssociated = "The purchase does not belong to this account in the app."
  static let notKept = "The host's store keeps no record of acts, so that nothing can be done here."

  static func before(_ result: String?) -> String {
    """
    Its result: \(result ?? unknownResult). To do it once more, begin again from the \
    customer's page.
    """
  }

  /// The changes of a link.
  static func link(
    _ id: String, _ user: AccountID, from before: Membership?, to after: Membership
  ) -> [String] {
    let plan = "\(plan(after.tier, after.cycle)), with the last day \(day(after))"
    guard let before else {
      return ["\(id) belongs to \(user.rawValue).", "A membership is given: \(plan)."]
    }
    guard before != after else { return [nothingChanges] }
    return [
      "\(id) belongs to \(user.rawValue).",
      """
      The membership (\(self.plan(before.tier, before.cycle)), with the last day \(day(before))) \
      becomes: \(plan).
      """,
    ]
  }

  private static func day(_ row: Membership) -> String {
    row.expireDate.map { "\($0)" } ?? "unknown"
  }

  /// The changes of an unlink.
  static func unlink(_ id: String, _ ended: Membership?) -> [String] {
    let rest = ended.map { ["The membership (\(plan($0.tier, $0.cycle))) is removed."] } ?? []
    return ["\(id) belongs to nobody."] + rest
  }

  /// A failure of an act, in a word that tells nothing of the machine.
  static func failure(_ error: any Error) -> String {
    switch error {
    case SubscriptionFailure.refused(let refusal): self.refusal(refusal)
    case SubscriptionFailure.accountNotFound: noSuchAccount
    case SubscriptionFailure.subscriptionNotFound: nothingFound
    case SubscriptionFailure.sourceFailed, SubscriptionFailure.receiptNotFound: storeSilent
    case ConsumptionDelivery.Failure.notWaiting: notAsked
    case ConsumptionDelivery.Failure.answeredElsewhere: staleForm
    case let failure as AppStoreServerFailure where failure.retry != .never: storeSilent
    case DeskActFailure.nothingDone: "There was nothing to do any more."
    default: "It did not work; the server's log says why."
    }
  }
}
