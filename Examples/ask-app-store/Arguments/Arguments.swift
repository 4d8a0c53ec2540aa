import JSONValues
import StorekeeperToolSupport

/// The words and options of a command line, in which options may stand anywhere.
struct Arguments {
  /// The call and its own arguments, in order.
  private(set) var words: [String] = []
  private var values: [String: [String]] = [:]

  /// The options that take no value.
  private static let flags: Set<String> = ["--allow-http", "--only-failures"]

  /// Splits a command line.
  ///
  /// A word with a single hyphen is no option, and after `--` nothing is.
  init(_ arguments: some Sequence<String>) throws(UsageFailure) {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      if argument == "--" {
        while let word = arguments.next() { words.append(word) }
      } else if !argument.hasPrefix("--") {
        words.append(argument)
      } else if Self.flags.contains(argument) {
        values[argument] = [""]
      } else if let value = arguments.next() {
        values[argument, default: []].append(value)
      } else {
        throw UsageFailure("\(argument) needs a value, or is not an option")
      }
    }
  }

  /// Fails for an option that is not among the accepted ones.
  func check(accepted: Set<String>) throws(UsageFailure) {
    guard let other = values.keys.sorted().first(where: { !accepted.contains($0) }) else { return }
    throw UsageFailure("there is no option \(other) here")
  }

  func has(_ option: String) -> Bool { values[option] != nil }

  /// The values of an option, in order.
  func all(_ option: String) -> [String] { values[option] ?? [] }

  /// The value of an option that may be given once.
  func value(_ option: String) throws(UsageFailure) -> String? {
    let values = all(option)
    guard values.count <= 1 else { throw UsageFailure("\(option) is given more than once") }
    return values.first
  }

  /// The value of an option that must be given, and must not be empty.
  func required(_ option: String) throws(UsageFailure) -> String {
    guard let value = try value(option) else { throw UsageFailure("\(option) is needed") }
    guard !value.isEmpty else { throw UsageFailure("\(option) is empty") }
    return value
  }

  func integer(_ option: String) throws(UsageFailure) -> Int? {
    guard let value = try value(option) else { return nil }
    return try Self.integer(value, option)
  }

  static func integer(_ text: String, _ name: String) throws(UsageFailure) -> Int {
    guard let number = Int(text) else { throw UsageFailure("\(name) takes a whole number") }
    return number
  }
}

/// The contents of files that arguments name.
enum Contents {
  /// The maximum number of bytes that are read.
  private static let limit = 1 << 22

  /// Reads a file; `-` is standard input.
  static func ofFile(_ path: String) throws(UsageFailure) -> [UInt8] {
    let bytes: [UInt8]
    do throws(InputFile.Failure) {
      bytes = try InputFile(path).contents(limit: limit)
    } catch {
      throw UsageFailure("\(path): \(error.description)")
    }
    guard bytes.count < limit else { throw UsageFailure("\(path): the file is too large") }
    return bytes
  }
}

/// An argument that is JSON: the text itself, `@FILE`, or `-` for standard input.
enum JSONArgument {
  /// Reads a model of a request.
  ///
  /// - Throws: ``UsageFailure`` if the argument is not JSON, and `FieldTypeFailure` if it is no such
  ///   request.
  static func model<Model: JSONModel>(_ argument: String, as type: Model.Type) throws -> Model {
    try Model(json: json(argument))
  }

  static func json(_ argument: String) throws(UsageFailure) -> JSONValue {
    let bytes: [UInt8]
    if argument == "-" {
      bytes = try Contents.ofFile("-")
    } else if argument.hasPrefix("@") {
      bytes = try Contents.ofFile(String(argument.dropFirst()))
    } else {
      bytes = Array(argument.utf8)
    }
    do {
      return try JSONValue(parsing: Wrapping.withoutMark(bytes))
    } catch {
      throw UsageFailure("the argument JSON is not JSON")
    }
  }
}

struct UsageFailure: Error {
  var message: String

  init(_ message: String) { self.message = message }
}
