public import AppStoreServerAPI
public import GooglePlayVerifier
internal import JSONValues
public import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A handler of the outbox that answers the stores' questions about purchases whose refund somebody wants.
///
/// ```swift
/// let delivery = OutboxDelivery(
///   store: store,
///   handlers: [
///     ConsumptionDelivery(appStore: appStore, play: play, answerer: MyAnswerer(), store: store),
///     mailer,
///   ])
/// ```
///
/// A ``NotificationService`` and a ``PlayNotificationService`` write a message for each question. The store is asked
/// how the purchase stands now, then the host for its answer, which is kept in
/// ``/PurchaseStorage/ConsumptionCase`` and sent until the store takes it. One that may have arrived is sent again as
/// it was. After the deadline nothing is sent. Source: App Store Server API rules, section 5.6; Google Play rules,
/// section 9.
///
/// Without an answerer, questions wait for a person, whose answer ``propose(_:to:replacing:)`` takes. An answerer leaves a single
/// question to a person if it throws an ``OutboxFailure`` that postpones.
public struct ConsumptionDelivery: OutboxHandler {
  /// The client that answers Apple; nil to leave Apple's questions to others.
  public let appStore: AppStoreServerClient?
  /// The client that answers Google; nil to leave Google's questions to others.
  public let play: GooglePlayClient?
  /// The host's answers; nil to wait for those of people.
  public let answerer: (any ConsumptionAnswerer)?

  let store: any PurchaseStore
  let now: @Sendable () -> Date
  let report: @Sendable (ServiceIncident) -> Void

  /// Creates a handler of the questions of those stores of which it has a client.
  ///
  /// The verifier of Apple's client must accept both environments if both are answered.
  public init(
    appStore: AppStoreServerClient? = nil, play: GooglePlayClient? = nil,
    answerer: (any ConsumptionAnswerer)? = nil, store: any PurchaseStore,
    now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = ServiceIncident.toStandardError
  ) {
    self.appStore = appStore
    self.play = play
    self.answerer = answerer
    self.store = store
    self.now = now
    self.report = report
  }

  public var kinds: Set<OutboxMessage.Kind>? {
    var kinds: Set<OutboxMessage.Kind> = []
    if appStore != nil { kinds.insert(.consumption) }
    if play != nil { kinds.insert(.refundReview) }
    return kinds
  }

  /// Answers a store's question.
  ///
  /// - Throws: An error of the host, of the database or of the store that may pass, so that the message is delivered
  ///   again.
  public func deliver(_ message: OutboxMessage, number: Int) async throws {
    guard kinds?.contains(message.kind) == true, let key = message.reference,
      let question = try await store.read({ try await $0.consumption.find(key: key) }),
      question.state == .waiting, let asker = asker(question.vendor)
    else { return }
    guard now() < question.deadline else { return try await settle(question, .missed) }
    if answerer == nil, question.isAdvancedCommerce { return try await settle(question, .declined) }
    if answerer == nil, question.answer == nil, question.proposedAnswer == nil {
      try await look(at: question, of: asker)
      throw LeftToPeople(until: question.deadline, from: now())
    }
    try await answer(question, of: asker) { asked in
      // A person who answered knew what the host would say.
      if let proposal = question.proposedAnswer {
        guard let answer = asker.answer(kept: proposal, about: asked.purchase) else {
          throw Failure.otherStore
        }
        return answer
      }
      guard let answerer else { throw LeftToPeople(until: question.deadline, from: now()) }
      do {
        return try await answerer.answer(to: asked)
      } catch let failure as any OutboxFailure {
        // A person may answer meanwhile.
        if case .postpone = failure.disposition {
          throw LeftToPeople(until: question.deadline, from: now())
        }
        throw failure
      }
    }
  }

  /// Notes which purchase a question is about, where it names an order alone.
  private func look(at question: ConsumptionCase, of asker: any RefundAsker) async throws {
    guard question.vendor == .google, question.productID == nil else { return }
    let purchase = try? await asker.purchase(of: question, patience: patience(for: question))
    guard let purchase else { return }
    var noted = question
    noted.note(purchase)
    _ = try await keep(noted, replacing: nil)
  }

  // MARK: Answers of people

  /// Keeps a person's answer to a question that waits, in place of another one that a person proposed.
  ///
  /// The delivery of the question's message sends it instead of asking the host: within a minute, or after failures when
  /// the message is due again. Whether the store takes it is not known here:
  /// ``/PurchaseStorage/ConsumptionCase/state-swift.property`` tells it afterwards. If the store refuses it for what is in
  /// it, which is reported, it is forgotten, and the question waits for another one. `proposal` is the proposed answer that
  /// the person saw (``/PurchaseStorage/ConsumptionCase/proposedAnswer``), if any.
  ///
  /// - Throws: ``Failure``, or an error of the database.
  public func propose(
    _ answer: ConsumptionAnswer, to key: String, replacing proposal: String? = nil
  ) async throws {
    if case .data = answer { throw Failure.otherStore }
    try await store.write { records in
      var question = try await open(key, replacing: proposal, in: records)
      question.proposedAnswer = try answer.text(for: question.vendor)
      _ = try await records.consumption.prepare(question, replacing: nil)
    }
  }

