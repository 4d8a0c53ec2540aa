import JSONValues
import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The JSON object of a control request; unknown members are ignored.
typealias ControlBody = JSONMembers<ControlRefusal>

extension ControlRefusal: MemberFailure {
  init(_ fault: MemberFault) { self = fault.name.isEmpty ? .malformedBody : .invalid(fault.name) }
}

extension ControlBody {
  /// Returns a text of at least one byte, or nil if it is missing.
  func shortText(_ name: String, upTo limit: Int = 128) throws(ControlRefusal) -> String? {
    guard let text = try text(name) else { return nil }
    guard (1...limit).contains(text.utf8.count) else { throw .invalid(name) }
    return text
  }

  func requiredShortText(_ name: String) throws(ControlRefusal) -> String {
    try required(name, .string, shortText(name))
  }

  /// Returns a UUID, or nil if it is missing.
  func uuid(_ name: String) throws(ControlRefusal) -> UUID? {
    guard let text = try shortText(name) else { return nil }
    guard let uuid = UUID(uuidString: text) else { throw .invalid(name) }
    return uuid
  }

  /// Returns a choice, or the preset if it is missing.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, or preset: Choice
  ) throws(ControlRefusal) -> Choice {
    try choice(name) ?? preset
  }

  /// Returns the environment; Production if it is missing.
  func environment() throws(ControlRefusal) -> AppStoreEnvironment {
    guard let text = try shortText("environment") else { return .production }
    return try AppStoreEnvironment(controlled: text)
  }

  /// Returns an integer from 1 to a limit, or nil if it is missing.
  func count(_ name: String, upTo limit: Int) throws(ControlRefusal) -> Int? {
    try integer(name, in: 1...limit)
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
