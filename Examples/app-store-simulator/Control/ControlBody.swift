import JSONValues
import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The JSON object of a control request; unknown members are ignored.
struct ControlBody: Sendable {
  private let members: [String: JSONValue]

  init(_ bytes: [UInt8]) throws(ControlRefusal) {
    guard case .object(let members)? = try? JSONValue(parsing: bytes) else {
      throw .malformedBody
    }
    self.members = members
  }

  /// Returns a text of at least one byte, or nil if it is missing.
  func text(_ name: String, upTo limit: Int = 128) throws(ControlRefusal) -> String? {
    switch members[name] {
    case nil, .null: return nil
    case .string(let text) where (1...limit).contains(text.utf8.count): return text
    default: throw .invalid(name)
    }
  }

  func requiredText(_ name: String) throws(ControlRefusal) -> String {
    guard let text = try text(name) else { throw .invalid(name) }
    return text
  }

  /// Returns a UUID, or nil if it is missing.
  func uuid(_ name: String) throws(ControlRefusal) -> UUID? {
    guard let text = try text(name) else { return nil }
    guard let uuid = UUID(uuidString: text) else { throw .invalid(name) }
    return uuid
  }

  /// Returns true or false, or nil if it is missing.
  func flag(_ name: String) throws(ControlRefusal) -> Bool? {
    switch members[name] {
    case nil, .null: return nil
    case .boolean(let flag): return flag
    default: throw .invalid(name)
    }
  }

  /// Returns an object.
  func object(_ name: String) throws(ControlRefusal) -> JSONValue {
    guard case .object? = members[name], let value = members[name] else { throw .invalid(name) }
    return value
  }

  /// Returns a choice, or the preset if it is missing.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, or preset: Choice
  ) throws(ControlRefusal) -> Choice {
    guard let text = try text(name) else { return preset }
    guard let choice = Choice(rawValue: text) else { throw .invalid(name) }
    return choice
  }

  /// Returns the environment; Production if it is missing.
  func environment() throws(ControlRefusal) -> AppStoreEnvironment {
    guard let text = try text("environment") else { return .production }
    return try AppStoreEnvironment(controlled: text)
  }

  /// Returns an integer, or nil if it is missing.
  func number(_ name: String) throws(ControlRefusal) -> Int? {
    switch members[name] {
    case nil, .null: return nil
    case .integer(let number): return number
    default: throw .invalid(name)
    }
  }

  /// Returns an integer from 1 to a limit, or nil if it is missing.
  func count(_ name: String, upTo limit: Int) throws(ControlRefusal) -> Int? {
    try number(name, in: 1...limit)
  }

  /// Returns an integer of a range, or nil if it is missing.
  func number(_ name: String, in range: ClosedRange<Int>) throws(ControlRefusal) -> Int? {
    guard let number = try number(name) else { return nil }
    guard range.contains(number) else { throw .invalid(name) }
    return number
  }
}

extension AppStoreEnvironment {
  /// Creates one of the simulator's two environments.
  init(controlled text: String) throws(ControlRefusal) {
    switch text {
    case "Production", "production": self = .production
    case "Sandbox", "sandbox": self = .sandbox
    default: throw .invalid("environment")
    }
  }
}
