import Foundation
import JSONValues
import ReceiptModels
import Testing

@Suite("Moments of verifyReceipt")
struct MomentTests {
  @Test(
    "as text have one fixed form",
    arguments: [
      ("1970-01-01 00:00:00 Etc/GMT", 0), ("2020-07-22 17:39:08 Etc/GMT", 1_595_439_548),
      ("2013-08-01 07:00:00 Etc/GMT", 1_375_340_400),
      ("1969-12-31 23:59:59 Etc/GMT", -1), ("2000-02-29 00:00:00 Etc/GMT", 951_782_400),
      ("2100-03-01 00:00:00 Etc/GMT", 4_107_542_400),
      ("0001-01-01 00:00:00 Etc/GMT", -62_135_596_800),
      ("9999-12-31 23:59:59 Etc/GMT", 253_402_300_799),
    ])
  func text(text: String, seconds: Int) throws {
    let moment = try #require(Moment(text, as: .verifyReceipt))
    #expect(moment.milliseconds == seconds * 1000)
    #expect(moment.text(as: .verifyReceipt) == text)
    #expect(moment.date == Date(timeIntervalSince1970: Double(seconds)))
  }

  @Test(
    "in any other form cannot be read",
    arguments: [
      "", " ", "2020-07-22 10:39:08 America/Los_Angeles", "2020-07-22T17:39:08Z",
      "2020-07-22 17:39:08", "2020-07-22 17:39:08 GMT", "2020-07-22 17:39:08 Etc/GMT ",
      " 2020-07-22 17:39:08 Etc/GMT", "2020-7-22 17:39:08 Etc/GMT", "2020-07-22 17:39 Etc/GMT",
      "2020-07-22 17:39:08.5 Etc/GMT", "2020-07-22  17:39:08 Etc/GMT",
      "2020-00-22 17:39:08 Etc/GMT", "2020-13-22 17:39:08 Etc/GMT",
      "2020-07-00 17:39:08 Etc/GMT", "2020-07-32 17:39:08 Etc/GMT",
      "2020-04-31 17:39:08 Etc/GMT", "2019-02-29 00:00:00 Etc/GMT",
      "2100-02-29 00:00:00 Etc/GMT", "2020-07-22 24:00:00 Etc/GMT",
      "2020-07-22 17:60:00 Etc/GMT", "2020-07-22 17:39:60 Etc/GMT",
      "0000-01-01 00:00:00 Etc/GMT", "10000-01-01 00:00:00 Etc/GMT",
      "-020-07-22 17:39:08 Etc/GMT", "+020-07-22 17:39:08 Etc/GMT",
      "2020-07-22 17:39:08 etc/gmt", "٢٠٢٠-07-22 17:39:08 Etc/GMT", "2020-07-22 17:39:08 Etc/GMT\0",
      "99999999999999999999-01-01 00:00:00 Etc/GMT",
    ])
  func otherText(text: String) {
    #expect(Moment(text, as: .verifyReceipt) == nil)
  }

  @Test(
    "in milliseconds may be numbers or text, and a fraction is rounded",
    arguments: [
      (JSONValue.integer(1_595_439_548_000), 1_595_439_548_000),
      (.string("1595439548000"), 1_595_439_548_000),
      (.string("1595439548000.0"), 1_595_439_548_000),
      (.string("1595439548000.6"), 1_595_439_548_001),
      (.number(1_595_439_548_000.4), 1_595_439_548_000),
      (.string("1.595439548e12"), 1_595_439_548_000), (.integer(0), 0), (.string("-1"), -1),
      (.integer(253_402_300_799_999), 253_402_300_799_999),
      (.integer(-62_135_596_800_000), -62_135_596_800_000),
    ])
  func milliseconds(json: JSONValue, value: Int) throws {
    let moment = try #require(Moment(milliseconds: json))
    #expect(moment.milliseconds == value)
    #expect(Moment(moment.date) == moment)
  }

  @Test(
    "in milliseconds lie in the years 1 to 9999",
    arguments: [
      JSONValue.integer(.max), .integer(.min), .integer(253_402_300_800_000),
      .integer(-62_135_596_800_001), .number(1e300), .number(-1e300), .number(9.3e18),
      .string("9223372036854775807"), .string("-9223372036854775808"),
      .string("9223372036854775808"), .string("1e400"), .string("-1e400"), .string("nan"),
      .string("inf"), .string("infinity"), .string("0x10"), .string(""), .string(" 1"),
      .string("1 "), .string("1,5"), .string("--1"), .string("e"), .string("."),
      .string(String(repeating: "9", count: 10_000)), .boolean(true), .null, .array([]),
      .object([:]),
    ])
  func noMilliseconds(json: JSONValue) {
    #expect(Moment(milliseconds: json) == nil)
  }

  @Test(
    "beyond the range are written as its ends",
    arguments: [
      (Date.distantPast, "0001-01-01 00:00:00 Etc/GMT"),
      (Date(timeIntervalSince1970: 1e300), "9999-12-31 23:59:59 Etc/GMT"),
      (Date(timeIntervalSince1970: -1e300), "0001-01-01 00:00:00 Etc/GMT"),
      (Date(timeIntervalSince1970: .infinity), "9999-12-31 23:59:59 Etc/GMT"),
      (Date(timeIntervalSince1970: -.infinity), "0001-01-01 00:00:00 Etc/GMT"),
    ])
  func bounded(date: Date, text: String) {
    #expect(Moment(date).text(as: .verifyReceipt) == text)
  }

  @Test("that are not numbers do not trap")
  func notANumber() {
    #expect(Moment.range ~= Moment(Date(timeIntervalSince1970: .nan)).milliseconds)
  }

  @Test("every day from the year 1 to the year 9999 is the day after the one before")
  func days() throws {
    var number = -719_162
    for year in 1...9999 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (month, length) in zip(1..., lengths) {
        for day in [1, 2, 15, length] {
          let civil = try #require(CivilDay(year: year, month: month, day: day))
          try #require(civil.number == number + day - 1)
          try #require(CivilDay(number: number + day - 1) == civil)
        }
        number += length
        try #require(CivilDay(year: year, month: month, day: length + 1) == nil)
      }
    }
    #expect(number == 2_932_897)
  }
}
