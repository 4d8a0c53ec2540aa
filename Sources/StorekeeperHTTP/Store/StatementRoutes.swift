internal import EntitlementPolicy
internal import HTTPMessages
internal import JSONValues
internal import JWSVerifier
internal import ReceiptModels
internal import Storekeeper

// The routes of statements for devices without a network (entitlement rules, section 10.1).

extension EntitlementAPI {
  /// Returns the routes of a host that has keys of statements.
  static func statementRoutes(_ statements: StatementService) -> [EntitlementRoute] {
    [
      EntitlementRoute(.get, "/store/users/{userId}/entitlements/statement", .caller) {
        let (userID, bundleID) = try await $0.question($1)
        let signed = try await statements.statement(
          of: userID, in: bundleID, boughtIn: try environments(in: $1))
        return HTTPResponseMessage(
          status: .ok, headers: [.contentType: "application/jose", .cacheControl: "no-store"],
          body: Array(signed.token.utf8))
      },
      EntitlementRoute(.get, "/store/entitlements/keys", .anyone) { _, _ in
        // As long as that, an app may not know a new key (RFC 7517 section 8.5 names the media type).
        HTTPResponseMessage(
          status: .ok,
          headers: [
            .contentType: "application/jwk-set+json", .cacheControl: "public, max-age=300",
          ],
          body: statements.keySet.json.serialized)
      },
    ]
  }

  /// Returns the environments that an app takes, with commas between them; nil for any.
  private static func environments(
    in call: EntitlementCall
  ) throws -> Set<AppStoreEnvironment>? {
    guard let text = try call.query("environment") else { return nil }
    let known: Set<AppStoreEnvironment> = [.production, .sandbox]
    let named = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { AppStoreEnvironment(rawValue: String($0)) }
    guard known.isSuperset(of: named) else { throw FieldRefusal.invalid("environment") }
    return Set(named)
  }
}
