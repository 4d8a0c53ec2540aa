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
  /// The database does not give a promise on which the records rest.
  case guaranteeMissing(Guarantee)
  /// An identifier or a text that no row can hold: too long, or with a zero byte.
  case invalidValue(field: Field)
  case database(code: Int, detail: String)
}

extension StorageFailure {
  /// A promise of a database on which the records rest.
  public enum Guarantee: String, Hashable, Sendable, CaseIterable {
    /// The oldest version of the server that has the functions used.
    case version
    /// Isolation levels: committed rows for a writer, one snapshot for a reader.
    case isolation
    /// Rows stay locked from reading to the end of the transaction.
    case rowLocks = "locks of rows"
    /// Unique keys that the server enforces.
    case uniqueKeys = "unique keys"
    /// A connection to the server has its session for itself: prepared statements, settings and locks stay with it.
    ///
    /// A pooler that lends a session for a transaction only does not give it.
    case ownSession = "a session of its own"
  }

  /// A field of a row, and the side that its value comes from.
  ///
  /// The side tells whose fault a value is that no row can hold. It belongs to the row and not to the name: the
  /// identifier of an event is signed where a purchase is booked, and the caller's where a service books.
  public struct Field: Hashable, Sendable {
    /// The side that a value comes from.
    public enum Origin: Hashable, Sendable {
      /// A store signed or said it, as in a transaction, a receipt or an answer.
      case evidence
      /// The caller chose it, as the identifier of a user.
      case caller
      /// The host or this library made it, as a setting or the name of a job.
      case host
    }

    public let name: String
    public let origin: Origin

    /// Creates a field.
    public init(_ name: String, from origin: Origin) {
      self.name = name
      self.origin = origin
    }

    /// Returns a field whose value a store signed or said.
    public static func evidence(_ name: String) -> Field { Field(name, from: .evidence) }

    /// Returns a field whose value the caller chose.
    public static func caller(_ name: String) -> Field { Field(name, from: .caller) }
  }
}

extension StorageFailure.Field: ExpressibleByStringLiteral {
  /// Creates a field whose value the host or this library made.
  public init(stringLiteral name: String) { self.init(name, from: .host) }
}

extension StorageFailure.Field: CustomStringConvertible {
  public var description: String { name }
}

extension StorageFailure: CustomStringConvertible {
  public var description: String {
    switch self {
    case .duplicate(let field): "duplicate value in a unique field: \(field.rawValue)"
    case .conflict: "units of work conflicted"
    case .unavailable(mayHaveCommitted: false, _): "the database cannot be reached"
    case .unavailable(mayHaveCommitted: true, _):
      "the database was lost; what was written may have been kept"
    case .capabilityMissing(let capability):
      "the database has no \(capability.rawValue): open the store with that capability too"
    case .newerSchema(let number): "the database is of a newer version, step \(number)"
    case .guaranteeMissing(let guarantee): "the database does not promise: \(guarantee.rawValue)"
    case .invalidValue(let field): "a value cannot be stored: \(field)"
    case .database(let code, _):
      isFull
        ? "the disk is full (code \(Self.text(of: code)))" : Self.words(for: Self.text(of: code))
    }
  }

  // Those of MariaDB are numbers: ER_ACCESS_DENIED_ERROR, ER_BAD_DB_ERROR, ER_DBACCESS_DENIED_ERROR,
  // ER_TABLEACCESS_DENIED_ERROR, ER_COLUMNACCESS_DENIED_ERROR.
  private static func words(for code: String) -> String {
    switch code {
    case "1045", "28000", "28P01": "the database refuses the user or the password (code \(code))"
    case "1049", "3D000": "the server has no such database (code \(code))"
    case "1044", "1142", "1143", "42501":
      "the database gives the user no right to do this (code \(code))"
    default: "the database reported the code \(code)"
    }
  }

  /// A code as the database's own documentation has it: those of PostgreSQL are five letters and digits, kept in base 36.
  private static func text(of code: Int) -> String {
    // The smallest one, 01000, is beyond all codes of the others.
    guard code >= 46_656, code < 60_466_176 else { return "\(code)" }
    let text = String(code, radix: 36, uppercase: true)
    return String(repeating: "0", count: 5 - text.utf8.count) + text
  }

  /// Whether the database has no room for what was written: its disk is full, or the limit of its size is reached.
  public var isFull: Bool {
    guard case .database(let code, _) = self else { return false }
    return Self.codesOfFullDisks.contains(code)
  }

  // SQLITE_FULL; ER_DISK_FULL and ER_RECORD_FILE_FULL of MariaDB; 53100 of PostgreSQL, in base 36. No code of one is
  // another's.
  private static let codesOfFullDisks: Set<Int> = [13, 1021, 1114, 8_539_344]
}

extension StorageFailure: CustomReflectable {
  /// The description alone, so that no dump shows the driver's text.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// An error whose description holds no secret, so that the line of an incident shows it.
///
/// Of any other error only the type is shown.
package protocol PrintableFailure: Error {}
