public import EntitlementPolicy

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store that can say how a subscription stands now.
///
/// An ``OrderService`` has one for each ``/EntitlementPolicy/Vendor``; a host may add its own.
///
/// Source: entitlement rules, section 13.
public protocol PurchaseVendor: Sendable {
  /// The name of the vendor in orders.
  var vendor: Vendor { get }

  /// Asks about evidence.
  ///
  /// Failures are answers. Whether the levels have the product, and to whom the purchase belongs, is not
  /// checked.
  ///
  /// - Parameters:
  ///   - receiptData: The evidence, 1 byte to 1 MiB.
  ///   - purpose: The purpose, on which the meaning of some answers depends.
  ///   - now: The present moment.
  /// - Returns: The vendor's word.
  func check(
    _ receiptData: String, for purpose: VendorCheckPurpose, at now: Date
  ) async -> VendorAnswer

  /// Returns the key of the purchase that evidence is about, or nil if only the vendor knows it, as by default.
  ///
  /// - Parameter receiptData: The evidence.
  /// - Returns: The key, or nil.
  func purchaseKey(of receiptData: String) -> String?
}

extension PurchaseVendor {
  /// Returns nil.
  public func purchaseKey(of receiptData: String) -> String? { nil }
}
