import JSONValues
import ReceiptModels
import StorekeeperTesting

/// Tokens as Apple signs them.
enum SignedTokens {
  typealias Changes = [String: JSONValue?]

  static func transaction(
    _ id: String = "2000000000000002", original: String = "2000000000000001",
    in environment: AppStoreEnvironment = .sandbox, _ changes: Changes = [:]
  ) throws -> String {
    try sign(
      [
        "transactionId": .string(id), "originalTransactionId": .string(original),
        "bundleId": .string(ClientScene.bundleID), "productId": .string("reader.month"),
        "environment": .string(environment.rawValue), "signedDate": date(-60_000),
        "type": .string("Auto-Renewable Subscription"),
        "purchaseDate": date(-86_400_000), "originalPurchaseDate": date(-86_400_000),
        "expiresDate": date(86_400_000),
        "inAppOwnershipType": .string("PURCHASED"),
      ], changes)
  }

  static func transaction(_ changes: Changes) throws -> String {
    try transaction(in: .sandbox, changes)
  }

  static func renewalInfo(
    original: String = "2000000000000001", in environment: AppStoreEnvironment = .sandbox,
    _ changes: Changes = [:]
  ) throws -> String {
    try sign(
      [
        "originalTransactionId": .string(original), "productId": .string("reader.month"),
        "autoRenewProductId": .string("reader.month"), "autoRenewStatus": .integer(1),
        "environment": .string(environment.rawValue), "signedDate": date(-60_000),
      ], changes)
  }

  static func appTransaction(
    in environment: AppStoreEnvironment = .sandbox, _ changes: Changes = [:]
  ) throws -> String {
    try sign(
      [
        "receiptType": .string(environment.rawValue), "bundleId": .string(ClientScene.bundleID),
        "appAppleId": .integer(ClientScene.appAppleID), "receiptCreationDate": date(-60_000),
      ], changes)
  }

  static func notification(
    _ uuid: String = "9a000000-0000-4000-8000-000000000001",
    in environment: AppStoreEnvironment = .sandbox, _ changes: Changes = [:]
  ) throws -> String {
    try sign(
      [
        "notificationType": .string("TEST"), "version": .string("2.0"),
        "notificationUUID": .string(uuid), "signedDate": date(-60_000),
        "data": .object([
          "environment": .string(environment.rawValue),
          "bundleId": .string(ClientScene.bundleID),
          "appAppleId": .integer(ClientScene.appAppleID),
        ]),
      ], changes)
  }

  static func notification(_ changes: Changes) throws -> String {
    try notification(in: .sandbox, changes)
  }

  /// A date in a payload, relative to the scene's begin.
  static func date(_ milliseconds: Int) -> JSONValue {
    .integer(ClientScene.milliseconds + milliseconds)
  }

  private static func sign(_ members: [String: JSONValue], _ changes: Changes) throws -> String {
    var members = members
    for (name, value) in changes { members[name] = value }
    return try ClientScene.shared.get().authority.sign(.object(members))
  }
}
