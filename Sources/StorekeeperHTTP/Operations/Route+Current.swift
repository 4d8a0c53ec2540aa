internal import JSONValues
internal import HTTPMessages
internal import PurchaseStorage
internal import ReceiptModels
internal import ReceiptVerifier
internal import Storekeeper

// Contract on linking, section 6.2.
extension Route {
  static let current = [
    Route(path: "/apple/verify-receipt", operations: [verifyReceipt]),
    Route(path: "/apple/link", operations: [link]),
    Route(path: "/apple/unlink", operations: [unlink]),
    Route(path: "/apple/subs", operations: [list, subscribe]),
    Route(path: "/apple/subs/{id}", operations: [load, refresh]),
    Route(path: "/apple/receipt/{id}", operations: [loadReceipt]),
  ]

  private static let verifyReceipt = Operation(method: .post, readsBody: true) { api, call in
    let receipt = try call.body().text("receiptData")
    let verified = try await api.subscriptions.verify(receipt: receipt, startingAt: call.server)
    return .json(bytes: verified.rawBody)
  }

  private static let link = Operation(method: .post, readsBody: true) { api, call in
    let body = try call.body()
    let (ftcID, id) = (try body.text("ftcId"), try body.text("originalTxId"))
    let isForced = try body.flag("force")
    return .json(
      try await api.subscriptions.link(account: ftcID, to: id, force: isForced).json)
  }

  private static let unlink = Operation(method: .post, readsBody: true) { api, call in
    let body = try call.body()
    let (ftcID, id) = (try body.text("ftcId"), try body.text("originalTxId"))
    try await api.subscriptions.unlink(account: ftcID, from: id)
    return .noContent
  }

  private static let subscribe = Operation(method: .post, readsBody: true) { api, call in
    let receipt = try call.body().text("receiptData")
    return .json(
      try await api.subscriptions.subscription(receipt: receipt, startingAt: call.server).json)
  }

  private static let list = Operation(method: .get, user: .required) { api, call in
    let page = try call.number("page", or: 1, refusal: .invalidPage)
    let length = try call.number("per_page", or: 20, refusal: .invalidPageLength)
    let found = try await api.subscriptions.subscriptions(
      of: call.ftcID, page: page, pageLength: length)
    return .json(
      .object([
        "total": .integer(found.total), "page": .integer(page), "limit": .integer(length),
        "data": .array(found.subscriptions.map(\.json)),
      ]))
  }

  private static let load = Operation(method: .get) { api, call in
    .json(try await api.subscriptions.subscription(call.id).json)
  }

  private static let refresh = Operation(method: .patch) { api, call in
    .json(try await api.subscriptions.refresh(call.id).json)
  }

  private static let loadReceipt = Operation(method: .get) { api, call in
    let isFromDisk = (try? call.target.parameter("fs")) == "true"
    let (subscription, receipt) = try await api.subscriptions.subscriptionWithReceipt(
      call.id, onlyFirstCache: isFromDisk)
    var members = subscription.jsonMembers
    members["receipt"] = .string(receipt.receipt)
    return .json(.object(members))
  }
}

extension Call {
  /// A number in the query: digits, after a minus sign or not.
  fileprivate func number(
    _ name: String, or preset: Int, refusal: RequestRefusal
  ) throws(RequestRefusal) -> Int {
    do {
      guard let text = try target.parameter(name) else { return preset }
      guard text.utf8.first != UInt8(ascii: "+"), let number = Int(text) else { throw refusal }
      return number
    } catch {
      throw refusal
    }
  }
}
