internal import HTTPMessages
internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper
internal import StorekeeperHTTP

extension DeskSite {
  // MARK: Questions that wait

  func questions(
    _ request: PageRequest, _ session: DeskSession
  ) async throws -> HTTPResponseMessage {
    let now = desk.now()
    let list = try await desk.read { records in
      try await records.consumption.waiting(at: now, limit: HeldPurchase.pageSize)
    }
    return DeskPage(self, DeskText.waitingQuestions, for: session) {
      table(of: list)
      if list.count == HeldPurchase.pageSize { p { DeskText.moreQuestions(list.count) } }
    }.response()
  }

  /// The table of questions, which the page of a purchase has as well.
  func table(of questions: [ConsumptionCase]) -> Markup {
    DeskTable(
      DeskText.questions,
      [
        DeskText.date, DeskText.transaction, DeskText.reason, DeskText.deadline, DeskText.state,
        DeskText.answer, DeskText.decision,
      ]
    ) {
      for question in questions {
        tr {
          td { moment(question.requestedDate) }
          td {
            let purchase = question.originalTransactionID
            a(.href(purchaseLink(purchase, question.environment))) { question.transactionID }
          }
          td { question.reason ?? "" }
          td { moment(question.deadline) }
          td {
            if desk.refundAnswers?.isOpen(question) ?? false {
              a(.href(link("/answer", nil, [("question", question.key)]))) { DeskText.answerIt }
            } else {
              question.state.rawValue
            }
          }
          td { question.answer ?? question.proposedAnswer ?? "" }
          td { question.outcome ?? "" }
        }
      }
    }.markup
  }

  // MARK: An answer

  /// The page on which an answer is chosen; the page of the act shows it before it is sent.
  func answering(
    _ request: PageRequest, _ session: DeskSession
  ) async throws -> HTTPResponseMessage {
    guard let key = request.parameter("question"), StoredText.fits(key, .notificationKey),
      let question = try await desk.answerable(key)
    else {
      return DeskPage(self, DeskText.questions, for: session) { p { DeskText.notAsked } }.response()
    }
    return DeskPage(self, DeskText.answerIt, for: session) {
      p { DeskText.asks(question) }
      StorekeeperDesk.form(.action(link("/act", DeskAct.Kind.answer.rawValue))) {
        input(Attribute("name", "question"), .type("hidden"), .value(key))
        let isApple = question.vendor == .apple
        choice(
          "preference", DeskText.preference,
          of: RefundAnswer.preferences(of: question.vendor) + [RefundAnswer.nothing],
          none: isApple ? DeskText.noPreference : nil)
        if isApple {
          choice("delivery", DeskText.delivered, of: RefundAnswer.deliveries, none: nil)
        }
        p {
          label(Attribute("for", "consumed")) { DeskText.consumed }
          input(
            .id("consumed"), .name("consumed"), .type("number"), Attribute("min", "0"),
            Attribute("max", "100"))
        }
        box("sample", DeskText.sample)
        if isApple { box("consent", DeskText.consent) }
        p { button(.type("submit")) { DeskText.next } }
      }
    }.response()
  }

  private func choice(
    _ name: StaticString, _ text: String, of values: [String], none: String?
  ) -> Markup {
    p {
      label(Attribute("for", "\(name)")) { text }
      select(.id("\(name)"), .name(name)) {
        if let none { option(.value("")) { none } }
        for value in values {
          option(.value(value)) { value == RefundAnswer.nothing ? DeskText.sendNothing : value }
        }
      }
    }
  }

  private func box(_ name: StaticString, _ text: String) -> Markup {
    p {
      input(.id("\(name)"), .name(name), .type("checkbox"), .value("yes"))
      label(Attribute("for", "\(name)")) { text }
    }
  }
}
