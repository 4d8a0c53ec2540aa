import FoundationEssentials
import ReceiptModels

/// What was given of each setting, as texts: by flags, else by the environment, else by the file.
struct GivenSettings {
  struct Value {
    var texts: [String]
    var origin: Origin
  }

  private(set) var values: [Setting: Value] = [:]
  private(set) var asksForHelp = false
  private var file: String?

  init(
    arguments: some Sequence<String>, environment: [String: String]
  ) throws(SettingsFailure) {
    try read(arguments)
    if asksForHelp { return }
    read(environment)
    let path = file ?? environment["STOREKEEPER_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    if let path { try read(file: path) }
  }

  /// Keeps the values of an origin that comes before all later ones.
  private mutating func take(_ texts: [String], for setting: Setting, from origin: Origin) {
    if values[setting] == nil { values[setting] = Value(texts: texts, origin: origin) }
  }

  // MARK: Flags

  private mutating func read(_ arguments: some Sequence<String>) throws(SettingsFailure) {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      guard argument.hasPrefix("-") else { throw .unexpectedArgument(argument) }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let flag = String(parts[0])
      var value = parts.count == 2 ? String(parts[1]) : nil
      if flag == "--help" || flag == "-h" { return asksForHelp = true }
      let setting = Setting.allCases.first { $0.flag == flag }
      guard setting != nil || flag == "--config" else { throw .unknownFlag(flag) }
      if value == nil { value = setting?.kind == .toggle ? "true" : arguments.next() }
      guard let value else { throw .missingValue(flag: flag) }
      try add(value, for: setting, flag: flag)
    }
  }

  private mutating func add(
    _ value: String, for setting: Setting?, flag: String
  ) throws(SettingsFailure) {
    guard let setting else {
      guard file == nil else { throw .repeated(flag: flag) }
      return file = value
    }
    guard let earlier = values[setting] else {
      return take([value], for: setting, from: .flag)
    }
    guard setting.kind == .list else { throw .repeated(flag: flag) }
    values[setting]?.texts = earlier.texts + [value]
  }

  // MARK: Environment

  /// An empty variable counts as none; variables of other programs may begin like ours.
  private mutating func read(_ environment: [String: String]) {
    for setting in Setting.allCases {
      guard let text = environment[setting.variable], !text.isEmpty else { continue }
      let texts = setting.kind == .list ? text.split(separator: ",").map(String.init) : [text]
      take(texts, for: setting, from: .variable)
    }
  }

  // MARK: File

  private mutating func read(file path: String) throws(SettingsFailure) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .unreadableFile(path)
    }
    guard case .object(let members) = try? JSONDecoder().decode(JSONValue.self, from: data) else {
      throw .malformedFile(path)
    }
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let setting = Setting.allCases.first(where: { $0.key == key }) else {
        throw .unknownKey(key, file: path)
      }
      guard let texts = Self.texts(value, kind: setting.kind) else {
        throw .wrongValue(setting, .file(path), value: nil)
      }
      take(texts, for: setting, from: .file(path))
    }
  }

  /// A list is an array of texts, or an object whose members read `name=value`.
  private static func texts(_ value: JSONValue, kind: Setting.Kind) -> [String]? {
    switch (kind, value) {
    case (.toggle, .boolean(let isOn)): [isOn ? "true" : "false"]
    case (.toggle, _): nil
    case (.list, .array(let elements)): all(elements.map(scalar))
    case (.list, .object(let members)):
      all(
        members.sorted { $0.key < $1.key }.map { name, value in
          scalar(value).map { "\(name)=\($0)" }
        })
    case (.single, let value), (.list, let value): scalar(value).map { [$0] }
    }
  }

  private static func scalar(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    default: nil
    }
  }

  private static func all(_ texts: [String?]) -> [String]? {
    texts.contains(nil) ? nil : texts.compactMap(\.self)
  }
}
