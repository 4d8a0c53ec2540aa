internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The parts of the path and of the query of a request.
///
/// Identifiers often come from a client, and the request carries the server's credentials, so each
/// identifier has to be exactly one part of the path. Source: App Store Server API rules, section
/// 2.
package enum RequestPart {
  /// Returns a transaction identifier of 1 to 64 ASCII digits.
  package static func transactionID(
    _ text: String, field: String
  ) throws(InvalidRequest) -> String {
    guard TransactionIDs.areDigits(text) else {
      throw InvalidRequest(field, .notDigits)
    }
    return text
  }

  /// Returns the canonical form of a UUID, in lower case.
  package static func uuid(_ text: String, field: String) throws(InvalidRequest) -> String {
    guard let value = UUID(uuidString: text) else { throw InvalidRequest(field, .notUUID) }
    return uuid(value)
  }

  /// Returns the canonical form of a UUID, in lower case.
  package static func uuid(_ value: UUID) -> String { value.uuidString.lowercased() }

  /// Returns a text that is one part of a path.
  ///
  /// Refused are the empty text, `/`, `\`, `..` anywhere, a single dot, control characters and
  /// Unicode's separators of lines and paragraphs. The text is not percent-encoded yet.
  package static func pathPart(_ text: String, field: String) throws(InvalidRequest) -> String {
    guard !text.isEmpty else { throw InvalidRequest(field, .empty) }
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      let isTwoDots = scalar == "." && previous == "."
      guard !isTwoDots, !isForbidden(scalar) else { throw InvalidRequest(field, .notPathPart) }
      previous = scalar
    }
    // A client or proxy would remove a part that is a single dot.
    guard !text.isSameText(as: ".") else { throw InvalidRequest(field, .notPathPart) }
    return text
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar == "/" || scalar == "\\"
    }
  }
}
