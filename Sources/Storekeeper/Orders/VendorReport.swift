public import EntitlementPolicy

/// A vendor's word about evidence, with the verified facts behind it.
public struct VendorReport: Sendable {
  /// The vendor's word.
  public let answer: VendorAnswer
  /// The facts, or nil if there are none that can be recorded.
  public let facts: PurchaseFacts?

  /// Creates a report.
  public init(_ answer: VendorAnswer, facts: PurchaseFacts? = nil) {
    self.answer = answer
    self.facts = facts
  }
}
