import CatalogFiles
import EntitlementPolicy
import Foundation
import StorekeeperToolSupport

/// Seals product lists, opens sealed ones, and says what is doubtful in a list.
@main
enum SealCatalog {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    do {
      guard !arguments.contains("--help"), !arguments.contains("-h") else {
        return try Files.print(Array(Options.usage.utf8))
      }
      exit(try run(Options(arguments)))
    } catch let failure as SealedCatalogFailure {
      tell(failure.description)
      exit(1)
    } catch let failure as CatalogSealingFailure {
      tell(failure.description)
      exit(1)
    } catch let failure as UsageFailure {
      tell("\(failure.message); --help says more")
    } catch let failure as FileFailure {
      tell(failure.message)
    } catch {
      tell("\(error)")
    }
    exit(2)
  }

  private static func run(_ options: Options) throws -> Int32 {
    switch options.command {
    case .seal:
      let key = try options.sealingKey()
      let list = try Files.read(options.input, limit: SealedCatalog.maximumSize)
      try Files.write(SealedCatalog.seal(list, key: key), to: options.output, for: .everybody)
    case .open:
      let key = try options.requiredKey()
      let list = try SealedCatalog.open(sealed(options.input), key: key)
      try Files.write(list, to: options.output, for: .owner)
    case .lint:
      let key = try options.key()
      let report = LintReport(try sealed(options.input), key: key)
      try Files.print(report.lines)
      if let omitted = report.omitted { tell("\(omitted) more warnings") }
      return report.isRefused ? 1 : 0
    }
    return 0
  }

  /// Reads a file that may be sealed, up to the byte that makes it too large.
  private static func sealed(_ path: String) throws(FileFailure) -> [UInt8] {
    try Files.read(path, limit: SealedCatalog.maximumFileSize)
  }

  private static func tell(_ text: String) {
    // Nobody can be told where this fails.
    try? FileHandle.standardError.write(contentsOf: Data("seal-catalog: \(text)\n".utf8))
  }
}
