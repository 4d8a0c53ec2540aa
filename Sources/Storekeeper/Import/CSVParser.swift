/// A row of values, each with its place.
struct ImportRecord {
  /// The line on which the row begins.
  var line: Int
  var values: [Value] = []

  struct Value {
    var bytes: [UInt8] = []
    var line: Int
    var column: Int

    func fault(_ problem: ImportFault.Problem) -> ImportFault {
      ImportFault(line: line, column: column, problem: problem)
    }

    /// The text without white space around it.
    func text() throws(ImportFault) -> String {
      guard let text = String(validating: bytes, as: UTF8.self) else { throw fault(.notUTF8) }
      return String(text.trimmed)
    }
  }
}

/// A parser of tables (RFC 4180) that takes the bytes of a file in pieces.
///
/// Lines may end with LF, CR or both. A row that breaks the grammar is a fault, and the next line begins another row,
/// also where a quotation mark has taken that line into the row. Rows without any text are left out.
struct CSVParser {
  private enum State {
    case valueStart
    case plain
    case quoted
    /// After a quotation mark within quotation marks, which ends the value or is one of two.
    case quoteInQuoted
    /// After a fault, up to the end of the line.
    case skipping
  }

  private let separator: UInt8
  private var state = State.valueStart
  private var line = 1
  /// The column of the next byte.
  private var column = 1
  private var wasCarriageReturn = false
  private var record = ImportRecord(line: 1)
  private var value = ImportRecord.Value(line: 1, column: 1)
  private var length = 0
  private var quote = (line: 1, column: 1)
  /// What the row has after its first line, if it has more; it is read again if the row is a fault.
  private var laterLines: (bytes: [UInt8], line: Int)?
  /// The bytes that are read again, from their line on.
  private var rescued: (bytes: [UInt8], line: Int)?

  private static let newLine = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let mark = UInt8(ascii: "\"")

  init(separator: UInt8) { self.separator = separator }

  /// Reads a piece of the file, and returns the rows that end in it.
  mutating func read(_ bytes: some Sequence<UInt8>) -> [Result<ImportRecord, ImportFault>] {
    var rows: [Result<ImportRecord, ImportFault>] = []
    for byte in bytes {
      if let row = take(byte) { rows.append(row) }
      if rescued != nil { readAgain(&rows) }
    }
    return rows
  }

  /// Reads the end of the file, and returns the rows that end there.
  mutating func finish() -> [Result<ImportRecord, ImportFault>] {
    var rows: [Result<ImportRecord, ImportFault>] = []
    while state == .quoted {
      rows.append(fault(.openQuote))
      begin()
      readAgain(&rows)
    }
    if let row = endOfRow() { rows.append(row) }
    return rows
  }

  /// Reads the later lines of a row that was a fault, and those of the rows in them that are faults too.
  private mutating func readAgain(_ rows: inout [Result<ImportRecord, ImportFault>]) {
    var pieces: [ArraySlice<UInt8>] = []
    repeat {
      if let (bytes, line) = rescued {
        rescued = nil
        pieces.append(bytes[...])
        (self.line, column) = (line, 1)
        if !bytes.isEmpty { wasCarriageReturn = false }
        begin()
      }
      guard let last = pieces.indices.last else { return }
      guard let byte = pieces[last].popFirst() else {
        pieces.removeLast()
        continue
      }
      if let row = take(byte) { rows.append(row) }
    } while true
  }

