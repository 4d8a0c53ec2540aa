import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import Testing

extension SampleCall {
  static let messages: [SampleCall] = [
    SampleCall(
      endpoint: .uploadImage, method: "PUT",
      path: "/inApps/v1/messaging/image/\(uuidText)?imageSize=BULLET_POINT", bytes: png,
      answer: { _ in "" },
      run: { client, environment in
        let image = RetentionImage(bytes: png, size: .bulletPoint)
        try await client.uploadImage(image, as: uuid, in: environment)
      }),
    SampleCall(
      endpoint: .deleteImage, method: "DELETE", path: "/inApps/v1/messaging/image/\(uuidText)",
      answer: { _ in "" }, run: { try await $0.deleteImage(uuid, in: $1) }),
    SampleCall(
      endpoint: .imageList, method: "GET", path: "/inApps/v1/messaging/image/list",
      answer: { _ in
        #"{"imageIdentifiers":[{"imageIdentifier":"\#(uuidText)","imageState":"PENDING","#
          + #""imageSize":"FULL_SIZE"}]}"#
      },
      run: { client, environment in
        let list = try await client.imageList(in: environment)
        #expect(list.value.imageIdentifiers?.map(\.imageIdentifier) == [uuid])
      }),
    SampleCall(
      endpoint: .uploadMessage, method: "PUT", path: "/inApps/v1/messaging/message/\(uuidText)",
      body: #"{"body":"B","header":"H","headerPosition":"ABOVE_BODY"}"#,
      answer: { _ in "" },
      run: { client, environment in
        var message = UploadMessageRequest(header: "H", body: "B")
        message.headerPosition = .aboveBody
        try await client.uploadMessage(message, as: uuid, in: environment)
      }),
    SampleCall(
      endpoint: .deleteMessage, method: "DELETE",
      path: "/inApps/v1/messaging/message/\(uuidText)",
      answer: { _ in "" }, run: { try await $0.deleteMessage(uuid, in: $1) }),
    SampleCall(
      endpoint: .messageList, method: "GET", path: "/inApps/v1/messaging/message/list",
      answer: { _ in
        #"{"messageIdentifiers":[{"messageIdentifier":"\#(uuidText)","messageState":"APPROVED"}]}"#
      },
      run: { client, environment in
        let list = try await client.messageList(in: environment)
        #expect(list.value.messageIdentifiers?.map(\.messageState) == [.approved])
      }),
    SampleCall(
      endpoint: .configureDefaultMessage, method: "PUT",
      path: "/inApps/v1/messaging/default/a%2Bb/en-US",
      body: #"{"messageIdentifier":"\#(uuidText)"}"#,
      answer: { _ in "" },
      run: {
        try await $0.configureDefaultMessage(uuid, forProduct: "a+b", locale: "en-US", in: $1)
      }),
    SampleCall(
      endpoint: .defaultMessage, method: "GET",
      path: "/inApps/v1/messaging/default/reader.month/en-US",
      answer: { _ in #"{"messageIdentifier":"\#(uuidText)"}"# },
      run: { client, environment in
        let message = try await client.defaultMessage(
          forProduct: "reader.month", locale: "en-US", in: environment)
        #expect(message?.value.messageIdentifier == uuid)
      }),
    SampleCall(
      endpoint: .deleteDefaultMessage, method: "DELETE",
      path: "/inApps/v1/messaging/default/reader.month/en-US",
      answer: { _ in "" },
      run: {
        try await $0.deleteDefaultMessage(forProduct: "reader.month", locale: "en-US", in: $1)
      }),
    SampleCall(
      endpoint: .configureRealtimeURL, method: "PUT", path: "/inApps/v1/messaging/realtime/url",
      body: #"{"realtimeURL":"https://example.com/retention"}"#,
      answer: { _ in "" },
      run: { try await $0.configureRealtimeURL("https://example.com/retention", in: $1) }),
    SampleCall(
      endpoint: .realtimeURL, method: "GET", path: "/inApps/v1/messaging/realtime/url",
      answer: { _ in #"{"realtimeURL":"https://example.com/retention"}"# },
      run: { client, environment in
        let url = try await client.realtimeURL(in: environment)
        #expect(url?.value.realtimeURL == "https://example.com/retention")
      }),
    SampleCall(
      endpoint: .deleteRealtimeURL, method: "DELETE", path: "/inApps/v1/messaging/realtime/url",
      answer: { _ in "" }, run: { try await $0.deleteRealtimeURL(in: $1) }),
    SampleCall(
      endpoint: .initiatePerformanceTest, method: "POST",
      path: "/inApps/v1/messaging/performanceTest",
      body: #"{"originalTransactionId":"\#(original)"}"#, only: .sandbox,
      answer: { _ in #"{"config":{"totalDuration":60000},"requestId":"c4b87a1d"}"# },
      run: { client, _ in
        let test = try await client.initiatePerformanceTest(of: original)
        #expect(test.value.requestID == "c4b87a1d")
      }),
    SampleCall(
      endpoint: .performanceTestResults, method: "GET",
      path: "/inApps/v1/messaging/performanceTest/result/c4b87a1d", only: .sandbox,
      answer: { _ in #"{"result":"PASS","successRate":98,"failures":{"TIMED_OUT":1}}"# },
      run: { client, _ in
        let result = try await client.performanceTestResults("c4b87a1d")
        #expect(result.value.result == .pass)
        #expect(result.value.failures == [.timedOut: 1])
      }),
  ]

  static let advancedCommerce: [SampleCall] = [
    advanced(
      .cancelSubscription, "subscription/cancel",
      #"{"requestInfo":{"requestReferenceId":"\#(uuidText)"},"storefront":"USA"}"#,
      AdvancedCommerceSubscriptionCancelRequest.self
    ) { try await $0.cancelSubscription($1, of: id, in: $2) },
    advanced(
      .changeSubscriptionMetadata, "subscription/changeMetadata",
      #"{"requestInfo":{"requestReferenceId":"\#(uuidText)"},"taxCode":"C003-00-1"}"#,
      AdvancedCommerceSubscriptionChangeMetadataRequest.self
    ) { try await $0.changeSubscriptionMetadata($1, of: id, in: $2) },
    advanced(
      .changeSubscriptionPrice, "subscription/changePrice",
      #"{"currency":"USD","items":[{"SKU":"s","price":15000}],"#
        + #""requestInfo":{"requestReferenceId":"\#(uuidText)"}}"#,
      AdvancedCommerceSubscriptionPriceChangeRequest.self
    ) { try await $0.changeSubscriptionPrice($1, of: id, in: $2) },
    advanced(
      .migrateSubscription, "subscription/migrate",
      #"{"descriptors":{"description":"d","displayName":"n"},"#
        + #""items":[{"SKU":"s","description":"d","displayName":"n"}],"#
        + #""requestInfo":{"requestReferenceId":"\#(uuidText)"},"#
        + #""targetProductId":"p","taxCode":"t"}"#,
      AdvancedCommerceSubscriptionMigrateRequest.self
    ) { try await $0.migrateSubscription($1, of: id, in: $2) },
    advanced(
      .revokeSubscription, "subscription/revoke",
      #"{"refundReason":"LEGAL","refundRiskingPreference":true,"refundType":"FULL","#
        + #""requestInfo":{"requestReferenceId":"\#(uuidText)"}}"#,
      AdvancedCommerceSubscriptionRevokeRequest.self
    ) { try await $0.revokeSubscription($1, of: id, in: $2) },
    advanced(
      .requestTransactionRefund, "transaction/requestRefund",
      #"{"items":[{"SKU":"s","refundAmount":500,"refundReason":"OTHER","refundType":"CUSTOM","#
        + #""revoke":false}],"refundRiskingPreference":false,"#
        + #""requestInfo":{"requestReferenceId":"\#(uuidText)"}}"#,
      AdvancedCommerceRequestRefundRequest.self
    ) { try await $0.requestTransactionRefund($1, of: id, in: $2) },
  ]

  static let reportBody =
    #"{"externalPurchaseId":"SANDBOX_0a1b","requestIdentifier":"\#(uuidText)","#
    + #""status":"NO_LINE_ITEM"}"#

  static let externalPurchases: [SampleCall] = [
    SampleCall(
      endpoint: .sendExternalPurchaseReport, method: "PUT", path: "/externalPurchase/v1/reports",
      body: reportBody, only: .sandbox,
      answer: { _ in #"{"requestIdentifier":"\#(uuidText)"}"# },
      run: { client, _ in
        let answer = try await client.sendExternalPurchaseReport(
          ExternalPurchaseReport(
            requestIdentifier: uuid, externalPurchaseID: "SANDBOX_0a1b", status: .noLineItem))
        #expect(answer.value.requestIdentifier == uuid)
      }),
    SampleCall(
      endpoint: .externalPurchaseReport, method: "GET",
      path: "/externalPurchase/v1/reports/\(uuidText)", answer: { _ in reportBody },
      run: { client, environment in
        let report = try await client.externalPurchaseReport(uuid, in: environment)
        #expect(report.value.externalPurchaseID == "SANDBOX_0a1b")
      }),
  ]

  private static func advanced<Request: JSONModel>(
    _ endpoint: AppStoreServerEndpoint, _ path: String, _ body: String, _ type: Request.Type,
    _ run:
      @escaping @Sendable (AppStoreServerClient, Request, AppStoreEnvironment?) async throws ->
      AdvancedCommerceResult
  ) -> SampleCall {
    SampleCall(
      endpoint: endpoint, method: "POST", path: "/advancedCommerce/v1/\(path)/\(id)", body: body,
      answer: {
        #"{"signedTransactionInfo":"\#(try SignedTokens.transaction(in: $0))","#
          + #""signedRenewalInfo":"\#(try SignedTokens.renewalInfo(in: $0))"}"#
      },
      run: { client, environment in
        let request = try Request(json: JSONValue(parsing: Array(body.utf8)))
        let result = try await run(client, request, environment)
        #expect(result.transaction.payload.transactionID == id)
        #expect(result.renewalInfo != nil)
      })
  }

  /// A PNG image of 1024 × 1024 without transparency; its data are not those of an image.
  static let png: [UInt8] = {
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      [0, 0, 0, UInt8(data.count)] + Array(name.utf8) + data + [0, 0, 0, 0]
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", [0, 0, 4, 0, 0, 0, 4, 0, 8, 2, 0, 0, 0]) + chunk("IDAT", [0xFF, 0])
      + chunk("IEND", [])
  }()
}
