import StorekeeperFixtures
import Foundation
import JSONValues
import ReceiptModels

/// The values that a receipt among the fixtures has, as the file beside it lists them.
struct ExpectedReceipt {
  let name: String
  let json: JSONValue
  let der: [UInt8]

  init(path: String) throws {
    name = path
    der = Array(try Fixtures.data(path))
    let list = path.replacing(".der", with: ".expected.json")
    json = try JSONValue(parsing: Array(try Fixtures.data(list)))
  }

  /// The receipts that Apple signed.
  static var paths: [String] { Fixtures.paths(in: "app-receipts", withExtension: "der") }

  var bundleID: String? { text("bundle_id") }
  var creationDate: Date? { text("receipt_creation_date").flatMap(Self.date) }
  var purchases: [JSONValue] {
    guard case .array(let purchases)? = json["in_app"] else { return [] }
    return purchases
  }

  func text(_ member: String) -> String? {
    guard case .string(let text)? = json[member] else { return nil }
    return text
  }

  /// A moment in the forms that the lists have.
  static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ssXX"
    return formatter.date(from: text)
  }
}

/// One value of a receipt in the form of the lists: a missing member is an attribute that is absent,
/// null one that is present and empty.
func listed(_ value: JSONValue?, isPresent: Bool) -> JSONValue? {
  isPresent ? value ?? .null : nil
}
