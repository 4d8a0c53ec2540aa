import Storekeeper
import StorekeeperLocks

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The report: a table in CSV with a line for each row that was refused or postponed, and why.
///
/// Nothing is changed before the first results, which only the process gets that imports.
final class RefusalList: Sendable {
  private let output: BlockingOutput
  private let isBegun = Locked(false)
  private static let header = "row,line,account,evidence,reason,detail\n"

  /// Opens the report, and leaves it as it is.
  init(_ path: String) throws(ImportFileFailure) {
    var descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor < 0 { descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .report }
    output = BlockingOutput(descriptor: descriptor)
  }

  deinit { close(output.descriptor) }

  /// Adds the results that gave nobody anything, behind what an earlier run told of rows up to a place.
  ///
  /// - Throws: ``ImportFileFailure/report`` if a line could not be written; the rows must be told again then.
  func add(_ results: [ImportResult], after place: Int) throws(ImportFileFailure) {
    let isFirst = isBegun.withLock { isBegun in
      defer { isBegun = true }
      return !isBegun
    }
    var text = results.compactMap(Self.line).joined()
    if isFirst, try keep(upTo: place) == 0 { text = Self.header + text }
    do throws(BlockingOutput.Failure) {
      try output.write(Array(text.utf8))
    } catch {
      throw .report
    }
    // What is no file on a disk has nothing to be kept there.
    guard fsync(output.descriptor) == 0 || [EINVAL, ENOTSUP, EROFS].contains(errno) else {
      throw .report
    }
  }

  /// Removes what follows the rows up to a place, and returns the number of bytes that are kept; of what is no file on a
  /// disk none are.
  private func keep(upTo place: Int) throws(ImportFileFailure) -> Int {
    var status = stat()
    guard unsafe fstat(output.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return 0
    }
    let length = place > 0 ? try lengthToKeep(upTo: place) : 0
    guard fchmod(output.descriptor, 0o600) == 0,
      ftruncate(output.descriptor, off_t(length)) == 0,
      lseek(output.descriptor, off_t(length), SEEK_SET) == off_t(length)
    else { throw .report }
    return length
  }

  /// Returns the length of the header and the lines of rows up to a place; 0 for another file.
  private func lengthToKeep(upTo place: Int) throws(ImportFileFailure) -> Int {
    let header = Array(Self.header.utf8)
    var (length, kept) = (0, 0)
    var isQuoted = false
    var line: [UInt8] = []
    while true {
      let piece = try bytes(at: length)
      guard !piece.isEmpty else { return kept }
      for byte in piece {
        length += 1
        line.append(byte)
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        guard byte == UInt8(ascii: "\n"), !isQuoted else { continue }
        if kept == 0 {
          guard line == header else { return 0 }
        } else {
          let number = line.prefix { $0 != UInt8(ascii: ",") }
          guard let row = Int(String(decoding: number, as: UTF8.self)), row <= place else {
            return kept
          }
        }
        kept = length
        line = []
      }
    }
  }

  private func bytes(at offset: Int) throws(ImportFileFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe pread(output.descriptor, bytes.baseAddress, bytes.count, off_t(offset))
    }
    guard count >= 0 else { throw .report }
    return Array(bytes.prefix(count))
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
    return values.map(CSVCell.text).joined(separator: ",") + "\n"
  }
}
