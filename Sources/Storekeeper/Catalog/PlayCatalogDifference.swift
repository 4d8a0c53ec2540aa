public import ReceiptModels

/// A difference between a host's list of products and the Play Console.
public enum PlayCatalogDifference: Hashable, Sendable {
  /// The Play Console does not have a product, or a base plan of it, that the host names.
  case missing(productID: String, basePlanID: String?)
  /// A subscription in one of the two is a one-time product in the other.
  case otherKind(productID: String)
  /// The host sells a product that cannot be bought.
  case notForSale(productID: String)
  /// A base plan is billed in another rhythm than its membership's cycle says.
  case otherPeriod(
    productID: String, basePlanID: String, cycle: BillingCycle, billingPeriod: String)
  /// A product, or a base plan of it, is for sale that no list of the host names.
  case unlisted(productID: String, basePlanID: String?)
}

extension PlayCatalogDifference: CustomStringConvertible {
  /// The difference in plain words, with the product.
  public var description: String {
    func name(_ product: String, _ plan: String?) -> String {
      plan.map { "\(product):\($0)" } ?? product
    }
    return switch self {
    case .missing(let product, let plan): "\(name(product, plan)) is not in the Play Console"
    case .otherKind(let product):
      "\(product) is a subscription in one place, and a one-time product in the other"
    case .notForSale(let product): "\(product) cannot be bought at Google Play"
    case .otherPeriod(let product, let plan, let cycle, let period):
      "\(name(product, plan)) is billed every \(period), not every \(cycle.rawValue)"
    case .unlisted(let product, let plan):
      "\(name(product, plan)) is for sale at Google Play, and is in no list"
    }
  }
}
