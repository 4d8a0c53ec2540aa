internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A JSON value whose objects keep the order of their members.
///
/// Source: credit rules, section 4; entitlement rules, section 12.
enum OrderedJSON: Sendable {
  case value(JSONValue)
  /// A number with exactly these digits.
  case number(digits: String)
  case array([OrderedJSON])
  case object([Member])

  struct Member: Sendable {
    let name: String
    let value: OrderedJSON

    init(_ name: String, _ value: OrderedJSON) {
      self.name = name
      self.value = value
    }

    init(_ name: String, _ text: String) { self.init(name, .value(.string(text))) }

    init(_ name: String, _ number: Int) { self.init(name, .value(.integer(number))) }
  }

  /// The value as compact JSON in UTF-8.
  var serialized: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    append(to: &bytes)
    return bytes
  }

  private func append(to bytes: inout [UInt8]) {
    switch self {
    case .value(let value): value.append(to: &bytes)
    case .number(let digits): bytes += digits.utf8
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONValue.append(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}

extension OrderedJSON {
  /// Creates an object of members that have these names first, in this order, and then the others by
  /// name; its inner values are sorted by name.
  init(_ members: [String: JSONValue], first names: [String]) {
    let known = names.compactMap { name in members[name].map { Member(name, .value($0)) } }
    let others = members.keys.filter { !names.contains($0) }.sorted()
    self = .object(
      known + others.compactMap { name in members[name].map { Member(name, .value($0)) } })
  }
}

// MARK: Values

extension OrderedJSON {
  static func text(_ text: String?) -> OrderedJSON {
    .value(text.map { .string($0) } ?? .null)
  }

  static func texts(_ texts: [String]) -> OrderedJSON {
    .value(.array(texts.map { .string($0) }))
  }

  /// A moment as RFC 3339 in UTC, in whole seconds rounded down.
  static func date(_ date: Date?) -> OrderedJSON {
    text(date.map { Moment($0).text(as: .rfc3339) })
  }
}
