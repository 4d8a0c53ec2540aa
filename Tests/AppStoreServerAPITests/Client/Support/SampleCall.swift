import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperFixtures
import Testing

/// A call with the request that the rules prescribe for it, and an answer.
struct SampleCall: Sendable, CustomTestStringConvertible {
  typealias Run =
    @Sendable (AppStoreServerClient, AppStoreEnvironment?) async throws -> Void

  let endpoint: AppStoreServerEndpoint
  let method: String
  /// The path with the query.
  let path: String
  var body = ""
  /// The body if it is no text.
  var bytes: [UInt8]?
  /// The only environment in which the call is made.
  var only: AppStoreEnvironment?
  /// The body of the answer.
  let answer: @Sendable (AppStoreEnvironment) throws -> String
  let run: Run

  var testDescription: String { "\(method) \(path.prefix(90))" }

  /// The environment in which the tests make the call.
  var environment: AppStoreEnvironment { only ?? .sandbox }
  /// The environment to name in the call; nil if it always has the same.
  var named: AppStoreEnvironment? { only == nil ? environment : nil }

  var success: ScriptedAnswer { get throws { .status(200, try answer(environment)) } }

  static let id = "2000000000000002"
  static let original = "2000000000000001"
  static let uuid = UUID(uuidString: "4B8F5B1C-0A51-4C9E-9D4F-8A6C2D1E0F3B") ?? UUID()
  static let uuidText = "4b8f5b1c-0a51-4c9e-9d4f-8a6c2d1e0f3b"

  static let all =
    purchases + extensions + notifications + groups + messages + advancedCommerce
    + externalPurchases

  static func of(_ endpoint: AppStoreServerEndpoint) throws -> SampleCall {
    try #require(all.first { $0.endpoint == endpoint })
  }
}

