public import ReceiptModels

extension AppStoreServerClient {
  /// Returns the groups of which a customer is a member.
  ///
  /// A membership grants nothing; the transactions of its purchases do. Apple serves this in the
  /// Sandbox only so far. The list is empty for none. Source: Apple, Get Current Groups, App Store
  /// Server API 1.22.
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
  /// `limit` is the maximum number of members, from 1 to 100; nil for Apple's. Source: Apple, Get
  /// Group Members, App Store Server API 1.22.
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
