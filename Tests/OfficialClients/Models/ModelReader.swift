import Foundation
import JSONValues

/// Reads documents with the models of this package, for `Tests/OfficialClients/models.py`.
///
/// A line of the standard input names a model and has a document; the line of the answer has the document as it
/// is written again, or the member that was refused. The first line of all has the values of all vocabularies.
@main
enum ModelReader {
  static func main() throws {
    write(.object(["values": .object(["google": google.values, "apple": apple.values])]))
    while let line = readLine() {
      write(answer(try JSONValue(parsing: Array(line.utf8))))
    }
  }

  private static func answer(_ question: JSONValue) -> JSONValue {
    guard case .string(let vendor)? = question["vendor"],
      case .string(let name)? = question["model"], let document = question["json"],
      let model = (vendor == "google" ? google : apple).models[name]
    else { return .object(["hasModel": .boolean(false)]) }
    return model(document)
  }

  /// Writes a line at once, as the other side waits for it.
  private static func write(_ json: JSONValue) {
    FileHandle.standardOutput.write(Data(json.serialized + [UInt8(ascii: "\n")]))
  }
}

/// The models of one vendor, by the vendor's names.
struct VendorModels: Sendable {
  /// Returns the answer about a document.
  typealias Model = @Sendable (JSONValue) -> JSONValue

  private(set) var models: [String: Model] = [:]
  private var vocabularies: [String: JSONValue] = [:]

  var values: JSONValue { .object(vocabularies) }

  mutating func add<Type: JSONModel>(_ name: String, _ type: Type.Type) {
    models[name] = { json in
      do throws(FieldTypeFailure) {
        return .object(["json": try Type(json: json).json])
      } catch {
        return .object(["refused": .string(error.path)])
      }
    }
  }

  mutating func add(values: some Sequence<JSONValue>, of name: String) {
    vocabularies[name] = .array(Array(values))
  }
}
