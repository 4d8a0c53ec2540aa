import Foundation

/// Verifies receipts from files and prints one JSON object a line.
@main
enum InspectReceipt {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard !arguments.contains("--help"), !arguments.contains("-h") else {
      write(Array(Options.usage.utf8), to: .standardOutput)
      return
    }
    do {
      exit(try run(Options(arguments)) ? 0 : 1)
    } catch let failure as Options.UsageFailure {
      let text = "inspect-receipt: \(failure.message); --help says more\n"
      write(Array(text.utf8), to: .standardError)
      exit(2)
    } catch {
      write(Array("inspect-receipt: \(error)\n".utf8), to: .standardError)
      exit(2)
    }
  }

  /// Whether all receipts verified.
  private static func run(_ options: Options) throws -> Bool {
    let inspection = try Inspection(options)
    var allVerified = true
    for report in options.files.lazy.flatMap(inspection.reports) {
      allVerified = allVerified && report.isVerified
      write(report.line + [UInt8(ascii: "\n")], to: .standardOutput)
    }
    return allVerified
  }

  private static func write(_ bytes: [UInt8], to file: FileHandle) { file.write(Data(bytes)) }
}
