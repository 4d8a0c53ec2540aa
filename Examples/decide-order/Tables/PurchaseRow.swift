import OrderPolicy
import ReceiptModels

/// A row of the table of purchases that give a subscription (entitlement rules, section 14).
struct PurchaseRow {
  /// Somebody who may have claimed a purchase.
  enum Owner: String, CaseIterable {
    case nobody, user, other

    var id: AccountID? {
      switch self {
      case .nobody: nil
      case .user: TableScene.user
      case .other: "u2"
      }
    }

    var words: String {
      switch self {
      case .nobody: "nobody"
      case .user: "u1"
      case .other: "another user"
      }
    }
  }

  var words: String
  var stored: OrderedSubscription?
  var owner: Owner
  /// Nil for a purchase that replaced no other one.
  var linkedOwner: Owner?

  static let all: [PurchaseRow] = records.flatMap { words, stored in
    Owner.allCases.flatMap { owner in
      ([nil] + Owner.allCases.map(Optional.some)).map {
        PurchaseRow(words: words, stored: stored, owner: owner, linkedOwner: $0)
      }
    }
  }

  private static let records: [(String, OrderedSubscription?)] = [
    ("nothing", nil),
    ("this purchase", TableScene.stored(TableScene.purchaseKey, days: 5)),
    ("the older purchase, ends later", TableScene.stored(TableScene.olderKey, days: 20)),
    ("a third purchase, ends earlier", TableScene.stored(TableScene.key("3"), days: 5)),
    ("a third purchase, ends later", TableScene.stored(TableScene.key("3"), days: 20)),
    ("a third purchase, has ended", TableScene.stored(TableScene.key("3"), days: -1)),
  ]

  var markdown: String {
    var purchase = TableScene.purchase
    if linkedOwner != nil { purchase.linkedPurchaseKeys = [TableScene.olderKey] }
    let answer = TableScene.order(
      .valid(purchase),
      OrderSituation(subscription: stored, owner: owner.id, linkedOwner: linkedOwner?.id)
    )?.answer
    return RuleTables.row([
      words, owner.words, linkedOwner?.words ?? "there is none", answer?.decision ?? "",
      answer?.code.map { "`\($0)`" } ?? "",
    ])
  }
}
