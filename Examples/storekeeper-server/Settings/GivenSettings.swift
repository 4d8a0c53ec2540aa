import JSONValues
import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
    try trim()
  }

  /// Takes white space from the elements of lists; refuses what is empty, and would do nothing.
  private mutating func trim() throws(SettingsFailure) {
    for (setting, value) in values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let texts = setting.kind == .list ? value.texts.map(Self.trimmed) : value.texts
      guard !texts.isEmpty, !texts.contains("") else { throw .empty(setting, value.origin) }
      values[setting]?.texts = texts
    }
  }

  private static func trimmed(_ text: String) -> String {
    let isWhite = { (letter: Character) in letter.isWhitespace }
    let rest = text.drop(while: isWhite)
    return String(
      rest.prefix(upTo: rest.lastIndex { !isWhite($0) }.map(rest.index(after:)) ?? rest.startIndex))
  }

  /// Keeps the values of an origin that comes before all later ones.
  private mutating func take(_ texts: [String], for setting: Setting, from origin: Origin) {
    if values[setting] == nil { values[setting] = Value(texts: texts, origin: origin) }
  }

  // MARK: Flags

  private mutating func read(_ arguments: some Sequence<String>) throws(SettingsFailure) {
    var place = 0
    var arguments = arguments.makeIterator()
    func next() -> String? {
      place += 1
      return arguments.next()
    }
    while let argument = next() {
      guard Self.isLikeFlag(argument) else { throw .unexpectedArgument(place: place) }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let flag = String(parts[0])
      var value = parts.count == 2 ? String(parts[1]) : nil
      if flag == "--help" || flag == "-h" { return asksForHelp = true }
      let setting = Setting.allCases.first { $0.flag == flag }
      guard setting != nil || flag == "--config" else { throw .unknownFlag(flag) }
      if value == nil { value = setting?.kind == .toggle ? "true" : next() }
      guard let value else { throw .missingValue(flag: flag) }
      try add(value, for: setting, flag: flag)
    }
  }

  /// Whether it may be quoted: anything else may be a secret in the wrong place.
  private static func isLikeFlag(_ argument: String) -> Bool {
    let name = argument.utf8.prefix { $0 != UInt8(ascii: "=") }
    return argument == "-h"
      || (3...40).contains(name.count) && name.starts(with: "--".utf8)
        && name.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == 0x2D }
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
      let texts =
        setting.kind == .list
        ? text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) : [text]
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
