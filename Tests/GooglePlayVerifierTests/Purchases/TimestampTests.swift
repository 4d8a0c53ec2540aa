import Foundation
import GooglePlayVerifier
import Testing

@Suite("Dates in texts")
struct TimestampTests {
  @Test(
    "the examples of RFC 3339, section 5.8",
    arguments: [
      ("1985-04-12T23:20:50.52Z", 482_196_050.52),
      ("1996-12-19T16:39:57-08:00", 851_042_397), ("1990-12-31T23:59:60Z", 662_688_000),
      ("1990-12-31T15:59:60-08:00", 662_688_000),
      ("1937-01-01T12:00:27.87+00:20", -1_041_337_172.13),
    ])
  func standard(text: String, seconds: Double) throws {
    let date = try #require(Date(timestamp: text))
    #expect((date.timeIntervalSince1970 * 1000).rounded() == (seconds * 1000).rounded())
  }

  @Test(
    "a fraction has up to nine digits, of which three count",
    arguments: [
      ("2026-04-28T09:30:00Z", 1_777_368_600_000), ("2026-04-28T09:30:00.1Z", 1_777_368_600_100),
      ("2026-04-28T09:30:00.12Z", 1_777_368_600_120),
      ("2026-04-28T09:30:00.123Z", 1_777_368_600_123),
      ("2026-04-28T09:30:00.123999999Z", 1_777_368_600_123),
      ("2026-04-28T09:30:00.000999999Z", 1_777_368_600_000),
      ("2026-04-28t09:30:00.999999999z", 1_777_368_600_999),
      ("2024-02-29T00:00:00Z", 1_709_164_800_000), ("0001-01-01T00:00:00Z", -62_135_596_800_000),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799_999), ("1970-01-01T00:00:00Z", 0),
    ])
  func fractions(text: String, milliseconds: Int) throws {
    let date = try #require(Date(timestamp: text))
    #expect(date == Date(timeIntervalSince1970: Double(milliseconds) / 1000))
  }

  @Test(
    "any other text is no date",
    arguments: [
      "", "2026-04-28", "2026-04-28T09:30Z", "2026-04-28 09:30:00Z", "2026-04-28T09:30:00",
      "2026-04-28T09:30:00.Z", "2026-04-28T09:30:00.1234567890Z", "2026-04-28T09:30:00,1Z",
      "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
      "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z",
      "0000-01-01T00:00:00Z", "2026-04-28T24:00:00Z", "2026-04-28T09:60:00Z",
      "2026-04-28T09:30:61Z", "2026-04-28T09:30:00+0200", "2026-04-28T09:30:00+24:00",
      "2026-04-28T09:30:00+02:60", "2026-04-28T09:30:00Z ", " 2026-04-28T09:30:00Z",
      "2026-04-28T09:30:00ZZ", "+026-04-28T09:30:00Z", "٢٠٢٦-04-28T09:30:00Z",
      "1777368600", "12026-04-28T09:30:00Z",
    ])
  func refusals(text: String) {
    #expect(Date(timestamp: text) == nil)
  }

  @Test("the preferred form of RFC 9110, section 5.6.7, is read, and no other")
  func headerFields() {
    #expect(
      Date(headerField: "Sun, 06 Nov 1994 08:49:37 GMT")
        == Date(timeIntervalSince1970: 784_111_777))
    for text in [
      "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "", "Sun, 06 Nov 1994 08:49:37",
      "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 31 Feb 1994 08:49:37 GMT",
      "Sun, 6 Nov 1994 08:49:37 GMT", "Son, 06 Nov 1994 08:49:37 GMT",
    ] {
      #expect(Date(headerField: text) == nil, "\(text)")
    }
  }
}
