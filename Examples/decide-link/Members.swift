import JSONValues
import LinkPolicy
import ReceiptModels
import StorekeeperToolSupport
import StorekeeperHTTP

// The members of a proposal.
extension LineMembers {
  func options(under contract: Question.Contract) throws(LineFailure) -> LinkOptions {
    var options = contract.options
    options.isSwitchStrict = try flag("strictSwitch") ?? false
    if let environments = try environments("allowedEnvironments") {
      options.allowedEnvironments.environments = environments
    }
    options.allowedEnvironments.testers = Set(try accountIDs("testers"))
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
