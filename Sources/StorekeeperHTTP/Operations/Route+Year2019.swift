internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels
internal import Storekeeper

// Contract on linking, sections 6.3 and 6.5.
extension Route {
  static let year2019 = [
    Route(path: "/apple/verify-receipt", operations: [acceptReceipt]),
    Route(path: "/apple/link", operations: [linkByReceipt, unlinkByReceipt]),
  ]

  private static let acceptReceipt = Operation(method: .post, readsBody: true) { api, call in
    let receipt = try call.body().text("receipt-data")
    try await api.subscriptions.accept(receipt: receipt, startingAt: call.server)
    return .noContent
  }

  private static let linkByReceipt = Operation(
    method: .post, user: .required, readsBody: true
  ) { api, call in
    let receipt = try call.body().text("receipt-data")
    let membership = try await api.subscriptions.link(
      receipt: receipt, ftcID: call.ftcID, unionID: call.unionID, startingAt: call.server)
    return .json(membership.jsonOf2019)
  }

  private static let unlinkByReceipt = Operation(
    method: .delete, user: .optional, readsBody: true
  ) { api, call in
    let receipt = try call.body().text("receipt-data")
    try await api.subscriptions.unlink(
      receipt: receipt, ftcID: call.ftcID, unionID: call.unionID, startingAt: call.server)
    return .noContent
  }
}

extension Membership {
  /// The nine members of the contract of 2019, also those that are null (contract on linking,
  /// section 1.3).
  fileprivate var jsonOf2019: JSONValue {
    var members = jsonMembers
    for name in ["ftcPlanId", "stripeSubsId", "appleSubsId", "b2bLicenceId"] {
      members[name] = nil
    }
    members["id"] = id.map(JSONValue.string) ?? .null
    if payMethod != .apple && payMethod != .stripe { members["autoRenew"] = .null }
    return .object(members)
  }
}
