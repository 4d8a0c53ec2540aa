/// Tells whether what stands behind a day is a time.
enum DayTimeReader {
  /// A `T` or a space, hours and minutes; seconds, their fraction and a zone where they are there.
  static func isTime(_ bytes: Substring.UTF8View) -> Bool {
    guard bytes.count <= 40, let first = bytes.first, " Tt".utf8.contains(first) else {
      return false
    }
    var reader = DateTextReader(String(decoding: bytes.dropFirst(), as: UTF8.self))
    guard let hours = reader.digits(2), hours <= 24, reader.accept(":"), isSixtieth(&reader) else {
      return false
    }
    if reader.accept(":") {
      guard isSixtieth(&reader) else { return false }
      if reader.accept(".") {
        guard reader.digits(1) != nil else { return false }
        while reader.digits(1) != nil {}
      }
    }
    return isZone(&reader)
  }

  /// Minutes or seconds; a leap second is one.
  private static func isSixtieth(_ reader: inout DateTextReader) -> Bool {
    reader.digits(2).map { $0 <= 60 } ?? false
  }

  /// Nothing is a zone too.
  private static func isZone(_ reader: inout DateTextReader) -> Bool {
    _ = reader.accept(" ")
    if reader.isAtEnd || reader.accept("Z") || reader.accept("z") || reader.accept("UTC") {
      return reader.isAtEnd
    }
    guard reader.accept("+") || reader.accept("-"), reader.digits(2) != nil else { return false }
    if reader.isAtEnd { return true }
    _ = reader.accept(":")
    return reader.digits(2) != nil && reader.isAtEnd
  }
}
