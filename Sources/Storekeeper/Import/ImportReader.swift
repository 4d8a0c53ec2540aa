internal import JSONValues
internal import ReceiptModels

/// A reader of a file of purchases that takes its bytes in pieces of any length.
///
/// ```swift
/// var reader = ImportReader(.tokens)
/// var rows = try reader.read(bytes)
/// rows += try reader.finish()
/// ```
///
/// A row that cannot be read is a fault with its line and column, and the next one is read all the same. Whether the
/// evidence is any, and whether the account exists, is not checked.
public struct ImportReader: Sendable {
  private enum Parser {
    case list(ListParser)
    case table(CSVParser)
  }

  private let format: ImportFormat
  private var parser: Parser
  private var table: ImportTable?
  /// The bytes of a possible byte-order mark.
  private var start: [UInt8]? = []

  /// Creates a reader at the beginning of a file.
  public init(_ format: ImportFormat) {
    self.format = format
    if case .table(let columns) = format {
      parser = .table(CSVParser(separator: columns.separator))
    } else {
      parser = .list(ListParser())
    }
  }

  /// Reads a piece of the file, and returns the rows that end in it.
  ///
  /// - Throws: ``ImportFault`` if the first row of a table lacks a column; nothing more can be read then.
  public mutating func read(
    _ bytes: [UInt8]
  ) throws(ImportFault) -> [Result<ImportRow, ImportFault>] {
    guard var start else { return try rows(of: parse(bytes)) }
    start += bytes
    self.start = start
    return start.count < 3 ? [] : try rows(of: begin())
  }

  /// Reads the end of the file, and returns the last row where no end of line follows it.
  ///
  /// - Throws: As ``read(_:)``; a table without any row lacks all columns.
  public mutating func finish() throws(ImportFault) -> [Result<ImportRow, ImportFault>] {
    var records = begin()
    switch parser {
    case .list(var list):
      if let row = list.finish() { records.append(row) }
      parser = .list(list)
    case .table(var csv):
      records += csv.finish()
      parser = .table(csv)
    }
    let rows = try rows(of: records)
    if case .table = format, table == nil {
      throw ImportFault(line: 1, column: 1, problem: .columnMissing(.account))
    }
    return rows
  }

  /// Parses what was held back at the beginning, without a byte-order mark.
  private mutating func begin() -> [Result<ImportRecord, ImportFault>] {
    guard let held = start else { return [] }
    start = nil
    return parse(held.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(held.dropFirst(3)) : held)
  }

  private mutating func parse(_ bytes: [UInt8]) -> [Result<ImportRecord, ImportFault>] {
    switch parser {
    case .list(var list):
      // Only one of the two keeps the buffer, so that it is not copied.
      parser = .list(ListParser())
      let rows = list.read(bytes)
      parser = .list(list)
      return rows
    case .table(var csv):
      parser = .list(ListParser())
      let rows = csv.read(bytes)
      parser = .table(csv)
      return rows
    }
  }

  private mutating func rows(
    of records: [Result<ImportRecord, ImportFault>]
  ) throws(ImportFault) -> [Result<ImportRow, ImportFault>] {
    var rows: [Result<ImportRow, ImportFault>] = []
    for record in records {
      switch (record, format) {
      case (.failure(let fault), .table) where table == nil: throw fault
      case (.failure(let fault), _): rows.append(.failure(fault))
      case (.success(let record), .table(let columns)):
        if let table {
          rows.append(Result { () throws(ImportFault) in try table.row(record) })
        } else {
          table = try ImportTable(record, columns)
        }
      case (.success(let record), _):
        rows.append(Result { () throws(ImportFault) in try listed(record) })
      }
    }
    return rows
  }

  /// Reads a row of a list.
  private func listed(_ record: ImportRecord) throws(ImportFault) -> ImportRow {
    let values = record.values
    guard let first = values.first else {
      throw ImportFault(line: record.line, column: 1, problem: .missing(.account))
    }
    let account = try first.account()
    guard values.count > 1 else {
      throw ImportFault(
        line: first.line, column: first.column + first.bytes.count, problem: .missing(.evidence))
    }
    let most = format == .transactions ? 3 : 2
    guard values.count <= most else { throw values[most].fault(.tooManyValues) }
    let evidence: ImportEvidence =
      switch format {
      case .receipts: try values[1].receipt()
      case .tokens: try values[1].purchaseToken()
      case .transactions, .table: try values[1].transactionID()
      }
    var row = ImportRow(line: record.line, account: account, evidence: evidence)
    if values.count == 3 {
      row.environment = try values[2].environment(among: ImportColumns().environments)
    }
    return row
  }
}

extension ImportRecord.Value {
  func account() throws(ImportFault) -> AccountID {
    let text = try text()
    do throws(AccountFailure) {
      return try AccountID(opaque: text)
    } catch {
      throw fault(error == .missing ? .missing(.account) : .account(error))
    }
  }

  func receipt() throws(ImportFault) -> ImportEvidence {
    let text = try evidence()
    let isBase64 = text.utf8.allSatisfy { byte in
      byte.isLetterOrDigit || "+/=_-".utf8.contains(byte)
    }
    guard isBase64 else { throw fault(.notBase64) }
    return .receipt(text)
  }

  func transactionID() throws(ImportFault) -> ImportEvidence {
    let text = try evidence()
    guard TransactionIDs.areDigits(text) else { throw fault(.notATransactionID) }
    return .transactionID(text)
  }

  func purchaseToken() throws(ImportFault) -> ImportEvidence {
    let text = try evidence()
    guard !text.hasPrefix("GPA.") else { throw fault(.orderNumber) }
    guard text.utf8.count <= 4096, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw fault(.notAPurchaseToken)
    }
    return .purchaseToken(text)
  }

  /// Reads an environment; nil for an empty value.
  func environment(
    among known: [String: AppStoreEnvironment]
  ) throws(ImportFault) -> AppStoreEnvironment? {
    let text = try text()
    guard !text.isEmpty else { return nil }
    guard let environment = known[text] else { throw fault(.unknownEnvironment) }
    return environment
  }

  private func evidence() throws(ImportFault) -> String {
    let text = try text()
    guard !text.isEmpty else { throw fault(.missing(.evidence)) }
    return text
  }
}
