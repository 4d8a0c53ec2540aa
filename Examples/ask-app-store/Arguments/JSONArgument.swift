import JSONValues
import StorekeeperToolSupport

/// An argument that is JSON: the text itself, `@FILE`, or `-` for standard input.
enum JSONArgument {
  /// Reads a model of a request.
  ///
  /// - Throws: ``UsageFailure`` if the argument is not JSON, and `FieldTypeFailure` if it is no such
  ///   request.
  static func model<Model: JSONModel>(_ argument: String, as type: Model.Type) throws -> Model {
    try Model(json: json(argument))
  }

  static func json(_ argument: String) throws(UsageFailure) -> JSONValue {
    let bytes: [UInt8]
    if argument == "-" {
      bytes = try Contents.ofFile("-")
    } else if argument.hasPrefix("@") {
      bytes = try Contents.ofFile(String(argument.dropFirst()))
    } else {
      bytes = Array(argument.utf8)
    }
    do {
      return try JSONValue(parsing: Wrapping.withoutMark(bytes))
    } catch {
      throw UsageFailure("the argument JSON is not JSON")
    }
  }
}
