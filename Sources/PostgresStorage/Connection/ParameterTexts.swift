internal import SQLStorage

/// The values of a statement in libpq's form: texts that end with a zero byte.
struct ParameterTexts {
  private var bytes: [UInt8] = []
  private var starts: [Int?] = []

  /// Creates parameters from values; a text with a zero byte would be truncated there.
  init(_ values: [SQLValue]) {
    starts.reserveCapacity(values.count)
    for value in values {
      switch value {
      case .null: starts.append(nil)
      case .integer(let number): append(String(number).utf8)
      case .text(let text): append(text.utf8)
      }
    }
  }

  /// Creates parameters from texts known to have no zero byte.
  init(texts: [String?]) {
    for text in texts {
      if let text { append(text.utf8) } else { starts.append(nil) }
    }
  }

  static let none = ParameterTexts(texts: [])

  var count: Int { starts.count }

  private mutating func append(_ text: String.UTF8View) {
    starts.append(bytes.count)
    bytes.append(contentsOf: text)
    bytes.append(0)
  }

  /// Calls `body` with a pointer for each value, nil for NULL; they are valid during the call only.
  func withPointers<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result) -> Result {
    unsafe bytes.withUnsafeBytes { buffer in
      let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers: [UnsafePointer<CChar>?] = unsafe starts.map { start in
        guard let start, let base = unsafe base else { return nil }
        return unsafe base + start
      }
      return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
  }
}
