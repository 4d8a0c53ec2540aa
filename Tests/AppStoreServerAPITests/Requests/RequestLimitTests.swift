import AppStoreServerAPI
import Foundation
import ReceiptModels
import Testing

@Suite("Limits of requests")
struct RequestLimitTests {
  static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  static let start = Date(timeIntervalSince1970: 1_698_148_900)

  static let one = ExtendRenewalDateRequest(
    extendByDays: 90, extendReasonCode: .serviceIssue, requestIdentifier: .letters(128))
  static let all = MassExtendRenewalDateRequest(
    requestIdentifier: id, extendByDays: 1, extendReasonCode: .undeclared, productID: "p")
  static let window = NotificationHistoryRequest(startDate: start, endDate: start + 0.001)
  static let message: UploadMessageRequest = {
    var message = UploadMessageRequest(header: .letters(66), body: .letters(144))
    message.image = UploadMessageImage(imageIdentifier: id, altText: .letters(150))
    message.headerPosition = .aboveImage
    message.bulletPoints = [
      BulletPoint(text: .letters(66), imageIdentifier: id, altText: .letters(150))
    ]
    return message
  }()
  static let url = RealtimeURLRequest(
    realtimeURL: "https://example.com/" + .letters(256 - 20))

  static let extensions: [RequestCase] = [
    .accepted("90 days", one), .accepted("1 day", one) { $0.extendByDays = 1 },
    .refused("0 days", one, "extendByDays", .outOfRange(allowed: 1...90, found: 0)) {
      $0.extendByDays = 0
    },
    .refused("91 days", one, "extendByDays", .outOfRange(allowed: 1...90, found: 91)) {
      $0.extendByDays = 91
    },
    .refused("reason 4", one, "extendReasonCode", .outOfRange(allowed: 0...3, found: 4)) {
      $0.extendReasonCode = ExtendReasonCode(rawValue: 4)
    },
    .refused("reason -1", one, "extendReasonCode", .outOfRange(allowed: 0...3, found: -1)) {
      $0.extendReasonCode = ExtendReasonCode(rawValue: -1)
    },
    .refused("129 units", one, "requestIdentifier", .tooLong(limit: 128, found: 129)) {
      $0.requestIdentifier = .letters(129)
    },
    .refused("no identifier", one, "requestIdentifier", .empty) { $0.requestIdentifier = "" },
    .accepted("all storefronts", all),
    .accepted("two storefronts", all) { $0.storefrontCountryCodes = ["USA", "CAN"] },
    .refused("no storefront", all, "storefrontCountryCodes", .empty) {
      $0.storefrontCountryCodes = []
    },
    .refused("a small letter", all, "storefrontCountryCodes[1]", .notCountryCode) {
      $0.storefrontCountryCodes = ["USA", "CAn"]
    },
    .refused("two letters", all, "storefrontCountryCodes[0]", .notCountryCode) {
      $0.storefrontCountryCodes = ["US"]
    },
    .refused("no product", all, "productId", .empty) { $0.productID = "" },
    .refused("a product with a slash", all, "productId", .notPathPart) { $0.productID = "a/b" },
    .refused("91 days for all", all, "extendByDays", .outOfRange(allowed: 1...90, found: 91)) {
      $0.extendByDays = 91
    },
    .refused("reason 4 for all", all, "extendReasonCode", .outOfRange(allowed: 0...3, found: 4)) {
      $0.extendReasonCode = ExtendReasonCode(rawValue: 4)
    },
  ]

  static let notifications: [RequestCase] = [
    .accepted("a millisecond", window),
    .refused("an empty window", window, "startDate", .notBeforeEnd) { $0.endDate = start },
    .refused("less than a millisecond", window, "startDate", .notBeforeEnd) {
      $0.endDate = start + 0.0001
    },
    .refused("a date beyond all numbers", window, "endDate", .notAccepted) {
      $0.endDate = Date(timeIntervalSince1970: .infinity)
    },
    .accepted("a transaction", window) { $0.transactionID = "12" },
    .refused("no digits", window, "transactionId", .notDigits) { $0.transactionID = "12a" },
    .refused(
      "two filters", window, "transactionId", .notAllowed(with: "notificationType")
    ) {
      $0.transactionID = "12"
      $0.notificationType = .refund
    },
    .accepted("a type", window) { $0.notificationType = .refund },
    .refused("an unknown type", window, "notificationType", .notAccepted) {
      $0.notificationType = NotificationType(rawValue: "X")
    },
    .refused("a subtype alone", window, "notificationType", .missing) {
      $0.notificationSubtype = .initialBuy
    },
    .refused(
      "a foreign subtype", window, "notificationSubtype", .notAllowed(with: "notificationType")
    ) {
      $0.notificationType = .didRenew
      $0.notificationSubtype = .initialBuy
    },
    .refused(
      "a subtype of a type without", window, "notificationSubtype",
      .notAllowed(with: "notificationType")
    ) {
      $0.notificationType = .refund
      $0.notificationSubtype = .voluntary
    },
  ]

