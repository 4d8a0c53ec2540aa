import Foundation
import JSONValues
import PurchaseStorage
import ReceiptModels
import Storekeeper

/// Checks the ledgers of a database, and prints what is wrong as lines of JSON.
@main
enum AuditLedger {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard !arguments.contains("--help"), !arguments.contains("-h") else {
      FileHandle.standardOutput.write(Data(Options.usage.utf8))
      return
    }
    do {
      exit(try await run(Options(arguments)) == 0 ? EX_OK : 1)
    } catch let failure as UsageFailure {
      tell("\(failure.message); --help says more")
      exit(EX_USAGE)
    } catch let failure as DatabaseFailure {
      tell(failure.message)
      exit(EX_UNAVAILABLE)
    } catch let failure as StorageFailure {
      tell(DatabaseFailure(failure).message)
      exit(EX_UNAVAILABLE)
    } catch {
      tell("\(error)")
      exit(EX_UNAVAILABLE)
    }
  }

  /// Returns the number of violations.
  private static func run(_ options: Options) async throws -> Int {
    let store = try await options.database.open(tableDatabases: options.tableDatabases)
    let bar = ProgressBar()
    let result = try await LedgerAuditor(store: store).audit(options.user) { progress in
      bar.show(progress)
    } report: { violation in
      bar.interrupt { print(violation) }
    }
    bar.clear()
    tell(
      "checked \(count(result.entries, "entry", "entries")), "
        + "\(count(result.accounts, "account", "accounts")) and "
        + "\(count(result.transactions, "transaction", "transactions")); "
        + "violations: \(result.violations)")
    return result.violations
  }

  /// A number with a word in the singular or the plural.
  private static func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }

  private static func print(_ violation: LedgerViolation) {
    FileHandle.standardOutput.write(Data(violation.json.serialized + [UInt8(ascii: "\n")]))
  }

  private static func tell(_ text: String) {
    FileHandle.standardError.write(Data("audit-ledger: \(text)\n".utf8))
  }
}
