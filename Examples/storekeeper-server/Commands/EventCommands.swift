import JSONValues
import Storekeeper

/// What the program does with events when it is asked to.
enum EventCommand {
  /// Prints the events after a position.
  case list(after: Int)
  /// Sends the events of a range to an endpoint again.
  case replay(String, after: Int, through: Int)
  /// Has an endpoint that was disabled get events again, or a server notifications.
  case enable(String)
  /// Removes all that waits for an endpoint or a server.
  case drop(String)

  /// Reads and removes the arguments behind the name of the command.
  init(_ name: String, _ arguments: inout ArraySlice<String>) throws(SettingsFailure) {
    func number() -> Int? {
      guard let number = arguments.first.flatMap({ Int($0) }), number >= 0 else { return nil }
      arguments.removeFirst()
      return number
    }
    switch name {
    case "events":
      let position = number()
      guard position != nil || arguments.first?.hasPrefix("--") ?? true else {
        throw SettingsFailure("events takes the position of an event, from 0 upwards, or none")
      }
      self = .list(after: position ?? 0)
    case "replay":
      guard let endpoint = arguments.popFirst(), let start = number(), let end = number() else {
        throw SettingsFailure(
          "replay takes the name of an endpoint, the position before the first event and that of"
            + " the last")
      }
      self = .replay(endpoint, after: start, through: end)
    default:
      guard let endpoint = arguments.first, !endpoint.hasPrefix("--") else {
        throw SettingsFailure("\(name) takes the name of an endpoint")
      }
      arguments.removeFirst()
      self = name == "drop" ? .drop(endpoint) : .enable(endpoint)
    }
  }

  func check(_ settings: Settings) throws(SettingsFailure) {
    switch self {
    case .list, .drop: return
    case .replay(let name, _, _):
      guard settings.endpoints.contains(where: { $0.name == name }) else {
        throw SettingsFailure("no --webhook is called \(name)")
      }
    case .enable(let name):
      guard
        settings.endpoints.contains(where: { $0.name == name })
          || settings.forwardTargets.contains(where: { $0.name == name })
      else { throw SettingsFailure("no --webhook and no --forward is called \(name)") }
    }
  }

  /// Does the task, and returns what to print; events are printed as they are read.
  func run(_ workers: Workers) async throws -> [JSONValue] {
    switch self {
    case .list(var position):
      while true {
        let page = try await workers.events.events(after: position, limit: 500)
        for event in page {
          try BlockingOutput.standard.write(event.line.serialized + [UInt8(ascii: "\n")])
        }
        guard let last = page.last?.position else { return [] }
        position = last
      }
    case .replay(let name, let start, let end):
      let sender = workers.senders.first { $0.endpoint.name == name }
      let count = try await sender?.replay(after: start, through: end) ?? 0
      return [.object(["replayed": .integer(count)])]
    case .enable(let name):
      try await workers.senders.first { $0.endpoint.name == name }?.enable()
      try await workers.forwarders.first { $0.target.name == name }?.enable()
      return [.object(["enabled": .string(name)])]
    case .drop(let name):
      let store = workers.shop.store
      let events = try await store.discard(line: .webhook(name))
      let notifications = try await store.discard(line: .forward(name))
      return [.object(["dropped": .integer(events + notifications)])]
    }
  }
}

extension PurchaseEvent {
  /// The event as a webhook has it, with its position.
  fileprivate var line: JSONValue {
    guard case .object(var members)? = try? JSONValue(parsing: body) else { return .null }
    members["position"] = position.map { .integer($0) } ?? .null
    return .object(members)
  }
}
