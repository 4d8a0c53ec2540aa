import JSONValues
import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The settings as texts: from flags first, then from the environment, then from the file.
struct GivenSettings {
  /// By the setting's name.
  private(set) var values: [String: GivenValue] = [:]
  private(set) var asksForHelp = false
  private(set) var asksForVersion = false
  /// Variables with our prefix that are no setting, in order.
  private(set) var unknownVariables: [String] = []

  init(
    arguments: some Sequence<String>, environment: [String: String]
  ) throws(SettingsFailure) {
    try read(arguments)
    if asksForHelp || asksForVersion { return }
    read(environment)
    if let path = values[Setting.file.name]?.text, !path.isEmpty { try read(file: path) }
  }

  /// Keeps texts, unless an earlier origin gave some; elements of lists lose surrounding white space.
  private mutating func add(_ texts: [String], to setting: Setting, as name: String) {
    guard values[setting.name] == nil else { return }
    let texts = setting.kind == .list ? texts.map { String($0.trimmed) } : texts
    values[setting.name] = GivenValue(setting: setting, name: name, texts: texts)
  }

  private mutating func read(_ arguments: some Sequence<String>) throws(SettingsFailure) {
    var arguments = zip(1..., arguments).makeIterator()
    while let (number, argument) = arguments.next() {
      guard Self.isLikeFlag(argument) else {
        throw SettingsFailure("argument \(number) is not expected")
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      let flag = parts[0]
      if flag == "--help" || flag == "-h" { return asksForHelp = true }
      if argument == "--version" { return asksForVersion = true }
      guard let setting = Setting.all.first(where: { $0.flag == flag }) else {
        throw SettingsFailure(
          "there is no flag \(flag)" + Self.hint(flag, among: Setting.all.map(\.flag)))
      }
      let rest = setting.kind == .toggle ? "true" : nil
      guard let text = parts.count == 2 ? parts[1] : rest ?? arguments.next()?.1 else {
        throw SettingsFailure("\(flag) needs a value")
      }
      if values[setting.name] == nil {
        add([text], to: setting, as: flag)
      } else if setting.kind == .list {
        values[setting.name]?.texts.append(String(text.trimmed))
      } else {
        throw SettingsFailure("\(flag) is given twice")
      }
    }
  }

  /// Whether a message may quote the argument; any other may be a secret in the wrong place.
  private static func isLikeFlag(_ argument: String) -> Bool {
    let name = argument.utf8.prefix { $0 != UInt8(ascii: "=") }
    return argument == "-h"
      || (3...40).contains(name.count) && name.starts(with: "--".utf8)
        && name.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == 0x2D }
  }

  /// The shortest name that begins with the text, or that the text begins with.
  private static func hint(_ text: String, among names: [String]) -> String {
    names.filter { $0.hasPrefix(text) || text.hasPrefix($0) }.min { $0.count < $1.count }
      .map { "; is \($0) meant?" } ?? "; see --help"
  }

  /// Reads variables; an empty one counts as missing, and other programs may use the prefix.
  private mutating func read(_ environment: [String: String]) {
    for setting in Setting.all {
      guard let text = environment[setting.variable], !text.isEmpty else { continue }
      let texts =
        setting.kind == .list
        ? text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) : [text]
      add(texts, to: setting, as: setting.variable)
    }
    let known = Set(Setting.all.map(\.variable))
    unknownVariables = environment.keys
      .filter { $0.hasPrefix("STOREKEEPER_") && !known.contains($0) }.sorted()
  }

  private mutating func read(file path: String) throws(SettingsFailure) {
    guard let data = FileManager.default.contents(atPath: path) else { throw .unreadable(path) }
    guard case .object(let members) = try? JSONDecoder().decode(JSONValue.self, from: data) else {
      throw SettingsFailure("\(path) is no JSON object")
    }
    let settings = Setting.all.filter { $0.name != Setting.file.name }
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let setting = settings.first(where: { $0.key == key }) else {
        throw SettingsFailure(
          "\(path) has a key \(key), which is none" + Self.hint(key, among: settings.map(\.key)))
      }
      guard let texts = value.texts(setting.kind) else {
        throw SettingsFailure("\(key) in \(path) takes \(setting.form)")
      }
      add(texts, to: setting, as: "\(key) in \(path)")
    }
  }
}

extension JSONValue {
  /// The texts of a setting in the file; nil for a value of the wrong type.
  ///
  /// A list is an array of texts, or an object whose members read `name=value`.
  fileprivate func texts(_ kind: Setting.Kind) -> [String]? {
    let texts: [String?] =
      switch (kind, self) {
      case (.toggle, .boolean(let isOn)): [String(isOn)]
      case (.toggle, _): [nil]
      case (.list, .array(let elements)): elements.map(\.scalar)
      case (.list, .object(let members)):
        members.sorted { $0.key < $1.key }.map { name, value in
          value.scalar.map { "\(name)=\($0)" }
        }
      case (.single, _), (.list, _): [scalar]
      }
    return texts.contains(nil) ? nil : texts.compactMap(\.self)
  }

  private var scalar: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    default: nil
    }
  }
}