  static let messages: [RequestCase] = [
    .accepted("the longest texts", message),
    .accepted("only texts", UploadMessageRequest(header: "h", body: "b")),
    .refused("a header of 67", message, "header", .tooLong(limit: 66, found: 67)) {
      $0.header = .letters(67)
    },
    .refused("a header of 34 emoji", message, "header", .tooLong(limit: 66, found: 68)) {
      $0.header = String(repeating: "😀", count: 34)
    },
    .accepted("a header of 33 emoji", message) { $0.header = String(repeating: "😀", count: 33) },
    .refused("a body of 145", message, "body", .tooLong(limit: 144, found: 145)) {
      $0.body = .letters(145)
    },
    .refused("an image text of 151", message, "image.altText", .tooLong(limit: 150, found: 151)) {
      $0.image?.altText = .letters(151)
    },
    .refused("above no image", message, "image", .missing) { $0.image = nil },
    .accepted("above the body without an image", message) {
      $0.image = nil
      $0.headerPosition = .aboveBody
    },
    .refused("an unknown position", message, "headerPosition", .notAccepted) {
      $0.headerPosition = HeaderPosition(rawValue: "BELOW")
    },
    .refused(
      "a bullet point of 67", message, "bulletPoints[0].text", .tooLong(limit: 66, found: 67)
    ) { $0.bulletPoints?[0].text = .letters(67) },
    .refused(
      "a second bullet point's text of 151", message, "bulletPoints[1].altText",
      .tooLong(limit: 150, found: 151)
    ) {
      $0.bulletPoints?.append(
        BulletPoint(text: "t", imageIdentifier: id, altText: .letters(151)))
    },
    .accepted("an address of 256", url),
    .refused("an address of 257", url, "realtimeURL", .tooLong(limit: 256, found: 257)) {
      $0.realtimeURL += "a"
    },
    .refused("no address", url, "realtimeURL", .empty) { $0.realtimeURL = "" },
    .refused("plain HTTP", url, "realtimeURL", .notAccepted) {
      $0.realtimeURL = "http://example.com"
    },
    .refused("no host", url, "realtimeURL", .notAccepted) { $0.realtimeURL = "https:///path" },
    .refused("a space", url, "realtimeURL", .notAccepted) {
      $0.realtimeURL = "https://example.com/a b"
    },
    .accepted("a default message", DefaultMessageRequest(messageIdentifier: id)),
    .accepted("a performance test", PerformanceTestRequest(originalTransactionID: .init("1"))),
    .refused(
      "a performance test of no digits", PerformanceTestRequest(originalTransactionID: "1"),
      "originalTransactionId", .notDigits
    ) { $0.originalTransactionID = "../1" },
    .accepted("an account", UpdateAppAccountTokenRequest(appAccountToken: id)),
  ]

  @Test(
    "are checked with their field before anything is sent",
    arguments: extensions + notifications + messages)
  func limits(_ request: RequestCase) { request.check() }

  /// Every pair of the contract's table.
  static let pairs: [(NotificationType, [NotificationSubtype])] = [
    (.subscribed, [.initialBuy, .resubscribe]), (.didRenew, [.billingRecovery]),
    (.offerRedeemed, [.initialBuy, .resubscribe, .upgrade, .downgrade]),
    (.didChangeRenewalPref, [.upgrade, .downgrade]),
    (.didChangeRenewalStatus, [.autoRenewEnabled, .autoRenewDisabled]),
    (.didFailToRenew, [.gracePeriod]),
    (.expired, [.voluntary, .billingRetry, .priceIncrease, .productNotForSale]),
    (.priceIncrease, [.pending, .accepted]), (.renewalExtension, [.summary, .failure]),
    (.externalPurchaseToken, [.unreported, .created, .activeTokenReminder]),
  ]

  @Test("accept exactly the pairs of type and subtype that exist")
  func subtypes() {
    for type in NotificationType.allCases {
      let valid = Self.pairs.first { $0.0 == type }?.1 ?? []
      for subtype in NotificationSubtype.allCases {
        var request = Self.window
        request.notificationType = type
        request.notificationSubtype = subtype
        let isAccepted = (try? request.validate()) != nil
        #expect(isAccepted == valid.contains(subtype), "\(type) \(subtype)")
      }
    }
  }

  @Test("clip a window to Apple's history, less a minute")
  func clipping() throws {
    let now = Self.start
    let day = 86_400.0
    var request = NotificationHistoryRequest(startDate: now - 200 * day, endDate: now)
    let clipped = try request.clipped(to: .production, at: now)
    #expect(clipped.startDate == now - 180 * day + 60)
    #expect(clipped.endDate == now)
    #expect(try request.clipped(to: .sandbox, at: now).startDate == now - 30 * day + 60)
    request.startDate = now - 29 * day
    #expect(try request.clipped(to: .sandbox, at: now) == request)
    request.startDate = now - 60 * day
    request.endDate = now - 30 * day
    #expect(throws: InvalidRequest("endDate", .tooOld)) {
      try request.clipped(to: .sandbox, at: now)
    }
    #expect(try request.clipped(to: .production, at: now) == request)
  }
}
