package import JSONValues

/// The reason why a line cannot be decided.
package struct LineFailure: Error {
  /// The place: member names joined by dots; empty for the line itself.
  package var path = ""
  /// The fault there, without the value.
  package var error: String

  package init(path: String = "", error: String) {
    self.path = path
    self.error = error
  }

  /// The output for the line, with its number.
  package func line(number: Int) -> [UInt8] {
    let parts = [
      ("line", JSONValue.integer(number)), ("path", .string(path)), ("error", .string(error)),
    ]
    return Array(json: parts)
  }
}

extension LineFailure: MemberFailure {
  package init(_ fault: MemberFault) {
    path = fault.failure.path
    error =
      switch fault.detail {
      case .notJSON(let failure): "no JSON: \(failure)"
      case .notOneOf(let words): "expected one of \(words.joined(separator: ", "))"
      case .outOfRange, nil: "expected \(fault.failure.expected), found \(fault.failure.found)"
      }
  }
}

extension [UInt8] {
  /// A JSON object whose members keep this order.
  package init(json members: [(String, JSONValue)]) {
    self.init(members: members.map { ($0, $1.serialized) })
  }

  /// A JSON object of members whose values are JSON already; the members keep this order, and all are kept.
  package init(members: [(String, [UInt8])]) {
    self = [UInt8(ascii: "{")]
    for (place, member) in members.enumerated() {
      if place > 0 { append(UInt8(ascii: ",")) }
      append(contentsOf: JSONValue.string(member.0).serialized)
      append(UInt8(ascii: ":"))
      append(contentsOf: member.1)
    }
    append(UInt8(ascii: "}"))
  }
}
