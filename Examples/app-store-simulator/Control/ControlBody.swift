import JSONValues
import ReceiptModels

/// The members of the JSON object that a control request sends; unknown ones are passed over.
struct ControlBody: Sendable {
  private let members: [String: JSONValue]

  init(_ bytes: [UInt8]) throws(ControlRefusal) {
    guard case .object(let members)? = try? JSONValue(parsing: bytes) else {
      throw .malformedBody
    }
    self.members = members
  }

  /// A text of at least one byte, or nil where it is missing.
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

  /// A choice, or another where it is missing.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, or preset: Choice
  ) throws(ControlRefusal) -> Choice {
    guard let text = try text(name) else { return preset }
    guard let choice = Choice(rawValue: text) else { throw .invalid(name) }
    return choice
  }

  /// Production where it is missing.
  func environment() throws(ControlRefusal) -> AppStoreEnvironment {
    guard let text = try text("environment") else { return .production }
    return try AppStoreEnvironment(controlled: text)
  }

  /// A whole number from 1 to a limit, or nil where it is missing.
  func count(_ name: String, upTo limit: Int) throws(ControlRefusal) -> Int? {
    switch members[name] {
    case nil, .null: return nil
    case .integer(let number) where (1...limit).contains(number): return number
    default: throw .invalid(name)
    }
  }
}

extension AppStoreEnvironment {
  /// One of the two that the simulator has.
  init(controlled text: String) throws(ControlRefusal) {
    switch text {
    case "Production", "production": self = .production
    case "Sandbox", "sandbox": self = .sandbox
    default: throw .invalid("environment")
    }
  }
}
