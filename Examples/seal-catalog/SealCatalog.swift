import CatalogFiles
import EntitlementPolicy
import Foundation
import StorekeeperToolSupport

/// Seals product lists, opens sealed ones, and says what is doubtful in a list.
@main
enum SealCatalog {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard !arguments.contains("--help"), !arguments.contains("-h") else {
      FileHandle.standardOutput.write(Data(Options.usage.utf8))
      return
    }
    do {
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

  /// Returns the exit status.
  private static func run(_ options: Options) throws -> Int32 {
    switch options.command {
    case .seal:
      let key = try options.sealingKey()
      let list = try Files.read(options.input, limit: SealedCatalog.maximumSize)
      try Files.write(SealedCatalog.seal(list, key: key), to: options.output, for: .everybody)
    case .open:
      let key = try options.requiredKey()
      let list = try SealedCatalog.open(Files.sealed(options.input), key: key)
      try Files.write(list, to: options.output, for: .owner)
    case .lint:
      let key = try options.key()
      let report = LintReport(try Files.read(options.input, limit: Files.sealedLimit), key: key)
      FileHandle.standardOutput.write(Data(report.lines))
      if let omitted = report.omitted { tell("\(omitted) more warnings") }
      return report.isRefused ? 1 : 0
    }
    return 0
  }

  private static func tell(_ text: String) {
    FileHandle.standardError.write(Data("seal-catalog: \(text)\n".utf8))
  }
}
