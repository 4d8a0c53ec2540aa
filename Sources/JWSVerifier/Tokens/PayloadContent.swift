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
  private lazy var json: JSONValue? = try? JSONValue(parsing: bytes)

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A member in milliseconds since 1970, if it is a number.
  mutating func date(in member: String) -> Date? {
    json?[member].flatMap { try? Date(json: $0) }
  }

  mutating func payload<Payload: JSONModel>() throws(SignedDataFailure) -> Payload {
    guard let json, json.kind == .object else { throw .payloadMalformed(VerifiedBytes(bytes)) }
    do throws(FieldTypeFailure) {
      return try Payload(json: json)
    } catch {
      throw .fieldType(error, payload: VerifiedBytes(bytes))
    }
  }
}
