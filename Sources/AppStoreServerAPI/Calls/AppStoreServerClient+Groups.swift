public import ReceiptModels

extension AppStoreServerClient {
  /// Returns the groups of which a customer is a member.
  ///
  /// A membership grants nothing; the transactions of its purchases do. Apple serves this in the
  /// Sandbox only so far.
  ///
  /// - Parameters:
  ///   - id: Any transaction ID, original transaction ID or app transaction ID of the customer.
  ///   - environment: The environment; nil for the configured server.
  ///   - patience: The time limit with all attempts; nil for the configured one.
  /// - Returns: The groups, an empty list for none.
  /// - Throws: ``AppStoreServerFailure``.
  ///
  /// Source: Apple, Get Current Groups, App Store Server API 1.22.
  public func currentGroups(
    of id: String, in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Unsigned<CurrentGroupsResponse> {
    let id = try transactionID(id, .currentGroups)
    return try await unsigned(
      ServerRequest(.currentGroups, ["groups", "v1", "currentGroups", id]), in: environment,
      patience: patience)
  }

  /// Returns a page of the members of a group.
  ///
  /// - Parameters:
  ///   - groupID: The group.
  ///   - paginationToken: The token of the page before; nil for the first page.
  ///   - limit: The maximum number of members, from 1 to 100; nil for Apple's.
  ///   - environment: The environment; nil for the configured server, if that is one.
  ///   - patience: The time limit with all attempts; nil for the configured one.
  /// - Returns: The page.
  /// - Throws: ``AppStoreServerFailure``.
  ///
  /// Source: Apple, Get Group Members, App Store Server API 1.22.
  public func groupMembers(
    of groupID: String, paginationToken: String? = nil, limit: Int? = nil,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Unsigned<GroupMembersResponse> {
    let group = try pathPart(groupID, "groupId", .groupMembers)
    var query = paginationToken.map { [("paginationToken", $0)] } ?? []
    if let limit {
      guard (1...100).contains(limit) else {
        throw AppStoreServerFailure(
          .invalidRequest(InvalidRequest("limit", .outOfRange(allowed: 1...100, found: limit))),
          of: .groupMembers)
      }
      query.append(("limit", String(limit)))
    }
    return try await unsigned(
      ServerRequest(.groupMembers, ["groups", "v1", "group", group], query: query),
      in: environment, patience: patience)
  }
}
