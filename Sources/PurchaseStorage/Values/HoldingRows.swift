public import EntitlementPolicy
public import ReceiptModels

/// The rows of a user for some apps, as one unit of work reads them.
///
/// Source: entitlement rules, sections 4 and 5.
public struct HoldingRows: Sendable {
  /// The associations of the user in these apps, in no particular order.
  public var associations: [PurchaseAssociation]
  /// The transactions of the associated purchases, each with its environment, in no particular order.
  public var transactions: [PurchaseRecord]
  /// The renewal entries of the associated purchases, each with its environment, in no particular order.
  public var renewals: [RenewalRecord]
  /// The associated purchases whose present state could not be learned, in no particular order.
  public var unanswered: [UnansweredPurchase]
  /// The products that the user acquired in the first of these apps, in no particular order.
  public var acquired: [AcquiredProduct]
  /// The validations of the user in these apps, in no particular order.
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
