/// The members of a JSON object, which are read by name; `null` counts as absent.
///
/// Bodies of requests, lines of tools and answers of servers are read by it. Each has a failure of its own, which
/// is made of the fault.
package struct JSONMembers<Failure: MemberFailure>: Sendable {
  /// The object, in a text where it is, or a value.
  private let source: Source
  /// The path of the object; empty for the whole value.
  private let base: String

  private enum Source {
    case text(JSONText, JSONText.Place)
    case value([String: JSONValue])
  }

  private init(_ source: Source, at base: String) {
    self.source = source
    self.base = base
  }

  package init(_ json: JSONValue) throws(Failure) {
    guard case .object(let members) = json else {
      throw Failure(
        MemberFault(name: "", failure: FieldTypeFailure(expected: .object, found: json.kind)))
    }
    self.init(.value(members), at: "")
  }

  /// Parses a text, which has to be one object within the limits of the failure.
  package init(parsing bytes: [UInt8]) throws(Failure) {
    let text: JSONText
    do throws(JSONValue.SyntaxFailure) {
      text = try JSONText(checking: bytes, within: Failure.limits)
    } catch {
      throw Failure(
        MemberFault(
          name: "", failure: FieldTypeFailure(expected: .object, found: .absent),
          detail: .notJSON(error)))
    }
    guard text.kind(at: text.root) == .object else {
      let kind = text.value(at: text.root).kind
      throw Failure(
        MemberFault(name: "", failure: FieldTypeFailure(expected: .object, found: kind)))
    }
    self.init(.text(text, text.root), at: "")
  }

  /// The value of a member, unless it is absent or `null`.
  package subscript(name: String) -> JSONValue? {
    switch source {
    case .text(let text, let object):
      guard let place = place(of: name, in: text, object) else { return nil }
      return text.value(at: place)
    case .value(let members):
      guard let value = members[name], value.kind != .null else { return nil }
      return value
    }
  }

  private func place(
    of name: String, in text: JSONText, _ object: JSONText.Place
  ) -> JSONText.Place? {
    text.place(of: name, in: object).flatMap { text.kind(at: $0) == .null ? nil : $0 }
  }

  /// The members that are there.
  package var values: [String: JSONValue] {
    let members: [String: JSONValue]
    switch source {
    case .text(let text, let object): members = text.object(at: object)
    case .value(let all): members = all
    }
    return members.filter { $0.value != .null }
  }

  /// The names of the members that are there, in the order of their bytes.
  package var names: [String] { Array(values.keys).uniqueInOrderOfBytes }

  /// Returns the path of a member from the whole value on.
  package func path(_ name: String) -> String { base.isEmpty ? name : "\(base).\(name)" }
}

// MARK: Scalars

extension JSONMembers {
  package func text(_ name: String) throws(Failure) -> String? {
    try value(name, .string) { if case .string(let text) = $0 { text } else { nil } }
  }

  /// Returns a text, or nil also for an empty one.
  package func nonEmptyText(_ name: String) throws(Failure) -> String? {
    guard let text = try text(name), !text.utf8.isEmpty else { return nil }
    return text
  }

  /// Returns a text that must be there; an empty one counts as absent.
  package func requiredText(_ name: String) throws(Failure) -> String {
    try required(name, .string, nonEmptyText(name))
  }

  package func flag(_ name: String) throws(Failure) -> Bool? {
    try value(name, .boolean) { if case .boolean(let value) = $0 { value } else { nil } }
  }

  /// Returns an integer of 64 bits within a range.
  package func integer(
    _ name: String, in range: ClosedRange<Int> = .min ... .max
  ) throws(Failure) -> Int? {
    let integer = try value(name, .integer) { json -> Int? in
      if case .integer(let integer) = json { integer } else { nil }
    }
    guard let integer else { return nil }
    guard range.contains(integer) else {
      throw failure(name, FieldTypeFailure(expected: .integer, found: .integer), .outOfRange)
    }
    return integer
  }

  /// Returns one of the words of a closed set.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws(Failure) -> Choice? {
    guard let text = try text(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw failure(
        name, FieldTypeFailure(expected: .string, found: .string),
        .notOneOf(Choice.allCases.map(\.rawValue)))
    }
    return choice
  }
}

// MARK: Containers

extension JSONMembers {
  package func elements(_ name: String) throws(Failure) -> [JSONValue]? {
    try value(name, .array) { if case .array(let elements) = $0 { elements } else { nil } }
  }

  /// Returns the texts in a list, which is empty if it is absent.
  package func texts(_ name: String) throws(Failure) -> [String] {
    try list(name, .string) { _, json in if case .string(let text) = json { text } else { nil } }
  }

