package import JSONValues
internal import ReceiptModels

// The failures of a performance test: an object with a count for each result.
extension Dictionary: FieldValue where Key == SendAttemptResult, Value == Int {
  package static var kind: JSONKind { .object }

  package init(json: JSONValue) throws(FieldTypeFailure) {
    guard case .object(let members) = json else {
      throw FieldTypeFailure(expected: .object, found: json.kind)
    }
    self = [:]
    for (name, value) in members {
      do throws(FieldTypeFailure) {
        self[SendAttemptResult(rawValue: name)] = try Int(json: value)
      } catch {
        throw error.inside(member: name)
      }
    }
  }

  package var json: JSONValue {
    var members: [String: JSONValue] = [:]
    for (result, count) in self { members[result.rawValue] = .integer(count) }
    return .object(members)
  }
}
