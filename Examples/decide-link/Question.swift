import Foundation
import JSONValues
import LinkPolicy
import ReceiptModels
import SQLStorage
import StorekeeperHTTP
import StorekeeperToolSupport

/// What a line asks.
struct Question {
  enum Action: String, CaseIterable {
    case link, unlink, sync
  }

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
  /// The dates at which the subscription moved before.
  var transferDates: [Date] = []

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
    transferDates = try members.moments("transferDates")
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
  var options: LinkOptions {
    var options = LinkOptions()
    options.replacement = self == .current ? .forcedOrExpired : .expiredOnly
    return options
  }
}

// The members of a proposal.
extension LineMembers {
  func options(under contract: Question.Contract) throws(LineFailure) -> LinkOptions {
    var options = contract.options
    options.isSwitchStrict = try flag("strictSwitch") ?? false
    if let environments = try environments("allowedEnvironments") {
      options.allowedEnvironments.environments = environments
    }
    options.allowedEnvironments.testers = Set(try accountIDs("testers"))
    options.transfer.production = try choice("transfer") ?? .never
    options.transfer.sandbox = try choice("sandboxTransfer")
    return options
  }

  private func environments(_ name: String) throws(LineFailure) -> Set<AppStoreEnvironment>? {
    guard let elements = try elements(name) else { return nil }
    var environments: Set<AppStoreEnvironment> = []
    for (place, element) in elements.enumerated() {
      let index = "[\(place)]"
      guard case .string(let text) = element else {
        throw failure(name, FieldTypeFailure(path: index, expected: .string, found: element.kind))
      }
      guard let environment = AppStoreEnvironment(anyCase: text) else {
        let known = AppStoreEnvironment.allCases.map(\.rawValue).joined(separator: ", ")
        throw LineFailure(path: name + index, error: "expected one of \(known)")
      }
      environments.insert(environment)
    }
    return environments
  }

  /// The account; nil without any identifier, as some actions need none.
  func account() throws(LineFailure) -> Account? {
    guard let ids = try object("account") else { return nil }
    let primaryID = try ids.accountID("ftcId")
    return Account(primaryID: primaryID, secondID: try ids.accountID("unionId"))
  }

  /// A membership, in which words that nobody knows stay as they are.
  ///
  /// Source: contract on linking, section 1.3.
  func membership(_ name: String) throws(LineFailure) -> Membership? {
    guard var row = try value(name, MembershipBody.self)?.membership else { return nil }
    row.payMethod = row.payMethod.map { PayMethod(stored: $0.rawValue) }
    return row
  }
}
