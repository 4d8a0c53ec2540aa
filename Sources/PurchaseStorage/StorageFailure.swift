/// The reason why a store could not do what it was asked.
///
/// Texts of drivers are for the host's logs (`detail`) and never in `description`.
@nonexhaustive
public enum StorageFailure: Error, Hashable, Sendable {
  /// A field whose values are unique over all rows.
  public enum UniqueField: String, Hashable, Sendable, CaseIterable {
    /// The key of a membership.
    case accountID
    case membershipID
    case primaryID
    case secondID
    /// The Apple subscription of a membership.
    case originalTransactionID
    case providerSubscriptionID
    case licenceID
    /// The environment and transaction of a credit product.
    case creditTransaction
    /// The environment and event of an entry in a ledger.
    case ledgerEvent
    case other
  }

  case duplicate(UniqueField)
  /// Units of work conflicted, also after several attempts.
  case conflict
  /// The database cannot be reached now; either nothing was kept, or it is not known whether it was
  /// (`mayHaveCommitted`).
  case unavailable(mayHaveCommitted: Bool, detail: String)
  /// The database belongs to a newer version of this library.
  case newerSchema(Int)
  /// The database has no tables of a capability, which a service or a unit of work needs.
  case capabilityMissing(StoreCapability)
  /// An identifier or a text that no row can hold: too long, or with a zero byte.
  case invalidValue(field: Field)
  case database(code: Int, detail: String)
}
