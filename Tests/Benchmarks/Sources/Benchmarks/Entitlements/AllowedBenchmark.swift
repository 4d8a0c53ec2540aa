import CBaseline
import EntitlementPolicy
import Foundation
import ReceiptModels

/// The decision about what a user may use, at growing numbers of listed products.
struct AllowedBenchmark {
  let rounds: Int

  private static let sizes = [1_000, 10_000, 50_000]
  private static let purchases = 1_000
  private static let calls = 20
  private static let now = Date(timeIntervalSince1970: 1_700_000_000)

  struct UnexpectedResult: Error {}

  func run() throws {
    print(
      "what a user with \(Self.purchases) purchases, as many acquired products and a subscription may use;"
    )
    print("CPU time, medians of \(rounds) rounds, sizes of the list in turn")
    let scenes = try Self.sizes.map(Scene.init)
    var costs = Measurement()
    for round in 0...rounds {
      for scene in scenes {
        try costs.add(round == 0 ? "warm up" : "\(scene.size)", count: Self.calls) {
          for _ in 0..<Self.calls { try scene.decide() }
        }
      }
    }
    for scene in scenes {
      costs.show(
        "\(scene.size) products", "\(scene.size)", [("\(Self.sizes[0])", 1)],
        "the cost at \(Self.sizes[0])")
    }
  }

  /// A user, and a list of products.
  struct Scene {
    let size: Int
    let catalog: ProductCatalog
    let transactions: [PurchaseRecord]
    let acquired: [AcquiredProduct]

    init(size: Int) throws {
      self.size = size
      var elements = (0..<size - 1).map {
        #"{"identifier":"\#(Self.id($0))","productType":"nonConsumable"}"#
      }
      elements.append(#"{"identifier":"full","productType":"renewableSubscription"}"#)
      // A list has at most 20,000 elements; the others are discounts.
      if elements.count > 20_000 {
        let discounts = (19_999..<size - 1).map { "\"\(Self.id($0))\"" }.joined(separator: ",")
        elements =
          Array(elements.prefix(19_998)) + [
            #"{"identifier":"\#(Self.id(19_998))","productType":"nonConsumable","discountedProducts":[\#(discounts)]}"#,
            #"{"identifier":"full","productType":"renewableSubscription"}"#,
          ]
      }
      catalog = try ProductCatalog(json: Array("[\(elements.joined(separator: ","))]".utf8))
      transactions = (0..<AllowedBenchmark.purchases).map { number in
        var record = PurchaseRecord(
          transactionID: "\(500_000 + number)", originalTransactionID: "\(500_000 + number)",
          productID: number == 0 ? "full" : Self.id(number * (size - 1) / 1_001))
        record.environment = .production
        record.productType = number == 0 ? .autoRenewableSubscription : .nonConsumable
        record.purchaseDate = AllowedBenchmark.now - 86_400
        record.expiresDate = number == 0 ? AllowedBenchmark.now + 86_400 : nil
        return record
      }
      acquired = (0..<AllowedBenchmark.purchases).map {
        AcquiredProduct(
          productID: Self.id($0), acquiredDate: AllowedBenchmark.now, viaProductID: "full")
      }
    }

    func decide() throws {
      let purchases = AppPurchases(
        bundleID: "com.example.draw", transactions: transactions, catalog: catalog)
      let answer = Entitlements(
        of: Holdings(purchases: purchases, acquired: acquired), catalog: catalog,
        at: AllowedBenchmark.now)
      guard answer.isSubscriber, answer.allowedProducts.count >= AllowedBenchmark.purchases - 1
      else { throw UnexpectedResult() }
    }

    private static func id(_ number: Int) -> String { "com.example.draw.product.\(number)" }
  }
}
