import StorekeeperFixtures
import Foundation
import JSONValues
import ReceiptModels

/// The values of a receipt among the fixtures, from the file beside it.
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

  /// Returns a date in the forms of the lists.
  static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ssXX"
    return formatter.date(from: text)
  }
}

/// Returns a value of a receipt in the form of the lists: a missing member stands for an absent
/// attribute, null for an empty one.
func listed(_ value: JSONValue?, isPresent: Bool) -> JSONValue? {
  isPresent ? value ?? .null : nil
}