  /// Returns the objects in a list, which is empty if it is absent.
  package func objects(_ name: String) throws(Failure) -> [JSONMembers] {
    guard case .text(let text, let object) = source,
      let place = place(of: name, in: text, object), text.kind(at: place) == .array
    else {
      return try list(name, .object) { index, json in
        if case .object(let members) = json {
          JSONMembers(.value(members), at: path("\(name)[\(index)]"))
        } else {
          nil
        }
      }
    }
    var list: [JSONMembers] = []
    for element in text.elements(at: place) {
      guard text.kind(at: element) == .object else {
        let found = text.value(at: element).kind
        throw failure(
          name, FieldTypeFailure(path: "[\(list.count)]", expected: .object, found: found))
      }
      list.append(JSONMembers(.text(text, element), at: path("\(name)[\(list.count)]")))
    }
    return list
  }

  package func object(_ name: String) throws(Failure) -> JSONMembers? {
    if case .text(let text, let object) = source, let place = place(of: name, in: text, object),
      text.kind(at: place) == .object
    {
      return JSONMembers(.text(text, place), at: path(name))
    }
    return try value(name, .object) { json -> JSONMembers? in
      if case .object(let members) = json {
        JSONMembers(.value(members), at: path(name))
      } else {
        nil
      }
    }
  }

  private func list<Element>(
    _ name: String, _ kind: JSONKind, _ convert: (Int, JSONValue) -> Element?
  ) throws(Failure) -> [Element] {
    var list: [Element] = []
    for (index, json) in (try elements(name) ?? []).enumerated() {
      guard let element = convert(index, json) else {
        throw failure(
          name, FieldTypeFailure(path: "[\(index)]", expected: kind, found: json.kind))
      }
      list.append(element)
    }
    return list
  }
}

// MARK: Any values

extension JSONMembers {
  /// Returns a value that must be there.
  package func required<Value>(
    _ name: String, _ kind: JSONKind, _ value: Value?
  ) throws(Failure) -> Value {
    guard let value else {
      throw failure(name, FieldTypeFailure(expected: kind, found: .absent))
    }
    return value
  }

  /// Returns a converted member, or nil if it is absent.
  ///
  /// - Throws: The failure for a member of another kind, if the conversion gives nil.
  package func value<Value>(
    _ name: String, _ kind: JSONKind, _ convert: (JSONValue) -> Value?
  ) throws(Failure) -> Value? {
    guard let json = self[name] else { return nil }
    guard let value = convert(json) else {
      throw failure(name, FieldTypeFailure(expected: kind, found: json.kind))
    }
    return value
  }

  /// Returns what a function reads from a member, or nil if it is absent.
  package func value<Value>(
    _ name: String, _ read: (JSONValue) throws(FieldTypeFailure) -> Value
  ) throws(Failure) -> Value? {
    guard let json = self[name] else { return nil }
    do throws(FieldTypeFailure) {
      return try read(json)
    } catch {
      throw failure(name, error)
    }
  }

  /// Returns the failure for the fault of a member, whose path is that inside the member.
  package func failure(
    _ name: String, _ failure: FieldTypeFailure, _ detail: MemberFault.Detail? = nil
  ) -> Failure {
    Failure(
      MemberFault(name: name, failure: failure.inside(member: path(name)), detail: detail))
  }
}

/// A failure that is made of the fault of a member.
package protocol MemberFailure: Error {
  /// The limits of a text that is parsed; by default those of any value.
  static var limits: JSONLimits { get }

  init(_ fault: MemberFault)
}

extension MemberFailure {
  package static var limits: JSONLimits { .values }
}

/// The fault of a member of a JSON object, or of the whole text.
package struct MemberFault: Sendable {
  /// A fault beyond a missing member or a value of another kind.
  package enum Detail: Sendable {
    case notJSON(JSONValue.SyntaxFailure)
    case outOfRange
    case notOneOf([String])
  }

  /// The name of the member in its object; empty for the whole text.
  package let name: String
  /// The path, and the kinds that were expected and found.
  package let failure: FieldTypeFailure
  package let detail: Detail?

  init(name: String, failure: FieldTypeFailure, detail: Detail? = nil) {
    self.name = name
    self.failure = failure
    self.detail = detail
  }

  /// Whether there is no such member.
  package var isMissing: Bool { failure.found == .absent && detail == nil }
}

extension FieldTypeFailure: MemberFailure {
  package init(_ fault: MemberFault) { self = fault.failure }
}
