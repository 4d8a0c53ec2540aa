import Foundation
import StorekeeperToolSupport

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
      let text = "verify-signed-data: \(failure.message); --help says more\n"
      write(Array(text.utf8), to: .standardError)
      exit(2)
    } catch {
      write(Array("verify-signed-data: \(error)\n".utf8), to: .standardError)
      exit(2)
    }
  }

  /// Whether all tokens verified.
  private static func run(_ options: Options) throws -> Bool {
    let check = try LineCheck(options)
    var allVerified = true
    func show(_ report: TokenReport) {
      allVerified = allVerified && report.isVerified
      write(report.line + [UInt8(ascii: "\n")], to: .standardOutput)
    }
    for path in options.files.isEmpty ? ["-"] : options.files {
      do throws(InputFile.Failure) {
        var lines = LineReader(try InputFile(path))
        while let line = try lines.nextValue() {
          for report in check.reports(on: line.bytes) { show(report.about(path, line.number)) }
        }
      } catch {
        show(TokenReport(reason: error.rawValue, message: error.description).about(path))
      }
    }
    return allVerified
  }

  private static func write(_ bytes: [UInt8], to file: FileHandle) { file.write(Data(bytes)) }
}
