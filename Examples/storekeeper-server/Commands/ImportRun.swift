import JSONValues
import Storekeeper
import StorekeeperLocks
import StorekeeperToolSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
  /// - Throws: ``ImportFileFailure`` if the file or the report cannot be read or written; nothing was imported then.
  func run() async throws -> (summary: JSONValue, failure: (any Error)?) {
    let latest = Locked<ImportReport?>(nil)
    let progress = ImportProgress()
    do {
      let file = try await ImportFile(order.format, reading: try FilePieces(order.path).next)
      let place = order.isTrial ? 0 : try await purchases.place(in: file)
      let list = try order.report.map { try RefusalList($0, keeping: place) }
      let rows = ImportRows(order.format, reading: try FilePieces(order.path).next)
      let report = try await purchases.run(rows, of: file) { step in
        latest.withLock { $0 = step.report }
        list?.add(step.results)
        progress.show(step.report)
      }
      progress.end()
      if let list, list.hasFailed { throw ImportFileFailure.report }
      return (json(report), report.isLeasedElsewhere ? OtherImport() : nil)
    } catch let fault as ImportFault {
      throw ImportFileFailure.file(fault)
    } catch let failure as ImportFileFailure {
      throw failure
    } catch {
      progress.end()
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

/// The report: a table in CSV with a line for each row that was refused or postponed, and why.
final class RefusalList: Sendable {
  private let output: BlockingOutput
  private let failure = Locked(false)
  private static let header = "row,line,account,evidence,reason,detail\n"

  /// Opens the report; what an earlier run told of rows up to a place stays.
  init(_ path: String, keeping place: Int) throws(ImportFileFailure) {
    var kept = Self.header
    if place > 0, let old = FileManager.default.contents(atPath: path) {
      for line in String(decoding: old, as: UTF8.self).split(separator: "\n").dropFirst() {
        guard let row = line.split(separator: ",").first.flatMap({ Int($0) }), row <= place else {
          continue
        }
        kept += line + "\n"
      }
    }
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .report }
    output = BlockingOutput(descriptor: descriptor)
    do throws(BlockingOutput.Failure) {
      try output.write(Array(kept.utf8))
    } catch {
      throw .report
    }
  }

  deinit { close(output.descriptor) }

  /// Whether a line could not be written.
  var hasFailed: Bool { failure.withLock { $0 } }

  /// Adds the results that gave nobody anything.
  func add(_ results: [ImportResult]) {
    let text = results.compactMap(Self.line).joined()
    do throws(BlockingOutput.Failure) {
      try output.write(Array(text.utf8))
    } catch {
      failure.withLock { $0 = true }
    }
  }

  private static func line(_ result: ImportResult) -> String? {
    let reason: String
    var detail = ""
    switch result.outcome {
    case .accepted, .unchanged: return nil
    case .postponed: reason = "postponed"
    case .refused(let refusal):
      reason = refusal.name
      if case .malformed(let fault) = refusal {
        detail = "column \(fault.column): \(fault.problem)"
      }
    }
    let values = [
      String(result.number), String(result.line), result.account ?? "", result.evidence ?? "",
      reason, detail,
    ]
    return values.map(quoted).joined(separator: ",") + "\n"
  }

  private static func quoted(_ value: String) -> String {
    guard value.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return value }
    return "\"" + value.replacing("\"", with: "\"\"") + "\""
  }
}
