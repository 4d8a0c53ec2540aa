internal import JSONValues

extension DERReader {
  /// Reads a UTCTime or GeneralizedTime; returns seconds since 1970 UTC.
  ///
  /// The time must be in UTC with seconds, the only form in DER (RFC 5280 section 4.1.2.5).
  mutating func time(_ bytes: [UInt8]) throws(Failure) -> Int {
    let tag = nextTag(bytes)
    guard tag == .utcTime || tag == .generalizedTime else { throw Failure() }
    let content = try value(bytes).content
    let digits = tag == .utcTime ? 12 : 14
    guard content.count == digits + 1, bytes[content.upperBound - 1] == UInt8(ascii: "Z") else {
      throw Failure()
    }
    var numbers = DigitPairs(rest: bytes[content.lowerBound..<(content.upperBound - 1)])
    var year = try numbers.next()
    if tag == .utcTime {
      year += year < 50 ? 2000 : 1900
    } else {
      year = try year * 100 + numbers.next()
    }
    let month = try numbers.next(in: 1...12)
    let day = try numbers.next(in: 1...Self.days(inMonth: month, of: year))
    let hour = try numbers.next(in: 0...23)
    let minute = try numbers.next(in: 0...59)
    let second = try numbers.next(in: 0...59)
    let days = Self.days(before: month, of: year) + day - 1
    return ((days * 24 + hour) * 60 + minute) * 60 + second
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the days from 1970-01-01 to the first of a month; years are 0 to 9999.
  private static func days(before month: Int, of year: Int) -> Int {
    let past = year - 1
    // Counted from the year 1; the year 0 is a leap year before it.
    let years = year == 0 ? -366 : past * 365 + past / 4 - past / 100 + past / 400
    let months = (1..<month).reduce(0) { $0 + days(inMonth: $1, of: year) }
    return years + months - 719_162
  }
}

/// A sequence of numbers of two decimal digits.
private struct DigitPairs {
  var rest: ArraySlice<UInt8>

  mutating func next(in range: ClosedRange<Int> = 0...99) throws(DERReader.Failure) -> Int {
    let pair = rest.prefix(2)
    guard pair.count == 2, pair.areDigits else { throw DERReader.Failure() }
    rest = rest.dropFirst(2)
    let number = pair.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    guard range.contains(number) else { throw DERReader.Failure() }
    return number
  }
}
