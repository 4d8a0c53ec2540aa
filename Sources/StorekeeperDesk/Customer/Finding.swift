internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// One reason for what an account has: a sentence, the rule behind it, and the fact that it rests on.
struct Finding: Sendable {
  /// The kind of news that a finding is for the customer.
  enum Tone: String, Sendable {
    case good
    case bad
    case notice
  }

  let tone: Tone
  let sentence: String
  let rule: DeskRule
  /// The purchase that it is about; nil for none.
  var purchase: (id: String, environment: AppStoreEnvironment)?
  /// The account that it leads to; nil for none.
  var account: AccountID?
  /// Who vouched, and the moment as of which it is true; nil for what the host itself recorded.
  var source: (vendor: Vendor, asOf: Date)?

  init(_ tone: Tone, _ sentence: String, _ rule: DeskRule) {
    self.tone = tone
    self.sentence = sentence
    self.rule = rule
  }

  /// Returns the finding with the purchase that it rests on.
  func about(_ purchase: HeldPurchase, leadingTo account: AccountID? = nil) -> Finding {
    var finding = self
    finding.purchase = (purchase.id, purchase.environment)
    finding.source = purchase.asOf.map { (purchase.vendor, $0) }
    finding.account = account
    return finding
  }
}
