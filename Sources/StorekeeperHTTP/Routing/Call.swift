internal import HTTPMessages
internal import JSONValues

/// A request to a route, with its caller and user as far as they are known.
struct Call<API: RoutedAPI>: Sendable {
  var request: HTTPRequestMessage
  let target: RequestTarget
  let match: RouteTable<API>.Match
  var caller: Caller?
  var user: API.User?

  /// The ID in the path.
  var id: String { match.id }

  /// The body as the members of a JSON object.
  func body() throws(RequestRefusal) -> RequestBody {
    try RequestBody(parsing: request.body, within: .knownMembers)
  }

  /// Returns a number in the query, which has digits and possibly a minus sign before them.
  func number(
    _ name: String, or preset: Int, refusal: RequestRefusal
  ) throws(RequestRefusal) -> Int {
    do {
      guard let text = try target.parameter(name) else { return preset }
      guard text.utf8.first != UInt8(ascii: "+"), let number = Int(text) else { throw refusal }
      return number
    } catch {
      throw refusal
    }
  }
}
