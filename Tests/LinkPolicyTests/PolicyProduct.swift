import LinkPolicy
import ReceiptModels

// All that can be combined: what the account has, what others have, the subscription, the settings.

/// What the account has, under whichever of its ids.
enum AccountRows: Sendable, CaseIterable {
  case none, underFtcID, underUnionID, both, bothWithSubscription

  func rows(_ kind: Membership) -> [Membership] {
    let weChat = Account.weChat
    switch self {
    case .none: return []
    case .underFtcID: return [kind]
    case .underUnionID: return [kind.moved(to: weChat)]
    case .both: return [kind.withoutUnionID, .paid(nil, weChat, until: "2021-03-01")]
    case .bothWithSubscription:
      return [kind.withoutUnionID, .iap(weChat, "1000", until: "2021-03-01")]
    }
  }
}

extension Account {
  static let weChat = account(nil, "union-1")
}

extension Membership {
  fileprivate func moved(to account: Account) -> Membership {
    var copy = self
    copy.primaryID = account.primaryID
    copy.secondID = account.secondID
    return copy
  }

  fileprivate var withoutUnionID: Membership {
    var copy = self
    copy.secondID = nil
    return copy
  }

  /// Every kind of a membership of the account.
  static let kinds: [Membership] = {
    let methods: [PayMethod?] = [nil, .alipay, .stripe, .b2b]
    let ends: [(day: String?, renews: Bool)] = [
      ("2021-06-15", false), ("2021-06-15", true), ("2020-11-14", false), ("2020-11-13", false),
      ("2020-11-13", true),
      ("2020-09-14", true), (nil, false),
    ]
    var kinds: [Membership] = []
    for end in ends {
      for method in methods {
        for stale in [nil, "1000"] {
          kinds.append(.paid(method, until: end.day, renews: end.renews, stale: stale))
        }
      }
      for id in ["1000", "2000"] {
        kinds.append(
          .iap(asking, id, renews: end.renews) {
            $0.expireDate = end.day.flatMap { CalendarDay($0) }
          })
      }
    }
    return kinds
  }()
}

/// What others have.
enum OtherRows: Sendable, CaseIterable {
  case none, subscription, expiredSubscription, stale, staleOfUnknownOrigin, sameUnionID

  var rows: [Membership] {
    switch self {
    case .none: []
    case .subscription: [.iap(other)]
    case .expiredSubscription: [.iap(other, until: "2019-01-01", renews: false)]
    case .stale: [.paid(.b2b, other, until: "2021-01-01", stale: "1000")]
    case .staleOfUnknownOrigin: [.paid(nil, other, until: "2019-01-01", stale: "1000")]
    case .sameUnionID: [.paid(.b2b, account("ftc-3", "union-1"), until: "2021-01-01")]
    }
  }
}

/// One combination.
struct Combination {
  var before: World
  var account: Account
  var force: Bool
  var options: LinkOptions

  var decision: LinkDecision { before.link(account, force: force, options) }

  /// From the end of the later memberships to one that has expired; the last is in the Sandbox, whose
  /// gate is closed.
  static let subscriptions: [Subscription] = [
    .wanted(), .wanted(ends: "2021-06-15T00:00:00Z"), .wanted(ends: "2021-06-14T23:59:59Z"),
    .wanted(ends: "2020-11-13T23:59:59Z"), .wanted(ends: "2020-09-14T00:00:00Z"),
    .wanted(environment: .sandbox),
  ]
  static let owners: [AccountID?] = [nil, "ftc-1", "ftc-2"]

  /// Whether a store can hold these rows: every unique key once.
  private static func isPossible(_ rows: [Membership]) -> Bool {
    rows.indices.allSatisfy { place in
      rows[..<place].allSatisfy { rows[place].sharedKey(with: $0) == nil }
    }
  }

  /// Every possible set of rows of the account and of others.
  static func worlds(of place: AccountRows) -> [[Membership]] {
    let kinds = place == .none ? Array(Membership.kinds.prefix(1)) : Membership.kinds
    return kinds.flatMap { kind in
      OtherRows.allCases.map { named(place.rows(kind) + $0.rows) }.filter(isPossible)
    }
  }

  private static func named(_ rows: [Membership]) -> [Membership] {
    rows.enumerated().map { place, row in
      var copy = row
      copy.id = "mmb_\(place)"
      return copy
    }
  }

  /// Every combination with these rows.
  static func all(_ rows: [Membership], contract: LinkContract) -> [Combination] {
    var all: [Combination] = []
    for account in [asking, .weChat] {
      for var subscription in subscriptions {
        for owner in owners {
          subscription.owner = owner
          for (force, strict) in [(false, false), (false, true), (true, false), (true, true)] {
            all.append(
              Combination(
                before: World(subscription, rows: rows), account: account, force: force,
                options: .of(contract, strict: strict)))
          }
        }
      }
    }
    return all
  }
}
