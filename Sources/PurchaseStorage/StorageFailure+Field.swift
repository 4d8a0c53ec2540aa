extension StorageFailure {
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
