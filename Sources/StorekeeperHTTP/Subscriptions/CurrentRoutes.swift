internal import HTTPMessages
internal import JSONValues
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import ReceiptVerifier
internal import Storekeeper

// The current contract (linking rules, section 6.2).
extension SubscriptionAPI {
  static func currentRoutes(askingFirst server: VerifyReceiptServer) -> [SubscriptionRoute] {
    let usual = SubscriptionTerms(.current)
    let fixed = SubscriptionTerms(.current, fixesFailures: true)
    let ofUser = SubscriptionTerms(.current, user: .required)
    return [
      SubscriptionRoute(.post, "/apple/verify-receipt", .caller, readsBody: true, terms: fixed) {
        try await $0.verifyReceipt($1, startingAt: server)
      },
      SubscriptionRoute(.post, "/apple/link", .caller, readsBody: true, terms: usual) {
        try await $0.link($1)
      },
      SubscriptionRoute(.post, "/apple/unlink", .caller, readsBody: true, terms: usual) {
        try await $0.unlink($1)
      },
      SubscriptionRoute(.get, "/apple/subs", .caller, terms: ofUser) { try await $0.list($1) },
      SubscriptionRoute(.post, "/apple/subs", .caller, readsBody: true, terms: fixed) {
        try await $0.subscribe($1, startingAt: server)
      },
      SubscriptionRoute(.get, "/apple/subs/{id}", .caller, terms: usual) { try await $0.load($1) },
      SubscriptionRoute(.patch, "/apple/subs/{id}", .caller, terms: fixed) {
        try await $0.refresh($1)
      },
      SubscriptionRoute(.get, "/apple/receipt/{id}", .caller, terms: usual) {
        try await $0.loadReceipt($1)
      },
    ]
  }

  private func verifyReceipt(
    _ call: SubscriptionCall, startingAt server: VerifyReceiptServer
  ) async throws -> HTTPResponseMessage {
    let evidence = try evidence(in: call.body())
    return .json(bytes: try await record(evidence, startingAt: server).statement)
  }

  private func link(_ call: SubscriptionCall) async throws -> HTTPResponseMessage {
    let body = try call.body()
    // All members are read first, so a wrong type is refused before a missing member.
    let (accountText, idText) = (
      try body.value(.accountID), try body.value(.originalTransactionID)
    )
    let force = try body.flag("force") ?? false
    if verifier != nil, idText == nil {
      _ = (try body.value(.transaction), try body.value(.renewalInfo))
    }
    guard let accountText else { throw RequestRefusal.missing(.accountID) }
    guard let idText else {
      guard let evidence = try signedEvidence(in: body) else {
        throw RequestRefusal.missing(.originalTransactionID)
      }
      let verified = try await verified(evidence)
      let accountID = try SubscriptionCall.accountID(accountText)
      let membership = try await subscriptions.link(
        accountID, to: facts(of: verified), force: force)
      return .json(self.body(of: membership).json)
    }
    let membership = try await subscriptions.link(
      SubscriptionCall.accountID(accountText), to: String(idText.trimmed), force: force)
    return .json(self.body(of: membership).json)
  }

  private func unlink(_ call: SubscriptionCall) async throws -> HTTPResponseMessage {
    let body = try call.body()
    let (accountText, idText) = (
      try body.value(.accountID), try body.value(.originalTransactionID)
    )
    guard let accountText else { throw RequestRefusal.missing(.accountID) }
    guard let idText else { throw RequestRefusal.missing(.originalTransactionID) }
    let id = String(idText.trimmed)
    guard let accountID = try? AccountID(accountText) else {
      // No account can have this ID, so none owns the subscription (U4).
      _ = try await subscriptions.subscription(id)
      throw SubscriptionFailure.refused(.notLinked)
    }
    try await subscriptions.unlink(accountID, from: id)
    return .noContent
  }

  private func subscribe(
    _ call: SubscriptionCall, startingAt server: VerifyReceiptServer
  ) async throws -> HTTPResponseMessage {
    let evidence = try evidence(in: call.body())
    let subscription = try await record(evidence, startingAt: server).subscription
    return .json(bytes: subscription.body)
  }

  private func list(_ call: SubscriptionCall) async throws -> HTTPResponseMessage {
    let page = try call.number("page", or: 1, refusal: .invalidPage)
    let length = try call.number("per_page", or: 20, refusal: .invalidPageLength)
    let user = try HeaderUser(call.request, under: .current)
    // An ID that no account can have owns nothing.
    let owner = user.primaryID.flatMap { try? AccountID($0) } ?? AccountID(stored: "")
    let found = try await subscriptions.subscriptions(of: owner, page: page, pageLength: length)
    let bytes = found.body(page: page, length: length)
    return try EntityTag(of: bytes).response(to: call.request, kept: .nowhere, bytes)
  }

  private func load(_ call: SubscriptionCall) async throws -> HTTPResponseMessage {
    // The tag is made of what one indexed read gives.
    let bytes = try await subscriptions.subscription(call.id).body
    return try EntityTag(of: bytes).response(to: call.request, kept: .nowhere, bytes)
  }

  private func refresh(_ call: SubscriptionCall) async throws -> HTTPResponseMessage {
    .json(bytes: try await subscriptions.refresh(call.id).body)
  }

  private func loadReceipt(_ call: SubscriptionCall) async throws -> HTTPResponseMessage {
    let isFromDisk = (try? call.request.parameter("fs")) == "true"
    let (subscription, receipt) = try await subscriptions.subscriptionWithReceipt(
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
  /// The body as the members of a JSON object.
  func body() throws(RequestRefusal) -> RequestBody {
    try RequestBody(parsing: request.body)
  }

  /// Returns the identifier of an account, or throws ``RequestRefusal/unknownID`` if no account can have it.
  static func accountID(_ text: String) throws(RequestRefusal) -> AccountID {
    guard let id = try? AccountID(text) else { throw .unknownID }
    return id
  }
}
