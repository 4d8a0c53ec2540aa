import Foundation

/// Asks the App Store Server API, and prints its answers as lines of JSON.
@main
enum AskAppStore {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard !arguments.contains("--help"), !arguments.contains("-h") else {
      FileHandle.standardOutput.write(Data(Usage.text.utf8))
      return
    }
    do {
      try await run(Arguments(arguments))
    } catch let failure as UsageFailure {
      let text = "ask-app-store: \(failure.message); --help says more\n"
      FileHandle.standardError.write(Data(text.utf8))
      exit(2)
    } catch {
      let report = FailureReport(error)
      Line.print(report.members)
      exit(report.status)
    }
  }

  private static func run(_ arguments: Arguments) async throws {
    guard let name = arguments.words.first else { throw UsageFailure("no call is named") }
    guard let call = Call.all[name] else { throw UsageFailure("there is no call \(name)") }
    let words = Array(arguments.words.dropFirst())
    guard call.count.contains(words.count) else {
      throw UsageFailure("the call is: \(name)\(call.form.isEmpty ? "" : " ")\(call.form)")
    }
    try arguments.check(accepted: Options.names.union(call.options))
    let client = try Options(arguments).client
    try await call.ask(Question(client: client, words: words, arguments: arguments))
  }
}
