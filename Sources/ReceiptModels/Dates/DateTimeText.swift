/// Days and times as text in fixed forms, without locale and calendar, in UTC.
struct DateTimeText {
  /// Between the day and the time.
  let separator: StaticString
  /// Behind the time.
  let zone: StaticString

  /// As verifyReceipt writes it: `2020-07-22 17:39:08 Etc/GMT`.
  static let receipt = DateTimeText(separator: " ", zone: " Etc/GMT")
  /// RFC 3339 in whole seconds: `2020-07-22T17:39:08Z`.
  static let internet = DateTimeText(separator: "T", zone: "Z")

  private static let secondsPerDay = 86_400

  /// The seconds since 1970 of a text in the years 1 to 9999; nil unless every byte fits.
  func seconds(of text: String) -> Int? {
    var reader = DateTextReader(text)
    guard
      let year = reader.digits(4), reader.accept("-"),
      let month = reader.digits(2), reader.accept("-"),
      let day = reader.digits(2), reader.accept(separator),
      let hour = reader.digits(2), reader.accept(":"),
      let minute = reader.digits(2), reader.accept(":"),
      let second = reader.digits(2), reader.accept(zone), reader.isAtEnd,
      let days = CivilDay(year: year, month: month, day: day)?.number,
      hour < 24, minute < 60, second < 60
    else { return nil }
    return days * Self.secondsPerDay + hour * 3600 + minute * 60 + second
  }

  /// The text of so many seconds since 1970, in the years 1 to 9999.
  func text(ofSeconds seconds: Int) -> String {
    let days = seconds.floored(by: Self.secondsPerDay)
    let rest = seconds - days * Self.secondsPerDay
    let day = CivilDay(number: days)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(27)
    bytes.append(digits: day.year, width: 4, then: "-")
    bytes.append(digits: day.month, width: 2, then: "-")
    bytes.append(digits: day.day, width: 2, then: separator)
    bytes.append(digits: rest / 3600, width: 2, then: ":")
    bytes.append(digits: rest / 60 % 60, width: 2, then: ":")
    bytes.append(digits: rest % 60, width: 2, then: zone)
    return String(decoding: bytes, as: UTF8.self)
  }
}
