import JSONValues
import Storekeeper
import StorekeeperLocks
import StorekeeperToolSupport

/// An import of a file, whose progress is shown on a terminal and logged elsewhere.
struct ImportRun {
  private let purchases: PurchaseImport
  private let order: ImportOrder

  init(_ purchases: PurchaseImport, _ order: ImportOrder) {
    var purchases = purchases
    purchases.isTrial = order.isTrial
    self.purchases = purchases
    self.order = order
  }

  /// Imports, and returns the summary, also of a run that failed, with the failure.
  ///
  /// - Throws: ``ImportFileFailure`` if the file or the report cannot be opened; nothing was imported then.
  func run() async throws -> (summary: JSONValue, failure: (any Error)?) {
    let file: ImportFile
    do {
      file = try await ImportFile(order.format, reading: try FilePieces(order.path).next)
    } catch let fault as ImportFault {
      throw ImportFileFailure.file(fault)
    }
    let list = try order.report.map { path throws(ImportFileFailure) in try RefusalList(path) }
    let rows = ImportRows(order.format, reading: try FilePieces(order.path).next)
    let latest = Locked<ImportReport?>(nil)
    let progress = ImportProgress()
    defer { progress.end() }
    do {
      let report = try await purchases.run(rows, of: file) { step in
        try list?.add(step.results, after: step.report.earlier)
        latest.withLock { $0 = step.report }
        progress.show(step.report)
      }
      return (json(report), report.isLeasedElsewhere ? OtherImport() : nil)
    } catch {
      return (latest.withLock { $0 }.map(json) ?? .object([:]), error)
    }
  }

  private func json(_ report: ImportReport) -> JSONValue {
    .object([
      "complete": .boolean(report.isComplete),
      "leasedElsewhere": .boolean(report.isLeasedElsewhere), "dryRun": .boolean(order.isTrial),
      "rows": report.rowCount.map { .integer($0) } ?? .null, "earlier": .integer(report.earlier),
      "accepted": .integer(report.accepted), "unchanged": .integer(report.unchanged),
      "postponed": .integer(report.postponed), "refused": .integer(report.refused),
      "refusals": .object(report.refusals.mapValues { .integer($0) }),
      "seconds": .integer(Int(report.elapsed.components.seconds)),
    ])
  }
}

/// Another process imports, or was stopped at it so recently that it might.
struct OtherImport: Error, CustomStringConvertible {
  var description: String {
    "another process is at it, or was killed less than two minutes ago; try again then"
  }
}

/// The reason why a file of an import cannot be used.
enum ImportFileFailure: Error, CustomStringConvertible {
  case unreadable(InputFile.Failure)
  case file(ImportFault)
  case report

  var description: String {
    switch self {
    case .unreadable(let reason): reason.description
    case .file(let fault): "\(fault)"
    case .report: "the report cannot be written"
    }
  }
}

/// The bytes of a file in pieces.
final class FilePieces: Sendable {
  private let file: Locked<InputFile>

  init(_ path: String) throws(ImportFileFailure) {
    // Standard input could not be read twice.
    guard path != "-" else { throw .unreadable(.noSuchFile) }
    do throws(InputFile.Failure) {
      file = Locked(try InputFile(path))
    } catch {
      throw .unreadable(error)
    }
  }

  @Sendable func next() async throws -> [UInt8]? {
    try file.withLock { file in
      do throws(InputFile.Failure) {
        let part = try file.part()
        return part.isEmpty ? nil : Array(part)
      } catch {
        throw ImportFileFailure.unreadable(error)
      }
    }
  }
}