  /// Settles a question that waits as ``/PurchaseStorage/ConsumptionCase/State-swift.enum/declined``, so that nothing is
  /// sent.
  ///
  /// `proposal` is as in ``propose(_:to:replacing:)``.
  ///
  /// - Throws: ``Failure``, or an error of the database.
  public func decline(_ key: String, replacing proposal: String? = nil) async throws {
    let now = now()
    try await store.write { records in
      let question = try await open(key, replacing: proposal, in: records)
      try await records.consumption.settle(
        key: question.key, state: .declined, answer: nil, now: now)
    }
  }

  /// Whether a person may answer a question: it waits, is not late, and is of a store of which there is a client, and no
  /// answer to it is being sent.
  ///
  /// The form that Advanced Commerce asks for tells more of a customer than a person knows.
  public func isOpen(_ question: ConsumptionCase) -> Bool {
    question.state == .waiting && question.answer == nil && now() < question.deadline
      && !question.isAdvancedCommerce && asker(question.vendor) != nil
  }

  private func open(
    _ key: String, replacing proposal: String?, in records: UnitOfWork
  ) async throws -> ConsumptionCase {
    guard let question = try await records.consumption.find(key: key), isOpen(question) else {
      throw Failure.notWaiting
    }
    guard question.hasProposal(proposal) else { throw Failure.answeredElsewhere }
    return question
  }

  /// A question without an answer, which a person may give any time.
  private struct LeftToPeople: OutboxFailure {
    let pause: Duration

    /// Creates the reason to look again within a minute, and the sooner the nearer the deadline is.
    init(until deadline: Date, from now: Date) {
      pause = .seconds(min(60, max(1, deadline.timeIntervalSince(now) / 16)))
    }

    var disposition: OutboxDisposition { .postpone(pause) }
    var isReported: Bool { false }
  }

  /// The reason for a failed delivery, other than an error of the host, of the database or of a store.
  @nonexhaustive
  public enum Failure: Error, Hashable, Sendable {
    /// Apple's answer has another transaction than the one that was asked for.
    case otherTransaction
    /// Google's answer has another order than the one that was asked for.
    case otherOrder
    /// The host's answer is for another store, which takes answers of another form.
    case otherStore
    /// The host's answer is longer than the limit in bytes.
    case answerTooLong(limit: Int)
    /// Another worker has kept another answer meanwhile, which is sent first; or another person has proposed one.
    case answeredElsewhere
    /// No person may answer the question (``ConsumptionDelivery/isOpen(_:)``).
    case notWaiting
  }

  /// The longest time for each call: all have to end within the limit of the handler.
  private static let patience = Duration.seconds(20)

  private func asker(_ vendor: Vendor) -> (any RefundAsker)? {
    switch vendor {
    case .apple: appStore.map { AppleRefundAsker(appStore: $0) }
    case .google: play.map { GoogleRefundAsker(play: $0) }
    default: nil
    }
  }

  /// Asks how the purchase stands now, then for the answer, and sends it.
  private func answer(
    _ stored: ConsumptionCase, of asker: any RefundAsker,
    giving give: (ConsumptionQuestion) async throws -> ConsumptionAnswer?
  ) async throws {
    let purchase: ReviewedPurchase
    do {
      purchase = try await asker.purchase(of: stored, patience: patience(for: stored))
    } catch {
      switch asker.verdict(on: error, in: .asking) {
      case .final(let incident):
        if let incident { report(incident) }
        return try await settle(stored, .refused)
      case .refused(let incident), .faulty(let incident):
        report(incident)
        throw error
      case .cancelled: throw CancellationError()
      case .passing, .unknown, .taken: throw error
      }
    }
    // What may have arrived is sent again as it was, so that no store gets two answers.
    let kept = stored.answer.flatMap { asker.answer(kept: $0, about: purchase) }
    var given = kept
    if given == nil {
      given = try await give(
        ConsumptionQuestion(
          purchase: purchase, requestedDate: stored.requestedDate, deadline: stored.deadline))
    }
    guard let answer = given else { return try await settle(stored, .declined) }
    // The host may have taken its time.
    guard now() < stored.deadline else { return try await settle(stored, .missed) }
    var prepared = stored
    prepared.note(purchase)
    prepared.answer = try answer.text(for: stored.vendor)
    guard try await keep(prepared, replacing: stored.answer) else { return }
    // The database may have taken its time too.
    guard now() < stored.deadline else { return try await settle(prepared, .missed) }
    try await send(
      answer, to: prepared, of: asker, about: purchase, kept == nil ? .sending : .sendingAgain)
  }

