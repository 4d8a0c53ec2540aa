/// A request of a lane to the subscription service, as the ledger spells it.
enum Operation: Hashable, Sendable {
  /// The news in the receipt of a verification.
  enum News: String, Hashable, Sendable {
    case bought, renewed, switchedOff, switchedOn, refunded
  }

  /// The account that asks.
  enum Who: String, Hashable, Sendable {
    /// The account of the lane.
    case member
    /// An account that claims another's subscription.
    case rival
  }

  case verify(id: String, News)
  case link(Who, id: String, force: Bool)
  case unlink(id: String)

  var id: String {
    switch self {
    case .verify(let id, _), .link(_, let id, _), .unlink(let id): id
    }
  }
}

/// The outcome of a request.
enum Outcome: Hashable, Sendable {
  case kept, linked, unlinked
  case refusedAsAnothers, refusedAsHasOther, refusedAsNotLinked
}

extension Operation: CustomStringConvertible {
  /// The words of the line.
  var description: String {
    switch self {
    case .verify(let id, let news): "verify \(id) \(news.rawValue)"
    case .link(let who, let id, let force): "link \(id) \(who.rawValue) \(force)"
    case .unlink(let id): "unlink \(id)"
    }
  }

  /// Reads the words of a line.
  init?(_ words: [Substring]) {
    guard words.count >= 2 else { return nil }
    let id = String(words[1])
    switch (words[0], words.count) {
    case ("verify", 3):
      guard let news = News(rawValue: String(words[2])) else { return nil }
      self = .verify(id: id, news)
    case ("link", 4):
      guard let who = Who(rawValue: String(words[2])) else { return nil }
      self = .link(who, id: id, force: words[3] == "true")
    case ("unlink", 2): self = .unlink(id: id)
    default: return nil
    }
  }
}
