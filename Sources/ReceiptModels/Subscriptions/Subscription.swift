public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A subscription as the service keeps and shows it: one for each original transaction id.
///
/// In JSON every member is there, also those that are null. Identifiers of transactions are checked
/// on reading; what is set in code is not. Dates have whole seconds in JSON.
///
/// Source: contract on linking, section 1.2.
public struct Subscription: FieldModel {
  /// Where the subscription was bought; read in any case.
  public var environment: AppStoreEnvironment = .production
  /// The identifier of the first charge: 1 to 64 digits.
  public var originalTransactionID: String = ""
  /// The identifier of the latest transaction: 1 to 64 digits.
  public var lastTransactionID: String = ""
  /// The product of the latest transaction.
  public var productID: String = ""
  /// When the latest transaction was charged.
  public var purchaseDate: Date = Date(timeIntervalSince1970: 0)
  /// The effective end, which a refund brings forward.
  public var expiresDate: Date = Date(timeIntervalSince1970: 0)
  /// What the membership includes.
  public var tier: Tier = .standard
  /// How often it is paid.
  public var cycle: BillingCycle = .month
  /// Whether it will renew by itself.
  public var autoRenewal: Bool = false
  /// When the row was first stored, or nil if it is not.
  public var createdDate: Date?
  /// When the stored row last changed, or nil if it is not stored.
  public var updatedDate: Date?
  /// The account that owns the subscription; an empty text is read as nil.
  public var ftcUserID: String?
  /// Whether a membership carries this subscription and belongs to its owner.
  public var isInUse: Bool = false

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// A subscription that is not stored yet, in the product's tier and cycle.
  public init(
    environment: AppStoreEnvironment, originalTransactionID: String, lastTransactionID: String,
    productID: String, purchaseDate: Date, expiresDate: Date, tier: Tier, cycle: BillingCycle,
    autoRenewal: Bool
  ) {
    self.environment = environment
    self.originalTransactionID = originalTransactionID
    self.lastTransactionID = lastTransactionID
    self.productID = productID
    self.purchaseDate = purchaseDate
    self.expiresDate = expiresDate
    self.tier = tier
    self.cycle = cycle
    self.autoRenewal = autoRenewal
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("environment", &environment)
    if let known = AppStoreEnvironment(anyCase: environment.rawValue) { environment = known }
    try coder.digits("originalTransactionId", &originalTransactionID)
    try coder.digits("lastTransactionId", &lastTransactionID)
    try coder.required("productId", &productID)
    try coder.timestamp("purchaseDateUtc", &purchaseDate)
    try coder.timestamp("expiresDateUtc", &expiresDate)
    try coder.required("tier", &tier)
    try coder.required("cycle", &cycle)
    try coder.preset("autoRenewal", &autoRenewal)
    try coder.nullableTimestamp("createdUtc", &createdDate)
    try coder.nullableTimestamp("updatedUtc", &updatedDate)
    try coder.nullableText("ftcUserId", &ftcUserID)
    try coder.preset("inUse", &isInUse)
  }
}
