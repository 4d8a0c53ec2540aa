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
