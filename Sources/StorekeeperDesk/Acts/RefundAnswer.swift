internal import AppStoreServerAPI
internal import GooglePlayVerifier
internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper

/// A member's answer to a store's question about a refund.
struct RefundAnswer: Hashable, Sendable {
  /// The key of the question.
  var question: String
  /// The store's word for the decision that the host prefers, or ``nothing``; nil to prefer none.
  var preference: String?
  /// Apple's word for whether the purchase was delivered.
  var delivery: String?
  var sampleWasProvided = false
  /// The part of the purchase that was used, in whole percent.
  var consumedPercent: Int?
  /// Whether the customer consented to it that Apple is told.
  var hasConsent = false
  /// The answer that was proposed when the form was looked at; it is no field of the form, as the facts of its seal have it.
  var replaced: String?

  /// Creates an answer of the fields of an address or a form; nil if one of them is malformed.
  init?(_ field: (String) -> String?) {
    guard let question = field("question"), StoredText.fits(question, .notificationKey) else {
      return nil
    }
    func text(_ name: String) -> String? { field(name).flatMap { $0.isEmpty ? nil : $0 } }
    self.question = question
    preference = text("preference")
    delivery = text("delivery")
    sampleWasProvided = text("sample") != nil
    hasConsent = text("consent") != nil
    guard let consumed = text("consumed") else { return }
    guard let percent = Int(consumed), (0...100).contains(percent) else { return nil }
    consumedPercent = percent
  }

  /// The fields that an answer is made of again.
  var query: [(String, String?)] {
    [
      ("question", question), ("preference", preference), ("delivery", delivery),
      ("sample", sampleWasProvided ? "yes" : nil),
      ("consumed", consumedPercent.map(String.init)), ("consent", hasConsent ? "yes" : nil),
    ]
  }

  /// The preference of a member who wants nothing to be sent.
  static let nothing = "NOTHING_IS_SENT"

  var sendsNothing: Bool { preference == Self.nothing }

  /// Returns the answer in the form of the store that asks.
  ///
  /// - Throws: `InvalidRequest` of Apple or `InvalidCall` of Google, if it breaks a rule of the store about purchases of
  ///   that type.
  func answer(to question: ConsumptionCase, about type: ProductType?) throws -> ConsumptionAnswer {
    let milliunits = consumedPercent.map { $0 * 1000 }
    guard question.vendor == .google else {
      var request = ConsumptionRequest(
        customerConsented: hasConsent, deliveryStatus: DeliveryStatus(rawValue: delivery ?? ""),
        sampleContentProvided: sampleWasProvided)
      request.consumptionPercentage = milliunits
      request.refundPreference = preference.map { RefundPreference(rawValue: $0) }
      var transaction = Transaction()
      transaction.type = type
      try request.validate(for: transaction)
      return .information(request)
    }
    var review = OrdersReviewRefundRequest(
      pendingRefundToken: question.pendingRefundToken ?? "",
      refundPreference: OrdersReviewRefundRequest.RefundPreference(rawValue: preference ?? ""),
      sampleContentProvided: sampleWasProvided)
    review.consumptionPercentageMilliunits = milliunits
    try review.validate()
    return .review(review)
  }

  /// The decisions that a host may prefer, in the words of the store.
  static func preferences(of vendor: Vendor) -> [String] {
    vendor == .google
      ? OrdersReviewRefundRequest.RefundPreference.allCases.map(\.rawValue)
        .filter { $0 != OrdersReviewRefundRequest.RefundPreference.unspecified.rawValue }
      : RefundPreference.allCases.map(\.rawValue)
  }

  static let deliveries = DeliveryStatus.allCases.map(\.rawValue)
}

extension Desk {
  /// Returns a question that support may answer now; nil for another one.
  func answerable(_ key: String) async throws -> ConsumptionCase? {
    let question = try await read { try await $0.consumption.find(key: key) }
    return question.flatMap { refundAnswers?.isOpen($0) ?? false ? $0 : nil }
  }

  /// Returns an act with what its question tells: the account that has the purchase, whatever account the form names, and
  /// the answer that was proposed before.
  func completed(_ act: DeskAct) async throws -> DeskAct {
    guard var answer = act.answer else { return act }
    let key = answer.question
    let (owner, proposed) = try await read { records -> (AccountID?, String?) in
      guard let question = try await records.consumption.find(key: key) else { return (nil, nil) }
      let purchase = try await HeldPurchase.load(
        question.originalTransactionID, in: question.environment, records)
      return (purchase.owners.first, question.proposedAnswer)
    }
    answer.replaced = proposed
    var completed = act
    (completed.account, completed.answer) = (owner, answer)
    return completed
  }

  /// Returns an answer in the form of the store that asks.
  private func answer(
    _ given: RefundAnswer, to question: ConsumptionCase
  ) async throws -> ConsumptionAnswer {
    let charges = try await read { records in
      try await records.purchases.transactions(
        of: [question.originalTransactionID], environment: question.environment)
    }
    let charge = charges.first { $0.transactionID.isSameText(as: question.transactionID) }
    return try given.answer(to: question, about: charge?.productType)
  }

  /// Returns what an answer would tell the store.
  func preview(of answer: RefundAnswer) async throws -> ActPreview {
    guard let question = try await answerable(answer.question) else {
      return .refused(DeskText.notAsked)
    }
    let facts = question.proposedAnswer ?? "none"
    let replaced = question.proposedAnswer == nil ? [] : [DeskText.replacesAnswer]
    guard !answer.sendsNothing else {
      return ActPreview(
        changes: [DeskText.willSendNothing(question.vendor)] + replaced, facts: facts)
    }
    guard answer.hasConsent || question.vendor != .apple else {
      return .refused(DeskText.consentMissing)
    }
    do {
      _ = try await self.answer(answer, to: question)
    } catch {
      return .refused(DeskText.brokenAnswer("\(error)"))
    }
    return ActPreview(
      changes: DeskText.willAnswer(question.vendor, answer) + replaced, facts: facts)
  }

  /// Keeps an answer to be sent, or settles the question without one; returns whether it waited.
  func give(_ answer: RefundAnswer) async throws -> Bool {
    guard let refundAnswers, let question = try await answerable(answer.question) else {
      return false
    }
    if answer.sendsNothing {
      try await refundAnswers.decline(question.key, replacing: answer.replaced)
    } else {
      try await refundAnswers.propose(
        try await self.answer(answer, to: question), to: question.key, replacing: answer.replaced)
    }
    return true
  }
}
