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
    case .invalidValue(let field): "a value cannot be stored: \(field)"
    case .database(let code, _): "the database reported the code \(code)"
    }
  }
}

extension StorageFailure: CustomReflectable {
  /// The description alone, so that no dump shows the driver's text.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// An error whose description holds no secret, so that the line of an incident shows it.
///
/// Of any other error only the type is shown.
package protocol PrintableFailure: Error {}
