/// Why the server cannot be set up as it was asked.
enum SettingsFailure: Error, Hashable, CustomStringConvertible {
  case unknownFlag(String)
  case unexpectedArgument(place: Int)
  case missingValue(flag: String)
  case repeated(flag: String)
  case unreadableFile(String)
  case malformedFile(String)
  case unknownKey(String, file: String)
  /// The value, unless it is a secret.
  case wrongValue(Setting, Origin, value: String?)
  /// An element of a list that is a secret.
  case wrongElement(Setting, Origin, place: Int)
  case empty(Setting, Origin)
  /// The name, unless it may be a secret, and the place of the second in the list.
  case twice(Setting, Origin, name: String?, place: Int)
  case missing(Setting)
  case noAccounts
  case listedAndAnyAccounts
  case testRootNotAllowed
  case plainAppStoreNotAllowed

  var description: String {
    switch self {
    case .unknownFlag(let flag):
      "there is no flag \(flag)" + Self.hint(flag, among: Setting.allCases.map(\.flag))
    case .unexpectedArgument(let place): "argument \(place) is not expected"
    case .missingValue(let flag): "\(flag) needs a value"
    case .repeated(let flag): "\(flag) is given twice"
    case .unreadableFile(let path): "\(path) cannot be read"
    case .malformedFile(let path): "\(path) is no JSON object"
    case .unknownKey(let key, let file):
      "\(file) has a key \(key), which is none"
        + Self.hint(key, among: Setting.allCases.map(\.key))
    case .wrongValue(let setting, let origin, let value):
      "\(setting.name(in: origin)) takes \(setting.form)" + (value.map { ", not \($0)" } ?? "")
    case .wrongElement(let setting, let origin, let place):
      "\(setting.name(in: origin)) takes \(setting.form); number \(place) is none"
    case .empty(let setting, let origin):
      "\(setting.name(in: origin)) is empty; it takes \(setting.form)"
    case .twice(let setting, let origin, let name, let place):
      "\(setting.name(in: origin)) names \(name ?? "what number \(place) names") twice"
    case .missing(let setting):
      "\(setting.flag) is needed (or \(setting.variable), or \(setting.key) in the file):"
        + " \(setting.form)"
    case .noAccounts: "--account or --accept-any-account is needed: whom the host knows"
    case .listedAndAnyAccounts:
      "--account does nothing where --accept-any-account is given; leave out one of them"
    case .testRootNotAllowed:
      "--test-root makes the server believe what Apple has not signed; it needs --allow-test-root"
    case .plainAppStoreNotAllowed:
      "--app-store-url with http makes the server believe whoever answers there; it needs"
        + " --allow-test-root"
    }
  }

  private static func hint(_ text: String, among names: [String]) -> String {
    let close = names.map { (name: $0, distance: distance(text, $0)) }
      .min { $0.distance < $1.distance }
    guard let close, close.distance <= 3 else { return "; see --help" }
    return "; is \(close.name) meant?"
  }

  /// How many letters to add, remove or change (Levenshtein).
  private static func distance(_ one: String, _ other: String) -> Int {
    let other = Array(other.prefix(64))
    var row = Array(0...other.count)
    for (index, letter) in one.prefix(64).enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for place in other.indices {
        let change = diagonal + (letter == other[place] ? 0 : 1)
        diagonal = row[place + 1]
        row[place + 1] = min(change, row[place] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}

/// Where a value is from.
enum Origin: Hashable {
  case flag, variable
  case file(String)
}

extension Setting {
  fileprivate func name(in origin: Origin) -> String {
    switch origin {
    case .flag: flag
    case .variable: variable
    case .file(let path): "\(key) in \(path)"
    }
  }
}
