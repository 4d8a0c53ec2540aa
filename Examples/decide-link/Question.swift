import Foundation
import LinkPolicy
import ReceiptModels

/// What a line asks.
struct Question {
  /// What is to be done.
  enum Action: String, CaseIterable {
    case link, unlink, sync
  }

  var action: Action
  var now: Date
  var force: Bool
  var options: LinkOptions
  /// Who asks; not needed by every action.
  var account: Account?
  var subscription: Subscription
  var accountMembership: Membership?
  var subscriptionMembership: Membership?

  /// Reads a line; members that it does not know are left out.
  init(_ line: [UInt8]) throws(LineFailure) {
    let members = try Members(parsing: line)
    action = try members.choice("action") ?? .link
    options = try members.options()
    now = try members.moment("now")
    force = try members.flag("force")
    account = try members.account()
    guard let subscription = try members.model("subscription", Subscription.self) else {
      throw LineFailure(path: "subscription", error: "expected object, found absent")
    }
    self.subscription = subscription
    accountMembership = try members.membership("accountMembership")
    subscriptionMembership = try members.membership("subscriptionMembership")
    try checkAccount()
  }

  private func checkAccount() throws(LineFailure) {
    switch (action, options.contract) {
    case (.link, _):
      if account == nil {
        throw LineFailure(path: "account", error: "expected object, found absent")
      }
    case (.unlink, .current):
      if account?.ftcID == nil {
        throw LineFailure(path: "account.ftcId", error: "expected string, found absent")
      }
    case (.unlink, .year2019), (.sync, _): break
    }
  }
}
