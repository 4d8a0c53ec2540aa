import CreditPolicy
import Foundation
import JSONValues
import StorekeeperToolSupport

/// A user's wish to get the credits of a purchase, beside what is stored.
struct GrantQuestion {
  var proposal: GrantProposal
  var stored: CreditTransaction?
  var isStarterUsed: Bool
  var balance: Int
  /// The number that a new row gets.
  var nextID: Int

  /// Reads a line; members that it does not know are left out.
  init(_ members: LineMembers) throws(LineFailure) {
    let products = try members.products()
    let claim = try members.claim()
    let purchase = try members.purchase(try members.transaction())
    proposal = GrantProposal(
      claim: claim, product: products[claim.productCode], purchase: purchase,
      hostToken: try members.value("hostToken", UUID.self))
    stored = try members.stored(purchase)
    isStarterUsed = try members.flag("starterUsed") ?? false
    balance = try members.balance()
    nextID = try members.nextID()
  }

  var decision: GrantDecision {
    proposal.decision(stored: stored, isStarterUsed: isStarterUsed, balance: balance)
  }

  var answer: Answer {
    var answer: Answer
    switch decision {
    case .refuse(let refusal): answer = Answer(refusing: refusal)
    case .alreadyGranted(let event):
      answer = Answer("already_granted")
      answer.creditsAdded = 0
      answer.toldBalance = balance
      answer.ledgerEventID = event
    case .grant(var row):
      row.id = row.id ?? nextID
      answer = Answer("granted")
      answer.creditsAdded = row.credits
      answer.ledgerEventID = row.ledgerEventID
      let isStarter = proposal.product?.type == .starter
      answer.writes = ["transaction"] + (isStarter ? ["claim"] : []) + ["account", "entry"]
      answer.stored = row
      let sum = balance + (row.credits ?? 0)
      answer.toldBalance = sum
      answer.entries = LedgerBooking(purchase: row).map { [($0, sum)] } ?? []
      return answer
    }
    answer.stored = stored
    return answer
  }
}
