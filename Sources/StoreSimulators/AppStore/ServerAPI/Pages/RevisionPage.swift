internal import JSONValues

/// A page of transactions in the order of their changes, and the revision behind it.
struct RevisionPage {
  let transactions: [SimulatedTransaction]
  let hasMore: Bool
  let revision: String

  /// Cuts the next page.
  ///
  /// A revision holds whose page it was, with which filters, and the last change that it had; so one
  /// that is kept finds later what is new or has changed.
  ///
  /// - Parameters:
  ///   - transactions: All that match the filters, in any order.
  ///   - scope: The limits within which a revision counts: the call, the customer and the filters.
  ///   - isDescending: Whether the newest changes come first.
  ///   - call: The request, with the revision of the page before.
  /// - Throws: ``ServerAPIRefusal`` for a revision of something else, or an error of OpenSSL.
  init(
    of transactions: [SimulatedTransaction], scope: String, isDescending: Bool = false,
    for call: ServerAPICall
  ) throws {
    var position = isDescending ? Int.max : 0
    if let token = call.value("revision") {
      guard let members = call.tokens.open(token), members["scope"] == .string(scope),
        let last = members["position"]?.whole
      else { throw ServerAPIRefusal(4_000_005) }
      position = last
    }
    let rest =
      transactions
      .filter { isDescending ? $0.modified < position : $0.modified > position }
      .sorted { isDescending ? $0.modified > $1.modified : $0.modified < $1.modified }
    let size = min(max(call.settings.pageSize, 1), 20)
    self.transactions = Array(rest.prefix(size))
    hasMore = rest.count > size
    revision = try call.tokens.seal([
      "scope": .string(scope),
      "position": .integer(self.transactions.last?.modified ?? position),
    ])
  }

  /// The members of an answer with the page.
  func members(signedBy call: ServerAPICall) throws -> [String: JSONValue] {
    [
      "revision": .string(revision), "hasMore": .boolean(hasMore),
      "signedTransactions": try call.signed(transactions),
    ]
  }
}
