import Foundation
import StorekeeperOnDevice

/// Checks a statement of a server, as an app would, and prints it.
@main
enum VerifyStatement {
  private static let usage = """
    usage: verify-statement --keys FILE --user ID --app BUNDLE [--environment NAME]...
             [--at SECONDS] [--memory FILE] [--fresh]

    Reads a statement from standard input, checks it as an app does on a device without a network,
    and prints what it says as one JSON object, or why it is refused.

      --keys FILE         the keys of the server: its answer at .../entitlements/keys
      --user ID           the user of the app
      --app BUNDLE        the bundle ID of the app
      --environment NAME  an environment whose purchases count in this build of the app; by default
                          Production; may be repeated
      --at SECONDS        the clock of the device, in seconds since 1970; by default the present
      --memory FILE       the memory of the app, which is read, if it is there, and written
      --fresh             the server has just answered with the statement

    Exit status: 0 if the statement counts, 1 if it is refused, 2 on usage errors.

    """

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard !arguments.contains("--help"), !arguments.contains("-h") else {
      return print(usage, terminator: "")
    }
    do {
      exit(try run(Options(arguments)))
    } catch {
      FileHandle.standardError.write(Data("verify-statement: \(error); --help says more\n".utf8))
      exit(2)
    }
  }

  /// Returns the exit status.
  private static func run(_ options: Options) throws -> Int32 {
    guard let keys = FileManager.default.contents(atPath: options.keys),
      let checker = try? StatementChecker(
        keys: keys, user: options.user, app: options.app, environments: options.environments)
    else { throw UsageFailure("the file of --keys cannot be read, or is no set of keys") }
    var memory = StatementMemory()
    if let file = options.memory, let stored = FileManager.default.contents(atPath: file) {
      memory = try JSONDecoder().decode(StatementMemory.self, from: stored)
    }
    let input = String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
    let text = input.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    let status: Int32
    do throws(StatementRefusal) {
      let statement = try checker.statement(
        in: text, at: options.date, isFresh: options.isFresh, memory: &memory)
      show(statement)
      status = 0
    } catch {
      show(["refused": error.rawValue])
      status = 1
    }
    if let file = options.memory { try JSONEncoder().encode(memory).write(to: URL(filePath: file)) }
    return status
  }

  private static func show(_ value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    print((try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null")
  }
}

/// The options of the program.
private struct Options {
  var keys = ""
  var user = ""
  var app = ""
  var environments: Set<String> = []
  var date = Date()
  var memory: String?
  var isFresh = false

  init(_ arguments: some Sequence<String>) throws(UsageFailure) {
    var arguments = arguments.makeIterator()
    while let option = arguments.next() {
      if option == "--fresh" {
        isFresh = true
        continue
      }
      guard let value = arguments.next() else {
        throw UsageFailure("\(option) needs a value, or is not an option")
      }
      switch option {
      case "--keys": keys = value
      case "--user": user = value
      case "--app": app = value
      case "--environment": environments.insert(value)
      case "--memory": memory = value
      case "--at":
        guard let seconds = Double(value), abs(seconds) < 1e11 else {
          throw UsageFailure("--at takes seconds")
        }
        date = Date(timeIntervalSince1970: seconds)
      default: throw UsageFailure("\(option) is not an option")
      }
    }
    guard !keys.isEmpty, !user.isEmpty, !app.isEmpty else {
      throw UsageFailure("--keys, --user and --app are needed")
    }
    if environments.isEmpty { environments = ["Production"] }
  }
}

/// A wrong use of the program.
private struct UsageFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