extension SampleCall {
  static let purchases: [SampleCall] = [
    SampleCall(
      endpoint: .transactionHistory, method: "GET", path: "/inApps/v2/history/\(id)",
      answer: { environment in
        #"{"revision":"r1","hasMore":false,"bundleId":"com.example.reader","#
          + #""appAppleId":1234567890,"environment":"\#(environment)","#
          + #""signedTransactions":["\#(try SignedTokens.transaction(in: environment))"]}"#
      },
      run: { client, environment in
        let all = try await client.transactionHistory(of: id, in: environment).all()
        #expect(all.transactions.map(\.payload.transactionID) == [id])
        #expect(all.revision == "r1")
      }),
    SampleCall(
      endpoint: .transactionInfo, method: "GET", path: "/inApps/v1/transactions/\(id)",
      answer: { #"{"signedTransactionInfo":"\#(try SignedTokens.transaction(in: $0))"}"# },
      run: { client, environment in
        let transaction = try await client.transactionInfo(id, in: environment)
        #expect(transaction.payload.transactionID == id)
      }),
    SampleCall(
      endpoint: .appTransactionInfo, method: "GET",
      path: "/inApps/v1/transactions/appTransactions/\(id)",
      answer: { #"{"signedAppTransactionInfo":"\#(try SignedTokens.appTransaction(in: $0))"}"# },
      run: { client, environment in
        let transaction = try await client.appTransactionInfo(of: id, in: environment)
        #expect(transaction.payload.bundleID == ClientScene.bundleID)
      }),
    SampleCall(
      endpoint: .allSubscriptionStatuses, method: "GET",
      path: "/inApps/v1/subscriptions/\(id)?status=2&status=1",
      answer: { environment in
        let transaction = try SignedTokens.transaction(in: environment)
        let renewal = try SignedTokens.renewalInfo(in: environment)
        return #"{"environment":"\#(environment)","bundleId":"com.example.reader","#
          + #""appAppleId":1234567890,"data":[{"subscriptionGroupIdentifier":"g","#
          + #""lastTransactions":[{"status":1,"originalTransactionId":"\#(original)","#
          + #""signedTransactionInfo":"\#(transaction)","signedRenewalInfo":"\#(renewal)"}]}]}"#
      },
      run: { client, environment in
        let statuses = try await client.allSubscriptionStatuses(
          of: id, statuses: [.expired, .active], in: environment)
        #expect(statuses.groups.map(\.subscriptionGroupIdentifier) == ["g"])
        let item = try #require(statuses.items.first)
        #expect(item.refusal == nil)
        #expect(item.status?.value == .active)
        #expect(item.renewalInfo != nil)
        #expect(item.transaction?.payload.transactionID == id)
      }),
    SampleCall(
      endpoint: .refundHistory, method: "GET", path: "/inApps/v2/refund/lookup/\(id)",
      answer: {
        #"{"revision":"r2","hasMore":false,"signedTransactions":["\#(try SignedTokens.transaction(in: $0))"]}"#
      },
      run: { client, environment in
        let all = try await client.refundHistory(of: id, in: environment).all()
        #expect(all.transactions.count == 1)
        #expect(all.revision == "r2")
      }),
    SampleCall(
      endpoint: .lookUpOrderID, method: "GET", path: "/inApps/v1/lookup/MQ%2B1%3D2",
      only: .production,
      answer: {
        #"{"status":0,"signedTransactions":["\#(try SignedTokens.transaction(in: $0))"]}"#
      },
      run: { client, _ in
        let order = try await client.lookUpOrderID("MQ+1=2")
        #expect(order.status.value == .valid)
        #expect(order.transactions.count == 1)
      }),
    SampleCall(
      endpoint: .finishTransaction, method: "POST", path: "/inApps/v1/transactions/\(id)/finish",
      answer: { _ in "" },
      run: { try await $0.finishTransaction(id, in: $1) }),
    SampleCall(
      endpoint: .setAppAccountToken, method: "PUT",
      path: "/inApps/v1/transactions/\(original)/appAccountToken",
      body: #"{"appAccountToken":"\#(uuidText)"}"#,
      answer: { _ in "" },
      run: { try await $0.setAppAccountToken(uuid, of: original, in: $1) }),
    SampleCall(
      endpoint: .sendConsumptionInformation, method: "PUT",
      path: "/inApps/v2/transactions/consumption/\(id)",
      body: #"{"consumptionPercentage":40000,"customerConsented":true,"#
        + #""deliveryStatus":"DELIVERED","refundPreference":"GRANT_PRORATED","#
        + #""sampleContentProvided":false}"#,
      answer: { _ in "" },
      run: { client, environment in
        var request = ConsumptionRequest(
          customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: false)
        request.consumptionPercentage = 40_000
        request.refundPreference = .grantProrated
        try await client.sendConsumptionInformation(request, forTransaction: id, in: environment)
      }),
    SampleCall(
      endpoint: .sendConsumptionData, method: "PUT",
      path: "/inApps/v1/transactions/consumption/\(id)",
      body: #"{"accountTenure":0,"appAccountToken":"","consumptionStatus":0,"#
        + #""customerConsented":true,"deliveryStatus":0,"lifetimeDollarsPurchased":0,"#
        + #""lifetimeDollarsRefunded":0,"platform":0,"playTime":0,"sampleContentProvided":true,"#
        + #""userStatus":0}"#,
      answer: { _ in "" },
      run: { client, environment in
        let request = ConsumptionRequestV1(
          customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: true)
        try await client.sendConsumptionData(request, forTransaction: id, in: environment)
      }),
  ]

  static let extensions: [SampleCall] = [
    SampleCall(
      endpoint: .extendSubscriptionRenewalDate, method: "PUT",
      path: "/inApps/v1/subscriptions/extend/\(original)",
      body: #"{"extendByDays":45,"extendReasonCode":1,"requestIdentifier":"fdf964a4"}"#,
      answer: { _ in
        #"{"originalTransactionId":"2312412","webOrderLineItemId":"9993","success":true,"#
          + #""effectiveDate":1698148900000}"#
      },
      run: { client, environment in
        let request = ExtendRenewalDateRequest(
          extendByDays: 45, extendReasonCode: .customerSatisfaction, requestIdentifier: "fdf964a4")
        let answer = try await client.extendSubscriptionRenewalDate(
          request, of: original, in: environment)
        #expect(answer.value.success == true)
        #expect(answer.value.effectiveDate == Date(timeIntervalSince1970: 1_698_148_900))
      }),
    SampleCall(
      endpoint: .extendRenewalDateForAllActiveSubscribers, method: "POST",
      path: "/inApps/v1/subscriptions/extend/mass",
      body: #"{"extendByDays":90,"extendReasonCode":3,"productId":"reader.month","#
        + #""requestIdentifier":"\#(uuidText)","storefrontCountryCodes":["USA","MEX"]}"#,
      answer: { _ in #"{"requestIdentifier":"\#(uuidText)"}"# },
      run: { client, environment in
        var request = MassExtendRenewalDateRequest(
          requestIdentifier: uuid, extendByDays: 90, extendReasonCode: .serviceIssue,
          productID: "reader.month")
        request.storefrontCountryCodes = ["USA", "MEX"]
        _ = try await client.extendRenewalDateForAllActiveSubscribers(request, in: environment)
      }),
    SampleCall(
      endpoint: .statusOfSubscriptionRenewalDateExtensions, method: "GET",
      path: "/inApps/v1/subscriptions/extend/mass/a%20b%3F%23%25%C3%A9%F0%9F%98%80/\(uuidText)",
      answer: { _ in
        #"{"requestIdentifier":"\#(uuidText)","complete":true,"completeDate":1698148900000,"#
          + #""succeededCount":30,"failedCount":2}"#
      },
      run: { client, environment in
        let answer = try await client.statusOfSubscriptionRenewalDateExtensions(
          ofProduct: "a b?#%é😀", requestIdentifier: uuid, in: environment)
        #expect(answer.value.succeededCount == 30)
      }),
  ]

  static let notifications: [SampleCall] = [
    SampleCall(
      endpoint: .notificationHistory, method: "POST", path: "/inApps/v1/notifications/history",
      body: #"{"endDate":1793491200250,"notificationSubtype":"VOLUNTARY","#
        + #""notificationType":"EXPIRED","onlyFailures":true,"startDate":1793404800250}"#,
      answer: {
        #"{"hasMore":false,"notificationHistory":[{"sendAttempts":[{"attemptDate":1698148900000,"#
          + #""sendAttemptResult":"NO_RESPONSE"}],"signedPayload":"\#(try SignedTokens.notification(in: $0))"}]}"#
      },
      run: { client, environment in
        var request = NotificationHistoryRequest(
          startDate: ClientScene.begin.addingTimeInterval(-86_400), endDate: ClientScene.begin)
        request.notificationType = .expired
        request.notificationSubtype = .voluntary
        request.onlyFailures = true
        var count = 0
        for try await page in client.notificationHistory(request, in: environment) {
          let sent = try #require(page.notifications.first)
          #expect(throws: Never.self) { try sent.notification.get() }
          #expect(sent.sendAttempts.value.map(\.sendAttemptResult) == [.noResponse])
          count += page.notifications.count
        }
        #expect(count == 1)
      }),
    SampleCall(
      endpoint: .requestTestNotification, method: "POST", path: "/inApps/v1/notifications/test",
      answer: { _ in #"{"testNotificationToken":"ce3af791-365e-4c60-841b-1674b43c1609_1"}"# },
      run: { client, environment in
        let token = try await client.requestTestNotification(in: environment)
        #expect(token.value == "ce3af791-365e-4c60-841b-1674b43c1609_1")
      }),
    SampleCall(
      endpoint: .testNotificationStatus, method: "GET",
      path: "/inApps/v1/notifications/test/a%2Bb%3D_1",
      answer: {
        #"{"sendAttempts":[],"signedPayload":"\#(try SignedTokens.notification(in: $0))"}"#
      },
      run: { client, environment in
        _ = try await client.testNotificationStatus("a+b=_1", in: environment)
      }),
  ]

  static let groups: [SampleCall] = [
    SampleCall(
      endpoint: .currentGroups, method: "GET", path: "/groups/v1/currentGroups/\(id)",
      answer: { _ in
        #"{"groups":[{"groupId":"900000000000000000","groupType":"ORGANIZATION","#
          + #""roles":[{"productId":"reader.month","role":"ADMIN"}]}]}"#
      },
      run: { client, environment in
        let groups = try await client.currentGroups(of: id, in: environment)
        #expect(groups.value.groups?.first?.groupID == "900000000000000000")
      }),
    SampleCall(
      endpoint: .groupMembers, method: "GET",
      path: "/groups/v1/group/900000000000000000?paginationToken=a%2Bb%2Fc%3D&limit=100",
      answer: { _ in #"{"members":[{"appTransactionId":"700000000000000000"}],"hasMore":false}"# },
      run: { client, environment in
        let members = try await client.groupMembers(
          of: "900000000000000000", paginationToken: "a+b/c=", limit: 100, in: environment)
        #expect(members.value.members?.map(\.appTransactionID) == ["700000000000000000"])
      }),
  ]
}
