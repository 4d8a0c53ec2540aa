import Foundation
import LinkPolicy
import ReceiptModels

/// A row of the outcome table: its cells in words, and the cases that it speaks of.
struct OutcomeTableRow {
  /// What is stored before the request.
  struct Case {
    var subscription: Subscription
    var ofAccount: Membership?
    /// The row that carries the subscription's id.
    var ofSubscription: Membership?
  }

  var number: String
  var ofAccount: String
  var ofSubscription: String
  var subscription: String
  var forces: [Bool]
  var stricts: [Bool]
  var cases: [Case]

  init(
    _ number: String, _ ofAccount: String, _ ofSubscription: String, _ subscription: String,
    force: Bool? = nil, strict: Bool? = nil, _ cases: [Case]
  ) {
    self.number = number
    self.ofAccount = ofAccount
    self.ofSubscription = ofSubscription
    self.subscription = subscription
    forces = force.map { [$0] } ?? [false, true]
    stricts = strict.map { [$0] } ?? [false, true]
    self.cases = cases
  }
}

// MARK: What the rows are made of

extension OutcomeTableRow {
  static let now = moment("2020-11-14T08:00:00Z")
  static let account = Account(id: "ftc-1")
  private static let other = Account(id: "ftc-2")

  static func moment(_ text: String) -> Date {
    (try? Date(text, strategy: .iso8601)) ?? .distantPast
  }

  static func subscription(
    ends: String = "2021-06-15T10:30:00Z", renews: Bool = true, owner: AccountID? = nil,
    in environment: AppStoreEnvironment = .production
  ) -> Subscription {
    var subscription = Subscription(
      environment: environment, originalTransactionID: "1000", lastTransactionID: "1001",
      productID: "standard.year", purchaseDate: moment("2020-06-15T10:30:00Z"),
      expiresDate: moment(ends), tier: .standard, cycle: .year, autoRenewal: renews)
    subscription.owner = owner
    return subscription
  }

  /// A membership of the account, or of another one.
  static func row(
    _ method: PayMethod?, until day: String, renews: Bool = false, appleID: String? = nil,
    ofOther isOther: Bool = false
  ) -> Membership {
    var row = Membership(account: isOther ? other : account)
    row.tier = .standard
    row.cycle = .year
    row.expireDate = CalendarDay(day)
    row.payMethod = method
    row.autoRenew = renews
    row.originalTransactionID = appleID
    return row
  }
}
