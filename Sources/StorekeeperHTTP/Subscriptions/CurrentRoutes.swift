internal import JSONValues
internal import HTTPMessages
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import ReceiptVerifier
internal import Storekeeper

// The routes of the current contract (linking rules, section 6.2).
enum CurrentRoutes {
  static let all: [Route<SubscriptionAPI>] = [
    Route(path: "/apple/verify-receipt", operations: [verifyReceipt]),
    Route(path: "/apple/link", operations: [link]),
    Route(path: "/apple/unlink", operations: [unlink]),
    Route(path: "/apple/subs", operations: [list, subscribe]),
    Route(path: "/apple/subs/{id}", operations: [load, refresh]),
    Route(path: "/apple/receipt/{id}", operations: [loadReceipt]),
  ]

  private static let verifyReceipt = SubscriptionOperation(
    method: .post, readsBody: true, fixesFailures: true
  ) { api, call in
    let evidence = try api.evidence(in: call.body())
    return .json(bytes: try await api.record(evidence, startingAt: call.server).statement)
  }

  private static let link = SubscriptionOperation(method: .post, readsBody: true) { api, call in
    let body = try call.body()
    // All members are read first, so a wrong type is refused before a missing member.
    let (accountText, idText) = (
      try body.value(.accountID), try body.value(.originalTransactionID)
    )
    let force = try body.flag("force") ?? false
    if api.verifier != nil, idText == nil {
      _ = (try body.value(.transaction), try body.value(.renewalInfo))
    }
    guard let accountText else { throw RequestRefusal.missing(.accountID) }
    guard let idText else {
      guard let evidence = try api.signedEvidence(in: body) else {
        throw RequestRefusal.missing(.originalTransactionID)
      }
      let verified = try await api.verified(evidence)
      let accountID = try SubscriptionCall.accountID(accountText)
      let membership = try await api.subscriptions.link(
        accountID, to: api.facts(of: verified), force: force)
      return .json(api.body(of: membership).json)
    }
    let membership = try await api.subscriptions.link(
      SubscriptionCall.accountID(accountText), to: String(idText.trimmed), force: force)
    return .json(api.body(of: membership).json)
  }

  private static let unlink = SubscriptionOperation(method: .post, readsBody: true) { api, call in
    let body = try call.body()
    let (accountText, idText) = (
      try body.value(.accountID), try body.value(.originalTransactionID)
    )
    guard let accountText else { throw RequestRefusal.missing(.accountID) }
    guard let idText else { throw RequestRefusal.missing(.originalTransactionID) }
    let id = String(idText.trimmed)
    guard let accountID = try? AccountID(accountText) else {
      // No account can have this ID, so none owns the subscription (U4).
      _ = try await api.subscriptions.subscription(id)
      throw SubscriptionFailure.refused(.notLinked)
    }
    try await api.subscriptions.unlink(accountID, from: id)
    return .noContent
  }

  private static let subscribe = SubscriptionOperation(
    method: .post, readsBody: true, fixesFailures: true
  ) { api, call in
    let evidence = try api.evidence(in: call.body())
    let subscription = try await api.record(evidence, startingAt: call.server).subscription
    return .json(SubscriptionBody(subscription).json)
  }

  private static let list = SubscriptionOperation(method: .get, user: .required) { api, call in
    let page = try call.number("page", or: 1, refusal: .invalidPage)
    let length = try call.number("per_page", or: 20, refusal: .invalidPageLength)
    // An ID that no account can have owns nothing.
    let owner = (try? SubscriptionCall.accountID(call.primaryID ?? "")) ?? AccountID(stored: "")
    let found = try await api.subscriptions.subscriptions(
      of: owner, page: page, pageLength: length)
    return .json(
      .object([
        "total": .integer(found.total), "page": .integer(page), "limit": .integer(length),
        "data": .array(found.subscriptions.map { SubscriptionBody($0).json }),
      ]))
  }

  private static let load = SubscriptionOperation(method: .get) { api, call in
    .json(SubscriptionBody(try await api.subscriptions.subscription(call.id)).json)
  }

  private static let refresh = SubscriptionOperation(method: .patch, fixesFailures: true) {
    api, call in
    .json(SubscriptionBody(try await api.subscriptions.refresh(call.id)).json)
  }

  private static let loadReceipt = SubscriptionOperation(method: .get) { api, call in
    let isFromDisk = (try? call.target.parameter("fs")) == "true"
    let (subscription, receipt) = try await api.subscriptions.subscriptionWithReceipt(
      call.id, onlyDisk: isFromDisk)
    var members = SubscriptionBody(subscription).jsonMembers
    members["receipt"] = .string(receipt.receipt)
    return .json(.object(members))
  }
}

extension SubscriptionAPI {
  func body(of membership: Membership) -> MembershipBody {
    MembershipBody(membership, products: subscriptions.products)
  }
}

extension SubscriptionCall {
  /// Returns the identifier of an account.
  ///
  /// - Throws: ``RequestRefusal/unknownID`` if no account can have this identifier.
  static func accountID(_ text: String) throws(RequestRefusal) -> AccountID {
    guard let id = try? AccountID(text) else { throw .unknownID }
    return id
  }
}
