import Foundation
import JWSVerifier
import StorekeeperCrypto
import JSONValues
import ReceiptModels
import StorekeeperTesting
import Testing

/// Texts whose hash or comparison takes Swift a time that grows with the square of their length.
///
/// A run of combining marks has to be sorted before two texts are compared as Unicode has it.
/// Without a bound each of these tokens costs seconds before any signature is looked at.
@Suite("Texts that are costly to compare")
struct HostileTextTests {
  private static let marks =
    String(repeating: "\u{301}", count: 40_000) + String(repeating: "\u{323}", count: 40_000)

  private func token(header: String, payload: String = "{}") -> String {
    [header, payload, ""].map { Base64.encode(Array($0.utf8), .url) }.joined(separator: ".")
  }

  @Test("a long name in the header is refused by its length")
  func headerName() throws {
    let verifier = try SignedDataVerifier(apps: [Sample.app], environments: .auto)
    #expect(throws: SignedDataFailure.malformedHeader) {
      try verifier.transaction(token(header: #"{"a":1,"a\#(Self.marks)":2}"#))
    }
    #expect(
      throws: JSONValue.SyntaxFailure.nameTooLong(
        offset: 1, limit: JSONValue.maximumNameLength)
    ) {
      try JSONValue(parsing: Array(#"{"a\#(Self.marks)":2}"#.utf8))
    }
  }

  @Test("a long algorithm is compared byte for byte")
  func algorithm() throws {
    let verifier = try SignedDataVerifier(apps: [Sample.app], environments: .auto)
    let header = #"{"alg":"ES256\#(Self.marks)"}"#
    let failure = #expect(throws: SignedDataFailure.self) {
      try verifier.transaction(token(header: header))
    }
    #expect(failure?.name == "unsupportedAlgorithm")
  }

  @Test("names of up to 128 bytes are read", arguments: [1, 32, 127, 128])
  func longestName(length: Int) throws {
    let name = String(repeating: "n", count: length)
    #expect(try JSONValue(parsing: Array(#"{"\#(name)":1}"#.utf8)) == .object([name: .integer(1)]))
  }

  @Test("a name of 129 bytes is refused")
  func nameTooLong() {
    let name = String(repeating: "n", count: 129)
    #expect(throws: JSONValue.SyntaxFailure.nameTooLong(offset: 1, limit: 128)) {
      try JSONValue(parsing: Array(#"{"\#(name)":1}"#.utf8))
    }
  }
}
