/// Why a store could not do what it was asked.
///
/// Texts of drivers are for logs of the host (`detail`) and never in `description`.
public enum StorageFailure: Error, Hashable, Sendable {
  /// A field that is unique over all rows.
  public enum UniqueField: String, Hashable, Sendable, CaseIterable {
    /// The compound id of a membership.
    case compoundID
    /// The id of a membership's row.
    case membershipID
    /// The `ftcID` of a membership.
    case ftcID
    /// The `unionID` of a membership.
    case unionID
    /// The Apple subscription of a membership.
    case appleSubscriptionID
    /// The Stripe subscription of a membership.
    case stripeSubscriptionID
    /// The licence of a membership.
    case b2bLicenceID
    /// Another key.
    case other
  }

  /// A value is there already that may be there once.
  case duplicate(UniqueField)
  /// Units of work conflicted, also after several tries.
  case conflict
  /// The database cannot be reached now; nothing was kept, or it is not known whether it was
  /// (`mayHaveCommitted`).
  case unavailable(mayHaveCommitted: Bool, detail: String)
  /// The database is of a newer version of this library.
  case newerSchema(Int)
  /// An identifier or text that no row can have: too long, or with a zero byte.
  case invalidValue(field: String)
  /// Anything else the database reported.
  case database(code: Int, detail: String)
}
