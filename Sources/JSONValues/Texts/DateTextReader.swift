/// A reader of dates that consist of digits and fixed characters.
package struct DateTextReader {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  /// Creates a reader of the first 64 bytes of a text, which is more than any date has.
  package init(_ text: String) {
    self.init(Array(text.utf8.prefix(64))[...])
  }

  /// Whether every byte has been read.
  package var isAtEnd: Bool { index == bytes.endIndex }

  /// Reads a number with exactly this many digits.
  package mutating func digits(_ count: Int) -> Int? {
    guard bytes.endIndex - index >= count else { return nil }
    var value = 0
    for place in index..<(index + count) {
      let byte = bytes[place]
      guard byte.isDigit else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    index += count
    return value
  }

  /// Reads a fixed text if it comes next, and returns whether it does.
  package mutating func accept(_ text: StaticString) -> Bool {
    let end = index + text.utf8CodeUnitCount
    guard end <= bytes.endIndex else { return false }
    let isNext = text.withUTF8Buffer { text in
      text.indices.allSatisfy { unsafe text[$0] == bytes[index + $0] }
    }
    if isNext { index = end }
    return isNext
  }

  /// Reads a byte if it comes next, and returns whether it does.
  private mutating func accept(byte: UInt8) -> Bool {
    guard index < bytes.endIndex, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  /// Reads a day such as `2020-07-22`, in the years 1 to 9999.
  package mutating func day() -> CivilDay? {
    let hyphen = UInt8(ascii: "-")
    guard let year = digits(4), accept(byte: hyphen), let month = digits(2), accept(byte: hyphen),
      let day = digits(2)
    else { return nil }
    return CivilDay(year: year, month: month, day: day)
  }

  /// Reads a time such as `17:39:08`, and returns it in seconds.
  package mutating func time(lastSecond: Int = 59) -> Int? {
    let colon = UInt8(ascii: ":")
    guard let hour = digits(2), accept(byte: colon), let minute = digits(2), accept(byte: colon),
      let second = digits(2), hour < 24, minute < 60, second <= lastSecond
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// Reads a fraction of a second in nanoseconds, which is zero if absent.
  ///
  /// Returns nil for a point without digits, and for more than nine digits.
  package mutating func nanoseconds() -> Int? {
    guard accept(".") else { return 0 }
    var value = 0
    var unit = 1_000_000_000
    while let digit = digits(1) {
      guard unit > 1 else { return nil }
      unit /= 10
      value += digit * unit
    }
    return unit < 1_000_000_000 ? value : nil
  }

  /// Reads `Z` or an offset from UTC such as `+02:00`, and returns it in seconds.
  package mutating func offset(isColonOptional: Bool = false) -> Int? {
    if accept("Z") { return 0 }
    let sign = accept("+") ? 1 : accept("-") ? -1 : 0
    guard sign != 0, let hours = digits(2), accept(":") || isColonOptional,
      let minutes = digits(2), hours < 24, minutes < 60
    else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}

extension DateTextReader {
  private static let weekdays: [StaticString] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months: [StaticString] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the date of a header field such as `Sun, 06 Nov 1994 08:49:37 GMT` in seconds since 1970, or nil for
  /// any other text.
  ///
  /// Source: RFC 9110 section 5.6.7, the preferred form only.
  package static func seconds(headerField text: String) -> Int? {
    var reader = DateTextReader(text)
    guard weekdays.contains(where: { reader.accept($0) }), reader.accept(", "),
      let day = reader.digits(2), reader.accept(" "),
      let month = months.firstIndex(where: { reader.accept($0) }), reader.accept(" "),
      let year = reader.digits(4), reader.accept(" "), let time = reader.time(lastSecond: 60),
      reader.accept(" GMT"), reader.isAtEnd,
      let civil = CivilDay(year: year, month: month + 1, day: day)
    else { return nil }
    return civil.number * 86_400 + time
  }
}

extension [UInt8] {
  /// Appends a nonnegative number with leading zeros, followed by a text.
  package mutating func append(digits value: Int, width: Int, then text: StaticString = "") {
    let value = value.magnitude
    var power: UInt = 1
    for _ in 1..<width { power *= 10 }
    while value / power > 9 { power *= 10 }
    while power > 0 {
      append(UInt8(ascii: "0") + UInt8(value / power % 10))
      power /= 10
    }
    text.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }

  /// Appends a day such as `2020-07-22`, followed by a text.
  package mutating func append(_ day: CivilDay, then text: StaticString = "") {
    append(digits: day.year, width: 4, then: "-")
    append(digits: day.month, width: 2, then: "-")
    append(digits: day.day, width: 2, then: text)
  }
}
