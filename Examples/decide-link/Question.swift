import StorekeeperHTTP
import Foundation
import JSONValues
import LinkPolicy
import ReceiptModels
import StorekeeperToolSupport

/// What a line asks.
struct Question {
  /// What is to be done.
  enum Action: String, CaseIterable {
    case link, unlink, sync
  }

  /// The contract by which it is decided.
  enum Contract: String, CaseIterable {
    case current
    case legacy = "2019"
  }

  var action: Action
  var now: Date
  var force: Bool
  var contract: Contract
  var options: LinkOptions
  /// Who asks; not needed by every action.
  var account: Account?
  var subscription: Subscription
  var accountMembership: Membership?
  var subscriptionMembership: Membership?

  /// Reads a line; members that it does not know are left out.
  init(_ line: [UInt8]) throws(LineFailure) {
    let members = try LineMembers(parsing: line)
    action = try members.choice("action") ?? .link
    contract = try members.choice("contract") ?? .current
    options = try members.options(under: contract)
    now = try members.moment("now")
    force = try members.flag("force") ?? false
    account = try members.account()
    subscription = try members.required(
      "subscription", .object, try members.value("subscription", SubscriptionBody.self)
    ).subscription
    accountMembership = try members.membership("accountMembership")
    subscriptionMembership = try members.membership("subscriptionMembership")
    try checkAccount()
  }

  private func checkAccount() throws(LineFailure) {
    switch (action, contract) {
    case (.link, _):
      if account == nil {
        throw LineFailure(path: "account", error: "expected object, found absent")
      }
    case (.unlink, .current):
      if account?.primaryID == nil {
        throw LineFailure(path: "account.ftcId", error: "expected string, found absent")
      }
    case (.unlink, .legacy), (.sync, _): break
    }
  }
}

extension Question.Contract {
  /// The settings of the policy.
  var options: LinkOptions {
    var options = LinkOptions()
    options.replacement = self == .current ? .forcedOrExpired : .expiredOnly
    return options
  }
}
