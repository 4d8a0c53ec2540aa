import OrderPolicy
import JSONValues
import ReceiptModels
import StorekeeperToolSupport

// The word of a vendor (entitlement rules, section 13).
extension LineMembers {
  /// Reads the word of a vendor; a failure about the stored purchase is about its environment.
  func vendorAnswer(
    of vendor: Vendor, besides stored: OrderedSubscription?
  ) throws(LineFailure) -> VendorAnswer {
    let answer = try required("answer", .object, try object("answer"))
    if let purchase = try answer.object("valid") {
      return .valid(try purchase.purchase(at: vendor))
    }
    if let failure = try answer.object("explicitFailure") {
      let reason: ExplicitReason = try failure.required(
        "reason", .string, try failure.choice("reason"))
      let key = try failure.text("purchaseKey").map {
        PurchaseKey(
          vendor: vendor, environment: stored?.environment ?? .production, identifier: $0)
      }
      return .explicitFailure(ExplicitFailure(reason.value, purchaseKey: key))
    }
    let name = "incidentalFailure"
    let failure = try answer.required(name, .object, try answer.object(name))
    let reason: IncidentalReason = try failure.required(
      "reason", .string, try failure.choice("reason"))
    return .incidentalFailure(
      IncidentalFailure(
        reason.value,
        retryAfter: try failure.value("retryAfter", Int.self).map { .seconds($0) },
        needsAttention: try failure.flag("needsAttention") ?? false))
  }

  private func purchase(at vendor: Vendor) throws(LineFailure) -> VendorPurchase {
    let environment = try environment() ?? .production
    func key(_ text: String) -> PurchaseKey {
      PurchaseKey(vendor: vendor, environment: environment, identifier: text)
    }
    return VendorPurchase(
      productID: try neededText("productId"), planID: try text("planId"),
      expiration: try moment("expiration"),
      purchaseKey: key(try neededText("purchaseKey")), receiptData: try text("newReceiptData"),
      linkedPurchaseKeys: try text("linkedPurchaseKey").map { [key($0)] } ?? [],
      isPresent: try value("asked", Bool.self) ?? true)
  }

  /// The reasons that a vendor gives; the others are ours.
  private enum ExplicitReason: String, CaseIterable {
    case invalid, expired
    case noSubscription = "no_subscription"
    case paymentPending = "payment_pending"

    var value: ExplicitFailure.Reason {
      switch self {
      case .invalid: .invalid
      case .expired: .expired
      case .noSubscription: .noSubscription
      case .paymentPending: .paymentPending
      }
    }
  }

  private enum IncidentalReason: String, CaseIterable {
    case unreachable, busy, unreadable, refused, doubtful, paymentPending, otherApp

    var value: IncidentalFailure.Reason {
      switch self {
      case .unreachable: .unreachable
      case .busy: .busy
      case .unreadable: .unreadable
      case .refused: .refused
      case .doubtful: .doubtful
      case .paymentPending: .paymentPending
      case .otherApp: .otherApp
      }
    }
  }
}
