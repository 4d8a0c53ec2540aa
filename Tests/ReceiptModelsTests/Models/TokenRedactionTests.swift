import JSONValues
import ReceiptModels
import Testing

@Suite("Tokens in models")
struct TokenRedactionTests {
  private static let models: [any JSONModel] = {
    var data = NotificationData()
    data.signedTransactionInfo = "SECRET-1"
    data.signedRenewalInfo = "SECRET-2"
    var appData = NotificationAppData()
    appData.signedAppTransactionInfo = "SECRET-3"
    var notification = ServerNotification()
    notification.data = data
    notification.appData = appData
    var offer = RealtimePromotionalOffer()
    offer.promotionalOfferSignatureV2 = "SECRET-4"
    return [data, appData, notification, offer, SignedPayloadBody(signedPayload: "SECRET-5")]
  }()

  @Test("are neither printed nor dumped", arguments: models.indices)
  func redacted(index: Int) {
    let model = Self.models[index]
    var dumped = ""
    dump(model, to: &dumped)
    for text in ["\(model)", String(reflecting: model), dumped] {
      #expect(!text.contains("SECRET"))
      #expect(text.contains("redacted"))
    }
  }

  @Test("are each in the property that bears their name")
  func properties() throws {
    let data = try NotificationData(
      json: .object(["signedTransactionInfo": .string("t"), "signedRenewalInfo": .string("r")]))
    #expect(data.signedTransactionInfo == "t")
    #expect(data.signedRenewalInfo == "r")
  }
}
