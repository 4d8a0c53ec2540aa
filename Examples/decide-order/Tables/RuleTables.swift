import Foundation
import OrderPolicy
import ReceiptModels

/// The tables of the rules of orders as Markdown, each row decided anew.
enum RuleTables {
  static var markdown: String {
    """
    # Orders

    User u1 orders with a purchase of the level Pro that ends at noon of day 10; it is noon of day 0.

    ## A purchase that gives a subscription

    The older purchase is the one that the vendor says the new one replaced.

    | stored | owner of the purchase | owner of the older purchase | decision | code |
    | --- | --- | --- | --- | --- |
    \(PurchaseRow.all.map(\.markdown).joined(separator: "\n"))

    ## A vendor that refuses, or says nothing

    The purchase of the order is the stored one, or another.

    | answer | order with the stored purchase | order with another purchase | login |
    | --- | --- | --- | --- |
    \(FailureRow.all.map(\.markdown).joined(separator: "\n"))

    """
  }

  static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}

/// The parts that the rows of the tables are made of.
enum TableScene {
  static let noon = Date(timeIntervalSince1970: 1_777_377_600)
  static let day: TimeInterval = 86_400
  static let user: AccountID = "u1"
  static let purchaseKey = key("1")
  static let olderKey = key("2")

  private static let products = [("Basic", "reader.basic"), ("Pro", "reader.pro")]

  static func key(_ identifier: String) -> PurchaseKey {
    PurchaseKey(vendor: .apple, environment: .production, identifier: identifier)
  }

  /// A purchase of the level Pro that ends on day 10.
  static var purchase: VendorPurchase {
    VendorPurchase(productID: "reader.pro", expiration: noon + 10 * day, purchaseKey: purchaseKey)
  }

  /// A stored subscription that ends so many days from noon.
  static func stored(_ purchaseKey: PurchaseKey, days: Int) -> OrderedSubscription {
    OrderedSubscription(
      userID: user, levelName: "Basic", purchaseKey: purchaseKey, receiptData: "-",
      expiration: noon + Double(days) * day, validatedDate: noon - day)
  }

  /// A case of these levels.
  static func order(_ word: VendorAnswer, _ situation: OrderSituation) -> OrderCase? {
    one(.order(SubscriptionOrder(userID: user, vendor: .apple, receiptData: "-")), word, situation)
  }

  static func login(_ word: VendorAnswer, _ row: OrderedSubscription) -> OrderCase? {
    one(.stored(row), word, OrderSituation(subscription: row))
  }

  private static func one(
    _ subject: OrderCase.Subject, _ word: VendorAnswer, _ situation: OrderSituation
  ) -> OrderCase? {
    let levels = products.map { name, product in
      SubscriptionLevel(name: name, description: "", quota: 1, fee: "1", appleProductID: product)
    }
    return (try? SubscriptionLevels(levels)).map {
      OrderCase(subject: subject, word: word, levels: $0, situation: situation, now: noon)
    }
  }
}

extension OrderCase {
  fileprivate init(
    subject: Subject, word: VendorAnswer, levels: SubscriptionLevels, situation: OrderSituation,
    now: Date
  ) {
    self.subject = subject
    self.word = word
    self.levels = levels
    self.situation = situation
    self.now = now
  }
}
