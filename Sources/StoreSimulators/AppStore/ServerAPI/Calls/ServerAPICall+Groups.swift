internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels
internal import StorekeeperLocks

extension ServerAPIRoute {
  /// The calls about groups: section 2.4 of the App Store Server API rules.
  static let groups: [ServerAPIRoute] = [
    ServerAPIRoute(.get, "groups/v1/currentGroups/{id}") { try $0.currentGroups() },
    ServerAPIRoute(.get, "groups/v1/group/{group}") { try $0.groupMembers() },
  ]
}

extension ServerAPICall {
  /// The group in which the Sandbox puts customers without a family.
  private static let placeholderGroup = "900000000000000000"
  private static let placeholderMember = "700000000000000000"

  /// Answers with the groups of a customer: the family of one who shares, else Apple's placeholder.
  func currentGroups() throws -> ServerAPIAnswer {
    guard server == .sandbox else { throw ServerAPIRefusal.unknownCall }
    let customer = try customer()
    guard let family = families.first(where: { $0.members.contains(customer) }) else {
      let products = Set(store.transactions(of: customer).map(\.product.id)).sorted()
      let roles = products.map { product in
        JSONValue.object(["productId": .string(product), "role": .string("NONE")])
      }
      return .json([
        "groups": .array([
          .object([
            "groupId": .string(Self.placeholderGroup), "groupType": .string("ORGANIZATION"),
            "roles": .array(roles),
          ])
        ])
      ])
    }
    return .json([
      "groups": .array([
        .object(["groupId": .string(family.id), "groupType": .string("CONSUMER")])
      ])
    ])
  }

  func groupMembers() throws -> ServerAPIAnswer {
    guard server == .sandbox else { throw ServerAPIRefusal.unknownCall }
    let group = parameter("group")
    _ = try number("group", or: ServerAPIRefusal(4_000_225))
    var size = 100
    if let text = value("limit") {
      guard let limit = Int(text), (1...100).contains(limit) else {
        throw ServerAPIRefusal(4_000_004)
      }
      size = limit
    }
    let ids = try members(of: group)
    var start = 0
    if let token = value("paginationToken") {
      guard let place = tokens.open(token), place["scope"] == .string("group " + group),
        let next = place["next"]?.whole
      else { throw ServerAPIRefusal(4_000_014) }
      start = next
    }
    let page = ids.dropFirst(start).prefix(size)
    let hasMore = start + page.count < ids.count
    var answer: [String: JSONValue] = [
      "members": .array(page.map { .object(["appTransactionId": .string($0)]) }),
      "hasMore": .boolean(hasMore),
    ]
    if hasMore {
      answer["paginationToken"] = .string(
        try tokens.seal([
          "scope": .string("group " + group), "next": .integer(start + page.count),
        ]))
    }
    return .json(answer)
  }

  private func members(of group: String) throws(ServerAPIRefusal) -> [String] {
    if group == Self.placeholderGroup { return [Self.placeholderMember] }
    guard let family = families.first(where: { $0.id == group }) else {
      throw ServerAPIRefusal(4_040_022)
    }
    let store = store
    return family.members.compactMap { store.appTransactionID(of: $0).map { String($0) } }
  }

  private struct Family {
    let id: String
    var members: [String]
  }

  /// The customers who share purchases, in groups numbered in the order of the first shares.
  private var families: [Family] {
    var families: [Family] = []
    for share in store.shares {
      if let index = families.firstIndex(where: { $0.members.contains(share.buyer) }) {
        if !families[index].members.contains(share.member) {
          families[index].members.append(share.member)
        }
      } else {
        families.append(
          Family(
            id: String(910_000_000_000_000_000 + families.count),
            members: [share.buyer, share.member]))
      }
    }
    return families
  }
}
