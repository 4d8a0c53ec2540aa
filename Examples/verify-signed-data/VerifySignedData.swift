import Foundation

/// Verifies tokens from a file or standard input and prints one JSON object a line.
@main
enum VerifySignedData {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard !arguments.contains("--help"), !arguments.contains("-h") else {
      write(Array(Options.usage.utf8), to: .standardOutput)
      return
    }
    do {
      let options = try Options(arguments)
      exit(try run(options) ? 0 : 1)
    } catch let failure as Options.UsageFailure {
      let text = "verify-signed-data: \(failure.message)\n\n\(Options.usage)"
      write(Array(text.utf8), to: .standardError)
      exit(2)
    } catch {
      write(Array("verify-signed-data: \(error)\n".utf8), to: .standardError)
      exit(2)
    }
  }

  /// Whether all tokens verified.
  private static func run(_ options: Options) throws -> Bool {
    let check = try TokenCheck(options)
    var allVerified = true
    var lines = try LineReader(file: options.file)
    while let token = try lines.next() {
      let report = check.report(on: token)
      allVerified = allVerified && report.isVerified
      write(report.line + [UInt8(ascii: "\n")], to: .standardOutput)
    }
    return allVerified
  }

  private static func write(_ bytes: [UInt8], to file: FileHandle) {
    file.write(Data(bytes))
  }
}
