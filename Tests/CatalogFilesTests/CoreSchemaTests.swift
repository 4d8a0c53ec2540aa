import CatalogFiles
import Testing

@Suite("Types of plain scalars (YAML 1.2.2, section 10.3.2)")
struct CoreSchemaTests {
  @Test("null", arguments: ["null", "Null", "NULL", "~", ""])
  func null(text: String) throws { #expect(try content(of: text) == .null) }

  @Test(
    "Booleans",
    arguments: [
      ("true", true), ("True", true), ("TRUE", true), ("false", false), ("False", false),
      ("FALSE", false),
    ])
  func boolean(text: String, value: Bool) throws {
    #expect(try content(of: text) == .boolean(value))
  }

  @Test(
    "whole numbers in base 10, 8 and 16, of 64 bits",
    arguments: [
      ("0", 0), ("-0", 0), ("+0", 0), ("60", 60), ("+60", 60), ("-60", -60), ("060", 60),
      ("-019", -19),
      ("0o14", 12), ("0o7", 7), ("0x3A", 58), ("0xff", 255), ("0x0", 0),
      ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min),
      ("0x7fffffffffffffff", Int.max), ("0o777777777777777777777", Int.max),
      ("0000000000000000000000000000000000000001", 1),
    ])
  func integer(text: String, value: Int) throws {
    #expect(try content(of: text) == .integer(value))
  }

  @Test(
    "whole numbers of more than 64 bits",
    arguments: [
      "9223372036854775808", "-9223372036854775809", "0x8000000000000000",
      "0o1000000000000000000000",
      "123456789012345678901234567890",
    ])
  func wideInteger(text: String) throws { #expect(try content(of: text) == .wideInteger) }

  @Test(
    "numbers with a point or an exponent",
    arguments: [
      ("0.", 0), ("-0.0", 0), (".5", 0.5), ("+12e03", 12000), ("-2E+05", -200_000), ("60.0", 60),
      ("6e1", 60), ("1.e2", 100), (".5E-1", 0.05), (".inf", Double.infinity), ("+.Inf", .infinity),
      ("-.INF", -.infinity), ("1e999", .infinity),
    ])
  func number(text: String, value: Double) throws {
    #expect(try content(of: text) == .number(value))
  }

  @Test("not a number", arguments: [".nan", ".NaN", ".NAN"])
  func notANumber(text: String) throws {
    guard case .number(let number) = try content(of: text) else {
      Issue.record("no number")
      return
    }
    #expect(number.isNaN)
  }

  @Test(
    "anything else is text",
    arguments: [
      "yes", "no", "on", "off", "y", "n", "Yes", "tRUE", "nuLL", "nil", "none", "1_000", "1,000",
      "12:30:45",
      "0b101", "0o8", "0xG", "0x", "0o", "-0x1", "+0o7", "0X1", "+", "--1", "+-1", ".", "+.",
      ".e1", "1e",
      "1e+", "1.2.3", "2001-12-14", ".nAn", "+.nan", "-.nan", ".infinity", "e1", "60 credits", "٣",
      "<<",
      "truefalse", "~~", "=", "1 2",
    ])
  func text(text: String) throws { #expect(try content(of: text) == .text(text)) }

  @Test(
    "whatever is in quotation marks or a block is text",
    arguments: [
      ("'60'", "60"), (#""60""#, "60"), ("'true'", "true"), (#""""#, ""), ("'~'", "~"),
      ("|-\n  60", "60"),
      (">-\n  true", "true"), (#""\u0041\x42\n""#, "AB\n"), ("'it''s'", "it's"),
    ])
  func quoted(yaml: String, value: String) throws {
    #expect(try content(of: yaml) == .text(value))
  }

  private func content(of scalar: String) throws -> CatalogNode.Content {
    let root = try CatalogNode(bytes: Array("key: \(scalar)\n".utf8))
    guard case .map(let entries) = root.content, let entry = entries.first else { return .list([]) }
    #expect(entries.count == 1 && entry.key == "key" && entry.line == 1)
    return entry.value.content
  }
}
