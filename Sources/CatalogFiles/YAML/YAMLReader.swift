internal import CStorekeeperYAML

/// The error of a reader, with its line.
struct YAMLFailure: Error {
  /// libyaml's constant text.
  var reason: String?
  var line: Int
}

/// One parser of libyaml; unique, so it is closed exactly once.
@safe struct YAMLReader: ~Copyable {
  private let reader: UnsafeMutablePointer<cyaml_reader>
  private let bytes: UnsafeBufferPointer<UInt8>

  /// Opens a reader of bytes, which have to outlive it.
  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(YAMLFailure) {
    guard let reader = unsafe cyaml_open(bytes.baseAddress, bytes.count) else {
      throw YAMLFailure(reason: "not enough memory", line: 1)
    }
    unsafe self.reader = reader
    unsafe self.bytes = bytes
  }

  deinit { unsafe cyaml_close(reader) }

  /// Reads the next event.
  ///
  /// There is no next one after the end of the stream and after an error.
  mutating func next() throws(YAMLFailure) -> YAMLEvent {
    guard unsafe cyaml_next(reader) != 0 else { throw failure }
    return YAMLEvent(
      kind: try kind, line: unsafe Int(cyaml_line(reader)) + 1,
      hasAnchor: unsafe cyaml_has_anchor(reader) != 0,
      hasTag: unsafe cyaml_has_tag(reader) != 0 || cyaml_has_tag_directives(reader) != 0)
  }

  private var kind: YAMLEvent.Kind {
    get throws(YAMLFailure) {
      switch unsafe cyaml_type(reader) {
      case YAML_STREAM_START_EVENT: return .streamStart
      case YAML_STREAM_END_EVENT: return .streamEnd
      case YAML_DOCUMENT_START_EVENT: return .documentStart
      case YAML_DOCUMENT_END_EVENT: return .documentEnd
      case YAML_ALIAS_EVENT: return .alias
      case YAML_SCALAR_EVENT:
        return .scalar(text: scalar, isPlain: unsafe cyaml_is_plain(reader) != 0)
      case YAML_SEQUENCE_START_EVENT: return .listStart
      case YAML_SEQUENCE_END_EVENT: return .listEnd
      case YAML_MAPPING_START_EVENT: return .mapStart
      case YAML_MAPPING_END_EVENT: return .mapEnd
      default: throw failure
      }
    }
  }

  private var scalar: String {
    let text = unsafe UnsafeBufferPointer(
      start: cyaml_text(reader), count: cyaml_text_length(reader))
    return unsafe String(decoding: text, as: UTF8.self)
  }

  private var failure: YAMLFailure {
    let reason = unsafe cyaml_problem(reader).map { unsafe String(cString: $0) }
    switch unsafe cyaml_error(reader) {
    case YAML_MEMORY_ERROR: return YAMLFailure(reason: "not enough memory", line: 1)
    case YAML_READER_ERROR:
      return YAMLFailure(
        reason: reason, line: line(at: unsafe Int(clamping: cyaml_problem_offset(reader))))
    default:
      return YAMLFailure(
        reason: reason, line: unsafe Int(clamping: cyaml_problem_line(reader)) + 1)
    }
  }

  /// The line of an offset, from 1.
  private func line(at offset: Int) -> Int {
    let text = unsafe Span(_unsafeElements: bytes)
    var line = 1
    var index = 0
    while index < min(offset, text.count) {
      let length = YAMLLineBreak.length(at: index, in: text)
      line += length > 0 ? 1 : 0
      index += max(1, length)
    }
    return line
  }
}

/// An event of libyaml, with copies of what it points to.
struct YAMLEvent {
  enum Kind {
    case streamStart, streamEnd
    case documentStart, documentEnd
    case alias
    case scalar(text: String, isPlain: Bool)
    case listStart, listEnd
    case mapStart, mapEnd
  }

  var kind: Kind
  /// The line where it begins, from 1.
  var line: Int
  var hasAnchor = false
  /// Whether it has a tag, or begins a document with directives of tags.
  var hasTag = false
}

/// The line breaks that libyaml knows, which are those of YAML 1.1.
///
/// Source: YAML 1.1, section 5.4, "Line Break Characters".
enum YAMLLineBreak {
  /// The length in bytes of the line break at a place in a text of UTF-8; 0 if there is none.
  ///
  /// CR with LF is one break, and so are CR, LF, U+0085, U+2028 and U+2029.
  static func length(at index: Int, in text: Span<UInt8>) -> Int {
    func byte(_ distance: Int) -> UInt8? {
      index + distance < text.count ? text[index + distance] : nil
    }
    switch byte(0) {
    case 0x0A: return 1
    case 0x0D: return byte(1) == 0x0A ? 2 : 1
    case 0xC2: return byte(1) == 0x85 ? 2 : 0
    case 0xE2: return byte(1) == 0x80 && (byte(2) == 0xA8 || byte(2) == 0xA9) ? 3 : 0
    default: return 0
    }
  }
}
