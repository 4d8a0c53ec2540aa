import Foundation
import LinkPolicy
import ReceiptModels

// The people, days and rows of these tests. It is always 2020-11-14T08:00:00Z.

/// A moment in UTC, such as `2020-11-14T08:00:00Z`.
func moment(_ text: String) -> Date {
  (try? Date(text, strategy: .iso8601)) ?? .distantPast
}

let now = moment("2020-11-14T08:00:00Z")

func account(_ primaryID: AccountID?, _ secondID: AccountID? = nil) -> Account {
  guard let account = Account(primaryID: primaryID, secondID: secondID) else {
    preconditionFailure("a test names an account without identifiers")
  }
  return account
}

/// Who asks, and who does not.
let asking = account("ftc-1", "union-1")
let other = account("ftc-2", "union-2")

extension Subscription {
  /// The subscription that is asked for: a standard year until 2021-06-15, renewing.
  static func wanted(
    ends: String = "2021-06-15T10:30:00Z", renews: Bool = true, owner: AccountID? = nil,
    environment: AppStoreEnvironment = .production
  ) -> Subscription {
    var subscription = Subscription(
      environment: environment, originalTransactionID: "1000", lastTransactionID: "1001",
      productID: "standard.year", purchaseDate: moment("2020-06-15T10:30:00Z"),
      expiresDate: moment(ends), tier: .standard, cycle: .year, autoRenewal: renews)
    subscription.owner = owner
    return subscription
  }

  static let active = wanted()
  static let expired = wanted(ends: "2020-10-01T10:30:00Z", renews: false)
}

extension Membership {
  /// The membership that Apple's subscription 1000 gives, as ``Subscription/wanted`` is.
  static func iap(
    _ account: Account = asking, _ id: String = "1000", until day: String = "2021-06-15",
    renews: Bool = true, change: (inout Membership) -> Void = { _ in }
  ) -> Membership {
    var row = Membership(account: account)
    row.id = "mmb_" + (account.primaryID?.rawValue ?? "wechat")
    row.tier = .standard
    row.cycle = .year
    row.expireDate = CalendarDay(day)
    row.payMethod = .apple
    row.autoRenew = renews
    row.originalTransactionID = id
    change(&row)
    return row
  }

  /// A membership that Apple does not pay, with all that its pay method brings.
  static func paid(
    _ method: PayMethod?, _ account: Account = asking, until day: String?, renews: Bool = false,
    stale id: String? = nil
  ) -> Membership {
    var row = Membership(account: account)
    row.id = "mmb_" + (account.primaryID?.rawValue ?? "wechat")
    row.tier = .premium
    row.cycle = .year
    row.expireDate = day.flatMap { CalendarDay($0) }
    row.payMethod = method
    row.autoRenew = renews
    row.originalTransactionID = id
    row.details.hostPlanID = method == .alipay || method == .wechat ? "plan_1" : nil
    row.details.licenceID = method == .b2b ? "lic_1" : nil
    if method == .stripe {
      row.details.subscriptionID = "sub_1"
      row.details.planID = "price_1"
      row.details.status = .active
    }
    return row
  }
}

/// The contract whose rules are tested.
enum LinkContract: CaseIterable {
  case current, legacy
}

extension LinkOptions {
  /// The contract that has these settings.
  var contract: LinkContract { replacement == .forcedOrExpired ? .current : .legacy }

  static func of(
    _ contract: LinkContract, strict: Bool = false,
    environments: CountedEnvironments = [.production]
  ) -> LinkOptions {
    var options = LinkOptions()
    options.replacement = contract == .current ? .forcedOrExpired : .expiredOnly
    options.isSwitchStrict = strict
    options.allowedEnvironments = environments
    return options
  }
}
