public import EntitlementPolicy
public import ReceiptModels

/// The rows of a user for some apps in no particular order, as one unit of work reads them.
///
/// Source: entitlement rules, sections 4 and 5.
public struct HoldingRows: Sendable {
  public var associations: [PurchaseAssociation]
  /// Those of the associated purchases, each with its environment.
  public var transactions: [PurchaseRecord]
  /// Those of the associated purchases, each with its environment.
  public var renewals: [RenewalRecord]
  /// The associated purchases whose present state could not be learned.
  public var unanswered: [UnansweredPurchase]
  /// The products that the user acquired in the first of these apps.
  public var acquired: [AcquiredProduct]
  public var validations: [AppValidation]

  /// Creates rows.
  public init(
    associations: [PurchaseAssociation] = [], transactions: [PurchaseRecord] = [],
    renewals: [RenewalRecord] = [], unanswered: [UnansweredPurchase] = [],
    acquired: [AcquiredProduct] = [],
    validations: [AppValidation] = []
  ) {
    self.associations = associations
    self.transactions = transactions
    self.renewals = renewals
    self.unanswered = unanswered
    self.acquired = acquired
    self.validations = validations
  }
}
