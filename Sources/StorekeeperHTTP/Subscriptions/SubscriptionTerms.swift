internal import HTTPMessages
internal import ReceiptModels

/// The conditions of a route of subscriptions.
struct SubscriptionTerms: Hashable, Sendable {
  /// The meaning of header fields that name the user.
  enum UserFields: Hashable, Sendable {
    case ignored, optional, required
  }

  let contract: SubscriptionContract
  let user: UserFields
  let fixesFailures: Bool

  init(
    _ contract: SubscriptionContract, user: UserFields = .ignored, fixesFailures: Bool = false
  ) {
    self.contract = contract
    self.user = user
    self.fixesFailures = fixesFailures
  }

  /// Checks the header fields that name the user.
  ///
  /// - Throws: ``RequestRefusal/ambiguousUser`` if one appears twice, or ``RequestRefusal/userMissing``.
  func check(_ request: HTTPRequestMessage) throws(RequestRefusal) {
    guard user != .ignored else { return }
    let found = try HeaderUser(request, under: contract)
    guard user == .optional || found.primaryID != nil || found.secondID != nil else {
      throw .userMissing
    }
  }
}

/// The user whom the header fields of a request name.
struct HeaderUser: Hashable, Sendable {
  private(set) var primaryID: String?
  private(set) var secondID: String?

  /// Reads the fields of a contract.
  ///
  /// The current contract uses `X-Ftc-Id`, or else `X-User-Id`; the older one uses `X-User-Id`,
  /// `X-Union-Id`, or both.
  ///
  /// - Throws: ``RequestRefusal/ambiguousUser`` if a header field appears twice.
  init(
    _ request: HTTPRequestMessage, under contract: SubscriptionContract
  ) throws(RequestRefusal) {
    switch contract {
    case .current:
      primaryID = try Self.value(of: "X-Ftc-Id", in: request)
      if primaryID == nil { primaryID = try Self.value(of: "X-User-Id", in: request) }
    case .legacy:
      primaryID = try Self.value(of: "X-User-Id", in: request)
      secondID = try Self.value(of: "X-Union-Id", in: request)
    }
  }

  /// Returns the value of a header field, or nil if it is missing or blank.
  private static func value(
    of name: HTTPHeaderName, in request: HTTPRequestMessage
  ) throws(RequestRefusal) -> String? {
    let values = request.headers.values(for: name).filter { !$0.isBlank }
    guard values.count <= 1 else { throw .ambiguousUser }
    return values.first
  }
}