  private mutating func take(_ byte: UInt8) -> Result<ImportRecord, ImportFault>? {
    let followsReturn = wasCarriageReturn
    wasCarriageReturn = byte == Self.carriageReturn
    if byte == Self.newLine, followsReturn {
      // The second half of an end of line that was taken already.
      if state == .quoted { value.bytes.append(byte) }
      if laterLines?.bytes.isEmpty == false { laterLines?.bytes.append(byte) }
      return nil
    }
    defer { move(past: byte) }
    let isEnd = byte == Self.newLine || byte == Self.carriageReturn
    // The end of a line is none of the row's bytes, unless it is within quotation marks.
    if !isEnd || state == .quoted { length += 1 }
    if laterLines != nil {
      laterLines?.bytes.append(byte)
    } else if isEnd, state == .quoted {
      laterLines = ([], line + 1)
    }
    guard length <= ImportFormat.maximumRowLength || state == .skipping else {
      return fault(.tooLong(limit: ImportFormat.maximumRowLength))
    }
    switch state {
    case .skipping:
      if isEnd { begin() }
      return nil
    case .quoted:
      if byte == Self.mark { state = .quoteInQuoted } else { value.bytes.append(byte) }
      return nil
    case .quoteInQuoted where byte == Self.mark:
      value.bytes.append(byte)
      state = .quoted
      return nil
    case .valueStart where byte == Self.mark:
      quote = (line, column)
      state = .quoted
      return nil
    case .valueStart, .plain, .quoteInQuoted:
      if isEnd { return endOfRow() }
      if byte == separator {
        endOfValue()
        return nil
      }
      if state == .quoteInQuoted { return fault(.textAfterQuote) }
      if byte == Self.mark { return fault(.strayQuote) }
      value.bytes.append(byte)
      state = .plain
      return nil
    }
  }

  private mutating func move(past byte: UInt8) {
    if byte == Self.newLine || byte == Self.carriageReturn {
      (line, column) = (line + 1, 1)
    } else {
      column += 1
    }
    // Only a row that has just begun begins at the next byte.
    if length == 0 {
      record.line = line
      (value.line, value.column) = (line, column)
    } else if value.bytes.isEmpty, state == .valueStart {
      (value.line, value.column) = (line, column)
    }
  }

  private mutating func endOfValue() {
    record.values.append(value)
    value = ImportRecord.Value(line: line, column: column + 1)
    state = .valueStart
  }

  private mutating func endOfRow() -> Result<ImportRecord, ImportFault>? {
    guard state != .skipping else {
      begin()
      return nil
    }
    endOfValue()
    let row = record
    begin()
    return row.values.contains { !$0.bytes.isEmpty } ? .success(row) : nil
  }

  private mutating func fault(
    _ problem: ImportFault.Problem
  ) -> Result<ImportRecord, ImportFault> {
    var fault = ImportFault(line: line, column: column, problem: problem)
    // The mark that took later lines into the row is the likely mistake.
    if laterLines != nil { fault.problem = .openQuote }
    if fault.problem == .openQuote { (fault.line, fault.column) = quote }
    rescued = laterLines
    begin()
    state = .skipping
    return .failure(fault)
  }

  private mutating func begin() {
    state = .valueStart
    laterLines = nil
    length = 0
    record = ImportRecord(line: line)
    value = ImportRecord.Value(line: line, column: column)
  }
}

/// A parser of lists, a row a line, that takes the bytes of a file in pieces.
struct ListParser {
  private var line = 1
  private var bytes: [UInt8] = []
  private var wasCarriageReturn = false
  private var isTooLong = false

  /// Reads a piece of the file, and returns the rows that end in it.
  mutating func read(_ piece: some Sequence<UInt8>) -> [Result<ImportRecord, ImportFault>] {
    var rows: [Result<ImportRecord, ImportFault>] = []
    for byte in piece {
      let followsReturn = wasCarriageReturn
      wasCarriageReturn = byte == UInt8(ascii: "\r")
      switch byte {
      case UInt8(ascii: "\n") where followsReturn: continue
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        if let row = finish() { rows.append(row) }
        line += 1
      default:
        if bytes.count < ImportFormat.maximumRowLength {
          bytes.append(byte)
        } else {
          isTooLong = true
        }
      }
    }
    return rows
  }

  /// Reads the end of a line.
  mutating func finish() -> Result<ImportRecord, ImportFault>? {
    defer {
      bytes = []
      isTooLong = false
    }
    if isTooLong {
      return .failure(
        ImportFault(
          line: line, column: 1, problem: .tooLong(limit: ImportFormat.maximumRowLength)))
    }
    guard bytes.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else {
      return nil
    }
    let tab = UInt8(ascii: "\t")
    let separator = bytes.contains(tab) ? tab : UInt8(ascii: ",")
    var record = ImportRecord(line: line)
    var column = 1
    for part in bytes.split(separator: separator, omittingEmptySubsequences: false) {
      record.values.append(ImportRecord.Value(bytes: Array(part), line: line, column: column))
      column += part.count + 1
    }
    return .success(record)
  }
}
