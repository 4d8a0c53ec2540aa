internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The payload segment, parsed at most once, so that every reader takes the same copy of a
/// duplicate member.
struct PayloadContent {
  let bytes: [UInt8]
  private lazy var parsed: JSONValue? = try? JSONValue(parsing: bytes)

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The content as JSON, or nil if it is none.
  var json: JSONValue? {
    mutating get { parsed }
  }

  /// Why content is no payload of a kind.
  enum Failure: Error {
    case notAnObject
    case field(FieldTypeFailure)
  }

  /// A member in milliseconds since 1970, if it is a number.
  mutating func date(in member: String) -> Date? {
    parsed?[member].flatMap { try? Date(json: $0) }
  }

  /// The content as a payload of one kind.
  mutating func payload<Payload: SignedPayload>() throws(Failure) -> Payload {
    guard let parsed, parsed.kind == .object else { throw .notAnObject }
    let payload: Payload
    do throws(FieldTypeFailure) {
      payload = try Payload(json: parsed)
    } catch {
      throw .field(error)
    }
    if let member = payload.foreignMember {
      throw .field(
        FieldTypeFailure(path: member, expected: .absent, found: parsed[member]?.kind ?? .absent))
    }
    return payload
  }
}
