/// The state that a lane's requests have left, in the terms of the linking rules.
///
/// It is derived from the ledger, and read from the store; the two have to be equal.
struct LaneState: Hashable {
  /// A stored subscription.
  struct Owned: Hashable {
    var owner: String?
  }

  /// A counted record.
  enum Counted: Hashable {
    case linkMail(String), unlinkMail(String), syncMail(String)
    case dispute(String), archive(String)
    case snapshot(String, String)
  }

  let lane: String
  var subscriptions: [String: Owned] = [:]
  /// The subscription of the member's membership.
  var membership: String?
  var counts: [Counted: Int] = [:]

  init(lane: String) { self.lane = lane }

  var member: String { "\(lane)-member" }
  var rival: String { "\(lane)-rival" }

  func account(_ who: Operation.Who) -> String { who == .member ? member : rival }

  mutating func count(_ counted: Counted) { counts[counted, default: 0] += 1 }

  /// Applies a request, and returns its outcome under the rules.
  @discardableResult
  mutating func apply(_ operation: Operation) -> Outcome {
    switch operation {
    case .verify(let id, let news): return verify(id, news)
    case .link(.rival, let id, _):
      count(.dispute(id))
      return .refusedAsAnothers
    case .link(.member, let id, let force): return link(id, force)
    case .unlink(let id): return unlink(id)
    }
  }

  /// Each piece of news changes the day or the renewal, so a membership follows
  /// (`Documentation/rules/linking-rules.md`, 4.8).
  private mutating func verify(_ id: String, _ news: Operation.News) -> Outcome {
    if subscriptions[id] == nil { subscriptions[id] = Owned() }
    guard membership == id else { return .kept }
    count(.snapshot(id, "apple.verify"))
    count(.syncMail(id))
    return .kept
  }

  /// Applies L10a, L10b, L12a and L12c.
  private mutating func link(_ id: String, _ force: Bool) -> Outcome {
    let owner = member
    subscriptions[id]?.owner = owner
    guard membership != id else { return .linked }
    if let other = membership {
      guard force else { return .refusedAsHasOther }
      count(.snapshot(other, "apple.link"))
    }
    membership = id
    count(.linkMail(id))
    return .linked
  }

  /// Applies U4 to U12.
  private mutating func unlink(_ id: String) -> Outcome {
    guard subscriptions[id]?.owner == member else { return .refusedAsNotLinked }
    subscriptions[id]?.owner = nil
    count(.archive(id))
    guard membership == id else { return .unlinked }
    membership = nil
    count(.snapshot(id, "apple.unlink"))
    count(.unlinkMail(id))
    return .unlinked
  }
}
