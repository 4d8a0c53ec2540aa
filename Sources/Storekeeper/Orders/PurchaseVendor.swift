public import OrderPolicy
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store that can say how a subscription stands now.
///
/// An ``OrderService`` has one for each ``/ReceiptModels/Vendor``; a host may add its own.
///
/// Source: entitlement rules, section 13.
public protocol PurchaseVendor: Sendable {
  /// The name of the vendor in orders, and in the keys of its purchases.
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

  /// Asks about evidence, and also returns the verified facts behind the answer, which the service records.
  ///
  /// By default this is ``check(_:for:at:)`` without facts; the service calls this only.
  ///
  /// - Parameters:
  ///   - receiptData: The evidence, 1 byte to 1 MiB.
  ///   - purpose: The purpose, on which the meaning of some answers depends.
  ///   - now: The present moment.
  /// - Returns: The vendor's word, and the facts.
  func report(
    on receiptData: String, for purpose: VendorCheckPurpose, at now: Date
  ) async -> VendorReport

  /// Returns the key of the purchase that evidence is about, or nil if only the vendor knows it, as by default.
  ///
  /// Its environment may be any one where the vendor's identifiers tell purchases apart without it.
  ///
  /// - Parameter receiptData: The evidence.
  /// - Returns: The key, or nil.
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
