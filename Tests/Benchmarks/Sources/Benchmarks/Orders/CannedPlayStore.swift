import Foundation
import HTTPMessages
import Synchronization

/// Answers questions for an access token, and each about a purchase with the same one, at once.
final class CannedPlayStore: HTTPTransport {
  private let asked = Atomic(0)

  /// The number of questions for an access token.
  var tokenRequests: Int { asked.load(ordering: .relaxed) }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    guard request.url.hasPrefix("https://oauth2.googleapis.com/token") else {
      return HTTPResponseMessage(status: .ok, body: Self.answer)
    }
    asked.wrappingAdd(1, ordering: .relaxed)
    return HTTPResponseMessage(status: .ok, body: Self.access)
  }

  private static let access = Array(
    #"{"access_token":"ya29.\#(String(repeating: "c", count: 1020))","expires_in":3599,"token_type":"Bearer"}"#
      .utf8)

  /// What Google sends about a renewing subscription, in its form with two spaces a level.
  static let answer = Array(
    """
    {
      "kind": "androidpublisher#subscriptionPurchaseV2",
      "startTime": "2023-11-01T08:00:00.123Z",
      "regionCode": "US",
      "subscriptionState": "SUBSCRIPTION_STATE_ACTIVE",
      "acknowledgementState": "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED",
      "externalAccountIdentifiers": {
        "obfuscatedExternalAccountId": "7e3fb20b-4cdb-47cc-936d-99d65f608138"
      },
      "lineItems": [
        {
          "productId": "reader_premium",
          "expiryTime": "2023-12-14T08:00:00.456Z",
          "autoRenewingPlan": {
            "autoRenewEnabled": true,
            "recurringPrice": {
              "currencyCode": "USD",
              "units": "9",
              "nanos": 990000000
            }
          },
          "offerDetails": {
            "basePlanId": "monthly",
            "offerId": "welcome",
            "offerTags": [
              "first"
            ]
          },
          "latestSuccessfulOrderId": "GPA.3345-1234-5678-90123..0"
        }
      ],
      "etag": "AFcVF8tVbYQpLsWcVqXz"
    }

    """.utf8)
}
