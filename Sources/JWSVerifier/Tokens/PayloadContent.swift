internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The payload segment, parsed at most once, so that every reader sees the same value of a
/// duplicate member.
struct PayloadContent {
  let bytes: [UInt8]
  private lazy var text: JSONText? = try? JSONText(checking: bytes, within: .values)

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The content as JSON, or nil if it is not JSON.
  var json: JSONValue? {
    mutating get { text.map { $0.value(at: $0.root) } }
  }

  /// A reason why content is not a payload of the requested kind.
  enum Failure: Error {
    case notAnObject
    case field(FieldTypeFailure)
  }

  /// Returns the date of a member in milliseconds since 1970, if it is a number.
  mutating func date(in member: String) -> Date? {
    guard let text, let place = text.place(of: member, in: text.root) else { return nil }
    return try? Date(text, at: place)
  }

  /// Decodes the content as a payload of one kind.
  mutating func payload<Payload: SignedPayload>() throws(Failure) -> Payload {
    guard let text, text.kind(at: text.root) == .object else { throw .notAnObject }
    let payload: Payload
    do throws(FieldTypeFailure) {
      payload = try Payload(text, at: text.root)
    } catch {
      throw .field(error)
    }
    if let member = payload.foreignMember {
      let found = text.place(of: member, in: text.root).map { text.value(at: $0).kind }
      throw .field(FieldTypeFailure(path: member, expected: .absent, found: found ?? .absent))
    }
    return payload
  }
}
