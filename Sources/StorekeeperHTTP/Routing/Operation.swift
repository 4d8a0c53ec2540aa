internal import HTTPMessages

/// An operation of a route: a method, with the checks that precede it.
struct Operation<API: RoutedAPI>: Sendable {
  typealias Run = @Sendable (API, Call<API>) async throws -> HTTPResponse

  let method: HTTPRequestMethod
  /// The conditions under which the operation is open to a caller.
  let access: API.Access
  var readsBody = false
  let run: Run
}
