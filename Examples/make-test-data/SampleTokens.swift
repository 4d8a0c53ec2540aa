import Foundation
import JSONValues
import ReceiptModels
import StorekeeperTesting

struct SampleTokens {
  let authority: TestAuthority
  private var transaction = Transaction()
  private var renewalInfo = RenewalInfo()

  init(authority: TestAuthority) throws {
    self.authority = authority
    transaction.bundleID = "com.example.reader"
    transaction.transactionID = "2000000000000002"
    transaction.originalTransactionID = "2000000000000001"
    transaction.productID = "reader.monthly"
    transaction.type = .autoRenewableSubscription
    transaction.purchaseDate = Date(timeIntervalSince1970: 1_762_000_000)
    transaction.expiresDate = Date(timeIntervalSince1970: 1_764_592_000)
    transaction.signedDate = Date(timeIntervalSince1970: 1_762_000_003)
    transaction.environment = .sandbox
    renewalInfo.originalTransactionID = transaction.originalTransactionID
    renewalInfo.productID = transaction.productID
    renewalInfo.autoRenewStatus = .on
    renewalInfo.signedDate = transaction.signedDate
    renewalInfo.environment = .sandbox
  }

  var files: [(name: String, lines: [String])] {
    get throws {
      [
        ("transactions.jws", [try authority.sign(transaction)]),
        ("renewal-infos.jws", [try authority.sign(renewalInfo)]),
        ("notifications.jws", [try authority.sign(try notification)]),
        ("undecoded-notifications.jws", [try undecodedNotification]),
        ("attacks.jws", try attacks),
      ]
    }
  }

  private var notification: ServerNotification {
    get throws {
      var data = NotificationData()
      data.bundleID = transaction.bundleID
      data.environment = .sandbox
      data.signedTransactionInfo = try authority.sign(transaction)
      data.signedRenewalInfo = try authority.sign(renewalInfo)
      var notification = ServerNotification()
      notification.notificationType = .didRenew
      notification.notificationUUID = UUID().uuidString.lowercased()
      notification.version = "2.0"
      notification.signedDate = transaction.signedDate
      notification.data = data
      return notification
    }
  }

  /// An authentic notification, with a number where Apple documents a string.
  private var undecodedNotification: String {
    get throws {
      var notification = try notification
      guard case .object(var members) = transaction.json else {
        return try authority.sign(notification)
      }
      members["storefrontId"] = .integer(143_441)
      notification.data?.signedTransactionInfo = try authority.sign(JSONValue.object(members))
      return try authority.sign(notification)
    }
  }

  private var attacks: [String] {
    get throws {
      var stolen = transaction
      stolen.bundleID = "com.example.other"
      let unmarked = try authority.withNewLeaf { $0.leaf.markers = [] }
      var unsigned = authority.header
      unsigned["alg"] = .string("none")
      return [
        try authority.sign(stolen),
        try unmarked.sign(transaction),
        try TestAuthority().sign(transaction),
        try authority.sign(transaction.json.serialized, header: unsigned),
      ]
    }
  }
}
