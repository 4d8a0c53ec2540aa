internal import HTTPMessages
internal import JSONValues

/// A parser of the status and the fields of a response, line by line.
///
/// Interim responses before it are skipped (RFC 9110 section 15.2), and so are the trailer fields
/// after the body (section 6.5.1).
struct AnswerHead {
  /// The maximum size in bytes of all lines of an exchange, including interim responses and
  /// trailers.
  static let limit = 256 << 10

  private(set) var status: HTTPStatusCode?
  private(set) var headers = HTTPHeaders()
  /// Whether the empty line after the fields has arrived.
  private(set) var isComplete = false

  private var byteCount = 0
  /// The last field, whose value may continue in the next line.
  private var last: (name: HTTPHeaderName, value: String)?

  /// Parses one line with its end.
  mutating func take(_ line: [UInt8]) throws(AnswerFailure) {
    byteCount += line.count
    guard byteCount <= Self.limit else { throw .tooLong }
    guard !isComplete else { return }
    let content = line.last == lineFeed ? line.dropLast() : line[...]
    let bytes = content.last == carriageReturn ? content.dropLast() : content
    if bytes.isEmpty {
      try end()
    } else if status == nil {
      status = try Self.status(bytes)
    } else {
      try takeField(bytes)
    }
  }

  private mutating func end() throws(AnswerFailure) {
    try flush()
    guard let status else { throw .noStatusLine }
    // After 101 the connection no longer speaks HTTP, so it is the final response.
    if (100...199).contains(status.code), status != 101 {
      self.status = nil
      headers = HTTPHeaders()
    } else {
      isComplete = true
    }
  }

  private mutating func takeField(_ bytes: ArraySlice<UInt8>) throws(AnswerFailure) {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
    if bytes.first == space || bytes.first == tab {
      // Line folding is obsolete and counts as white space (RFC 9112 section 5.2).
      guard let last else { throw .noColon }
      self.last = (last.name, last.value + " " + text.utf8Trimmed)
      return
    }
    try flush()
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw .noColon }
    do throws(HTTPSyntaxFailure) {
      let name = try HTTPHeaderName(String(text[..<colon]))
      last = (name, String(text[text.utf8.index(after: colon)...]))
    } catch {
      throw .syntax(error)
    }
  }

  private mutating func flush() throws(AnswerFailure) {
    guard let field = last else { return }
    last = nil
    do throws(HTTPSyntaxFailure) {
      try headers.append(field.value, for: field.name)
    } catch {
      throw .syntax(error)
    }
  }

  /// Parses a status line, such as `HTTP/1.1 200 OK` (RFC 9112 section 4).
  private static func status(_ line: ArraySlice<UInt8>) throws(AnswerFailure) -> HTTPStatusCode {
    let parts = line.split(separator: space, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count > 1, parts[0].starts(with: "HTTP/".utf8), parts[1].count == 3 else {
      throw .noStatusLine
    }
    var code = 0
    for digit in parts[1] {
      guard digit.isDigit else { throw .noStatusLine }
      code = code * 10 + Int(digit - UInt8(ascii: "0"))
    }
    guard code >= 100 else { throw .noStatusLine }
    return HTTPStatusCode(code)
  }
}

/// A reason why the lines before a body are not the head of an HTTP response.
enum AnswerFailure: Error, Hashable, Sendable {
  case noStatusLine
  case noColon
  case notUTF8
  case syntax(HTTPSyntaxFailure)
  case tooLong
}

private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
private let space = UInt8(ascii: " ")
private let tab = UInt8(ascii: "\t")

extension String {
  /// The string without leading white space.
  fileprivate var utf8Trimmed: Substring {
    self[(utf8.firstIndex { $0 != space && $0 != tab } ?? endIndex)...]
  }
}
