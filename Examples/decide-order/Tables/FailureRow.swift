import OrderPolicy
import ReceiptModels

/// A row of the table of failures (entitlement rules, section 13).
struct FailureRow {
  var words: String
  /// The answer about the purchase with a key.
  var word: @Sendable (PurchaseKey) -> VendorAnswer

  static let all: [FailureRow] =
    [ExplicitFailure.Reason.invalid, .expired, .noSubscription, .paymentPending].map { reason in
      FailureRow(words: "explicit, `\(reason.rawValue)`") { key in
        .explicitFailure(ExplicitFailure(reason, purchaseKey: key))
      }
    }
    + [
      FailureRow(words: "explicit, `invalid`, names no purchase") { _ in
        .explicitFailure(ExplicitFailure(.invalid))
      },
      FailureRow(words: "incidental") { _ in .incidentalFailure(IncidentalFailure(.unreachable)) },
      FailureRow(words: "valid, but no level has the product") { key in
        .valid(
          VendorPurchase(
            productID: "reader.other", expiration: TableScene.purchase.expiration,
            purchaseKey: key))
      },
    ]

  var markdown: String {
    let row = TableScene.stored(TableScene.purchaseKey, days: 5)
    let situation = OrderSituation(subscription: row)
    return RuleTables.row([
      words, Self.words(TableScene.order(word(TableScene.purchaseKey), situation)),
      Self.words(TableScene.order(word(TableScene.key("9")), situation)),
      Self.words(TableScene.login(word(TableScene.purchaseKey), row)),
    ])
  }

  private static func words(_ one: OrderCase?) -> String {
    guard let answer = one?.answer else { return "" }
    let fate = answer.stored == nil ? "row removed" : "row kept"
    return answer.decision + (answer.code.map { " `\($0)`" } ?? "") + ", " + fate
  }
}
