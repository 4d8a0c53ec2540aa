public import OrderPolicy
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store that can say how a subscription stands now.
///
/// An ``OrderService`` has one for each ``/ReceiptModels/Vendor``; a host may add its own. Source: entitlement rules,
/// section 13.
public protocol PurchaseVendor: Sendable {
  /// The name of the vendor in orders, and in the keys of its purchases.
  var vendor: Vendor { get }

  /// Asks about evidence, 1 byte to 1 MiB.
  ///
  /// Failures are answers, and the meaning of some depends on the purpose. Whether the levels have the product, and
  /// to whom the purchase belongs, is not checked.
  func check(
    _ receiptData: String, for purpose: VendorCheckPurpose, at now: Date
  ) async -> VendorAnswer

  /// Asks about evidence as ``check(_:for:at:)`` does, and also returns the verified facts behind the answer, which
  /// the service records.
  ///
  /// By default there are no facts; the service calls this only.
  func report(
    on receiptData: String, for purpose: VendorCheckPurpose, at now: Date
  ) async -> VendorReport

  /// Returns the key of the purchase that evidence is about, or nil if only the vendor knows it, as by default.
  ///
  /// Its environment may be any one where the vendor's identifiers tell purchases apart without it.
  func purchaseKey(of receiptData: String) -> PurchaseKey?
}

extension PurchaseVendor {
  /// Returns the vendor's word without facts.
  public func report(
    on receiptData: String, for purpose: VendorCheckPurpose, at now: Date
  ) async -> VendorReport {
    VendorReport(await check(receiptData, for: purpose, at: now))
  }

  /// Returns nil.
  public func purchaseKey(of receiptData: String) -> PurchaseKey? { nil }
}
