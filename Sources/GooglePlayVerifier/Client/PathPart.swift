internal import HTTPMessages
internal import JSONValues

/// An identifier in the path of a request.
///
/// Purchase tokens come from a client, and the request carries the server's credentials, so each
/// identifier has to be exactly one part of the path.
enum PathPart {
  /// The maximum length of an identifier in bytes; Google's purchase tokens have about 200.
  static let maximumLength = 4096

  /// Returns an identifier percent-encoded.
  static func encoded(
    _ text: String, _ member: InvalidCall.Member
  ) throws(InvalidCall) -> String {
    guard !text.isEmpty else { throw .empty(member) }
    guard text.utf8.count <= maximumLength else { throw .tooLong(member, limit: maximumLength) }
    // A client or proxy would remove such a part.
    guard !text.isSameText(as: "."), !text.isSameText(as: "..") else { throw .notPathPart(member) }
    return text.percentEncoded
  }
}
