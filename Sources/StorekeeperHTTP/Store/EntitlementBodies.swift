internal import EntitlementPolicy
internal import JSONValues
internal import ReceiptModels
internal import Storekeeper

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// The bodies of answers about entitlements, with members in the order of the contract (entitlement rules,
// section 10). No member is left out; what is unknown is null.

extension ValidationAnswer {
  var json: OrderedJSON {
    .object(
      entitlements.identity(of: userID) + [.init("associated", .value(.boolean(isAssociated)))]
        + entitlements.moments(evaluated: true) + entitlements.status)
  }
}

extension ProductCatalog {
  /// The products of an app, with their discounts.
  func json(of bundleID: String) -> OrderedJSON {
    .object([
      .init("bundleId", bundleID),
      .init(
        "products",
        .array(
          products.map { product in
            .object(
              [
                .init("identifier", product.identifier),
                .init("productType", product.type.rawValue),
                .init("isSubscribersOnly", .value(.boolean(product.isSubscribersOnly))),
              ] + product.discounts)
          })),
    ])
  }
}

extension CatalogProduct {
  /// The product that this one is a discount of, and the discounts of this one.
  fileprivate var discounts: [OrderedJSON.Member] {
    [
      .init("discountOf", .text(discountOf)),
      .init("discountedProducts", .texts(discountedProducts ?? [])),
    ]
  }
}

extension RestoreAnswer {
  func json(of userID: AccountID) -> OrderedJSON {
    .object(
      entitlements.productMembers(of: userID, evaluated: true) + [
        .init("failedTransactions", .texts(failed))
      ])
  }
}

extension Entitlements {
  /// The way to a product, and the discounts that may be bought in its place.
  ///
  /// - Throws: ``/EntitlementPolicy/PurchaseRoute/Refusal``.
  func json(
    ofRouteTo productID: String, for userID: AccountID
  ) throws(PurchaseRoute.Refusal) -> OrderedJSON {
    let route: String
    switch purchaseRoute(of: productID) {
    case .storePurchase: route = "storePurchase"
    case .acquire: route = "acquire"
    case .refused(let refusal): throw refusal
    }
    return .object(
      identity(of: userID) + [.init("productId", productID), .init("route", route)]
        + (catalog[productID]?.discounts ?? []))
  }

  /// The products of a user; without the date of the answer, the content that decides whether it changed.
  func products(of userID: AccountID, evaluated: Bool) -> OrderedJSON {
    .object(productMembers(of: userID, evaluated: evaluated))
  }

  fileprivate func productMembers(of userID: AccountID, evaluated: Bool) -> [OrderedJSON.Member] {
    identity(of: userID) + moments(evaluated: evaluated) + status + [
      .init("allowedProducts", .texts(allowedProducts)),
      .init("acquiredProducts", .texts(acquiredProducts)),
      .init("unknownProducts", .texts(unknownProducts)),
    ]
  }

  fileprivate func identity(of userID: AccountID?) -> [OrderedJSON.Member] {
    [.init("bundleId", bundleID), .init("userId", .text(userID?.rawValue))]
  }

  fileprivate func moments(evaluated: Bool) -> [OrderedJSON.Member] {
    (evaluated ? [.init("evaluatedAt", .date(date))] : [])
      + [.init("validatedAt", .date(validation?.validatedDate))]
  }

  fileprivate var status: [OrderedJSON.Member] {
    [
      .init("stale", .value(.boolean(isStale))), .init("suspended", .value(.boolean(isSuspended))),
      .init("purchasedProducts", .texts(purchasedProducts)),
      .init("subscription", subscription?.json(isActive: isSubscriber) ?? .value(.null)),
    ]
  }
}

extension SubscriptionStanding {
  fileprivate func json(isActive: Bool) -> OrderedJSON {
    .object([
      .init("bundleId", subscription.bundleID), .init("productId", subscription.productID),
      .init("environment", subscription.environment.rawValue),
      .init("originalTransactionId", subscription.originalTransactionID),
      .init("active", .value(.boolean(isActive))),
      .init("expiresAt", .date(subscription.expiresDate)),
      .init("accessUntil", .date(accessEndDate)),
      .init("cancelledAt", .date(subscription.cancellationDate)),
    ])
  }
}

extension AcquisitionAnswer {
  func json(about productID: String) -> OrderedJSON {
    .object([
      .init("productId", productID), .init("created", .value(.boolean(!created.isEmpty))),
      .init("allowedProducts", .texts(entitlements.allowedProducts)),
    ])
  }

  var jsonOfAll: OrderedJSON {
    .object([
      .init("created", .texts(created)),
      .init("acquiredProducts", .texts(entitlements.acquiredProducts)),
      .init("allowedProducts", .texts(entitlements.allowedProducts)),
    ])
  }
}

extension SubscriberAnswer {
  func json(of userID: AccountID, in bundleID: String) -> OrderedJSON {
    .object([
      .init("bundleId", bundleID), .init("userId", userID.rawValue),
      .init("isSubscriber", .value(.boolean(isSubscriber))),
      .init("productId", .text(subscription?.subscription.productID)),
      .init("expiresAt", .date(subscription?.subscription.expiresDate)),
      .init("validatedAt", .date(validatedDate)),
    ])
  }
}
