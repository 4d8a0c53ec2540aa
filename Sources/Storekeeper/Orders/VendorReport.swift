public import EntitlementPolicy
internal import PurchaseStorage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A vendor's word about evidence, with the verified facts behind it.
public struct VendorReport: Sendable {
  /// The vendor's word.
  public let answer: VendorAnswer
  /// The facts, or nil if there are none that can be recorded.
  public let facts: PurchaseFacts?

  /// The original transaction ID of a purchase that is over for good and that the vendor describes no more.
  let forgottenID: String?

  /// Creates a report.
  public init(_ answer: VendorAnswer, facts: PurchaseFacts? = nil) {
    self.init(answer, facts: facts, forgottenID: nil)
  }

  init(_ answer: VendorAnswer, facts: PurchaseFacts? = nil, forgottenID: String?) {
    self.answer = answer
    self.facts = facts
    self.forgottenID = forgottenID
  }

  /// Returns the facts to record: those of the report, or the end of a stored purchase that was forgotten.
  func facts(in records: any PurchaseRecords, at now: Date) async throws -> [PurchaseFacts] {
    if let facts { return [facts] }
    guard let forgottenID else { return [] }
    return try await PurchaseFacts.ends(of: forgottenID, asOf: now, in: records)
  }
}
