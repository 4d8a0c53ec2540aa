public import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

extension OrderService {
  /// Asks a vendor about a purchase that it said has changed.
  ///
  /// A stored subscription that rests on it follows the answer. A purchase that nobody has claimed, but which is
  /// marked as a user's or has replaced a user's, becomes that user's, as if ordered.
  ///
  /// - Parameters:
  ///   - receiptData: The evidence, of which the vendor makes the key of the purchase.
  ///   - vendor: The vendor.
  /// - Throws: ``OrderFailure/vendorUnavailable(_:)`` if the vendor cannot be asked, an error of the host's
  ///   accounts, or an error of the store.
  public func purchaseChanged(_ receiptData: String, at vendor: Vendor) async throws {
    guard let asked = self.vendor(vendor),
      (1...SubscriptionOrder.maximumReceiptLength).contains(receiptData.utf8.count),
      let key = asked.purchaseKey(of: receiptData)
    else { return }
    let (owner, stored) = try await store.read { records in
      let owner = try await records.subscriptionClaims.owners(of: [key], from: vendor)[0]
      let stored =
        if let owner { try await records.orderedSubscriptions.find(owner) } else {
          nil as OrderedSubscription?
        }
      return (owner, stored)
    }
    if let stored, stored.vendor == vendor, stored.purchaseKey == key {
      let answer = await asked.check(stored.receiptData, for: .revalidation, at: now())
      try throwIfUnavailable(answer)
      _ = try await follow(answer, of: stored, at: now())
    } else if owner == nil {
      try await adopt(receiptData, from: asked)
    }
  }

  /// Orders a purchase for the user whom it is marked for, or whose purchase it replaced.
  private func adopt(_ receiptData: String, from asked: any PurchaseVendor) async throws {
    let answer = await asked.check(receiptData, for: .order, at: now())
    try throwIfUnavailable(answer)
    guard case .valid(let purchase) = answer else { return }
    var userID = try await markedUser(of: answer)
    if userID == nil, let linked = purchase.linkedPurchaseKey {
      userID = try await store.read {
        try await $0.subscriptionClaims.owners(of: [linked], from: asked.vendor)[0]
      }
    }
    guard let userID else { return }
    _ = try await settle(
      SubscriptionOrder(userID: userID, vendor: asked.vendor, receiptData: receiptData), answer,
      at: now())
  }

  private func throwIfUnavailable(_ answer: VendorAnswer) throws {
    guard case .incidentalFailure(let failure) = answer else { return }
    note(failure)
    throw OrderFailure.vendorUnavailable(failure)
  }
}
