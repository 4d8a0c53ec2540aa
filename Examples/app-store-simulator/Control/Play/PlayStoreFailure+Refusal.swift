import HTTPMessages
import StoreSimulators

extension PlayStoreFailure {
  /// The status of the answer to an order.
  var status: HTTPStatusCode {
    switch self {
    case .unknownProduct, .unknownBasePlan, .unknownPurchase, .unknownOrder: .notFound
    case .otherKind, .quantity: .badRequest
    case .alreadyOwned, .wrongState, .notAcknowledged, .otherPlan, .alreadyRefunded: .conflict
    }
  }

  var message: String {
    switch self {
    case .unknownProduct: "No such product is for sale"
    case .unknownBasePlan: "The product has no such base plan"
    case .unknownPurchase: "There is no such purchase"
    case .unknownOrder: "The purchase has no such order"
    case .otherKind: "A subscription is asked for a product, or a product for a subscription"
    case .quantity: "quantity is missing or has a value that cannot be used"
    case .alreadyOwned: "The customer owns that subscription already"
    case .wrongState: "The state of the purchase does not permit that"
    case .notAcknowledged: "The purchase has to be acknowledged first"
    case .otherPlan: "Only a plan that renews can do that, or only a prepaid one"
    case .alreadyRefunded: "That order was refunded before"
    }
  }
}

/// Runs a call of the Play store, and converts its failure.
func refusingPlay<Result>(
  _ body: () throws(PlayStoreFailure) -> Result
) throws(ControlRefusal) -> Result {
  do throws(PlayStoreFailure) {
    return try body()
  } catch {
    throw .play(error)
  }
}
