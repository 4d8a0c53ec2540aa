internal import HTTPMessages

/// Status and fields of an answer, as its lines arrive.
///
/// Interim answers come before it and are passed over (RFC 9110 section 15.2); the fields of a
/// trailer come behind the body and are not part of it (section 6.5.1).
struct AnswerHead {
  /// How many bytes all lines of an exchange may have, interim answers and trailers among them.
  static let limit = 256 << 10

  private(set) var status: HTTPStatusCode?
  private(set) var headers = HTTPHeaders()
  /// Whether the empty line behind the fields has arrived.
  private(set) var isComplete = false

  private var byteCount = 0
  /// The last field, whose value may go on in the next line.
  private var last: (name: HTTPHeaderName, value: String)?

  /// Takes one line with its end.
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
    // After 101 something else would follow than HTTP, so there is no other answer.
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
      // Folded, which is forbidden by now and to be read as white space (RFC 9112 section 5.2).
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

  /// `HTTP/1.1 200 OK` (RFC 9112 section 4).
  private static func status(_ line: ArraySlice<UInt8>) throws(AnswerFailure) -> HTTPStatusCode {
    let parts = line.split(separator: space, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count > 1, parts[0].starts(with: "HTTP/".utf8), parts[1].count == 3 else {
      throw .noStatusLine
    }
    var code = 0
    for digit in parts[1] {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { throw .noStatusLine }
      code = code * 10 + Int(digit - UInt8(ascii: "0"))
    }
    guard code >= 100 else { throw .noStatusLine }
    return HTTPStatusCode(code)
  }
}

/// Why the lines before a body are no head of an HTTP answer.
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
  /// Without the white space before it.
  fileprivate var utf8Trimmed: Substring {
    self[(utf8.firstIndex { $0 != space && $0 != tab } ?? endIndex)...]
  }
}