  private func send(
    _ answer: ConsumptionAnswer, to prepared: ConsumptionCase, of asker: any RefundAsker,
    about purchase: ReviewedPurchase, _ step: RefundStep
  ) async throws {
    do {
      try await asker.send(
        answer, to: prepared, about: purchase, patience: patience(for: prepared))
    } catch {
      switch asker.verdict(on: error, in: step) {
      case .taken(let incident): report(incident)
      case .final(let incident):
        if let incident { report(incident) }
        return try await settle(prepared, .refused)
      case .faulty(let incident):
        report(incident)
        try await forgetAnswer(to: prepared, after: step, andProposal: true)
        throw error
      case .refused(let incident):
        report(incident)
        try await forgetAnswer(to: prepared, after: step)
        throw error
      case .passing:
        try await forgetAnswer(to: prepared, after: step)
        throw error
      case .unknown: throw error
      case .cancelled: throw CancellationError()
      }
    }
    try await settle(prepared, .answered)
  }

  private func patience(for question: ConsumptionCase) -> Duration {
    min(Self.patience, .seconds(max(0.001, question.deadline.timeIntervalSince(now()))))
  }

  // MARK: Records

  /// Keeps what is known and about to be sent; returns false if the question does not wait any more.
  ///
  /// - Throws: ``Failure/answeredElsewhere`` if it waits with another answer than `answer`, or before an answer is sent for
  ///   the first time, if a person has proposed another one meanwhile.
  private func keep(_ question: ConsumptionCase, replacing answer: String?) async throws -> Bool {
    try await store.write { records in
      guard var row = try await records.consumption.find(key: question.key), row.state == .waiting
      else { return false }
      let isFirst = question.answer != nil && answer == nil
      guard !isFirst || row.hasProposal(question.proposedAnswer) else {
        throw Failure.answeredElsewhere
      }
      (row.originalTransactionID, row.productID) = (
        question.originalTransactionID, question.productID
      )
      row.answer = question.answer
      guard try await records.consumption.prepare(row, replacing: answer) else {
        throw Failure.answeredElsewhere
      }
      return true
    }
  }

  /// Forgets an answer that has not arrived, so that the host is asked anew; one that was sent before may have.
  ///
  /// A person's answer that was refused is forgotten too, unless another one was proposed meanwhile.
  private func forgetAnswer(
    to question: ConsumptionCase, after step: RefundStep, andProposal isRefused: Bool = false
  ) async throws {
    guard step == .sending else { return }
    try await store.writeDespiteCancellation { records in
      guard var row = try await records.consumption.find(key: question.key) else { return }
      row.answer = nil
      if isRefused, row.hasProposal(question.proposedAnswer) { row.proposedAnswer = nil }
      _ = try await records.consumption.prepare(row, replacing: question.answer)
    }
  }

  /// Keeps the state of a question, also where the task was cancelled.
  ///
  /// - Throws: ``Failure/answeredElsewhere`` if it waits with another answer than that of `question`.
  private func settle(_ question: ConsumptionCase, _ state: ConsumptionCase.State) async throws {
    let moment = now()
    try await store.writeDespiteCancellation { records in
      guard let stored = try await records.consumption.find(key: question.key),
        stored.state == .waiting
      else { return }
      // Nothing is declined that a person has answered meanwhile.
      guard stored.answer.map(UniqueText.init) == question.answer.map(UniqueText.init),
        state != .declined || stored.hasProposal(question.proposedAnswer)
      else { throw Failure.answeredElsewhere }
      try await records.consumption.settle(
        key: question.key, state: state, answer: question.answer, now: moment)
    }
    if state == .missed { report(.consumptionMissed(question.vendor)) }
  }
}

extension ConsumptionCase {
  /// Whether a text is the proposed answer, byte by byte; nil is none.
  fileprivate func hasProposal(_ text: String?) -> Bool {
    proposedAnswer.map(UniqueText.init) == text.map(UniqueText.init)
  }

  /// Notes what the store told about the purchase just now.
  fileprivate mutating func note(_ purchase: ReviewedPurchase) {
    guard case .google(let reviewed) = purchase else { return }
    if let id = reviewed.order.purchaseToken.flatMap({ TransactionIDs.googleOriginal(of: $0) }) {
      originalTransactionID = id
    }
    productID = reviewed.order.lineItems.first?.productID.fitting(.productID) ?? productID
  }
}

extension ConsumptionAnswer {
  /// Returns the text that is kept, without the token of the question.
  fileprivate func text(for vendor: Vendor) throws -> String {
    guard self.vendor == vendor else { throw ConsumptionDelivery.Failure.otherStore }
    let text = String(decoding: json.serialized, as: UTF8.self)
    guard StoredText.fits(text, .answer) else {
      throw ConsumptionDelivery.Failure.answerTooLong(
        limit: StoredText.Shape.answer.lengths.upperBound)
    }
    return text
  }

  private var json: JSONValue {
    switch self {
    case .information(let request): return request.json
    case .data(let request): return request.json
    case .review(var review):
      review.pendingRefundToken = ""
      return review.json
    }
  }
}
