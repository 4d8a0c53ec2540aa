import StorekeeperHTTP
import Foundation
import LinkPolicy
import ReceiptModels

/// The contract's outcome table (section 2.3) as Markdown, each row decided anew.
///
/// Where a row speaks of several cases, such as force or not, all of them are decided; were the
/// decisions different, the row would show each.
enum OutcomeTable {
  static var markdown: String {
    let head = """
      # Who gets a subscription

      It is 2020-11-14T08:00:00Z. Unless told otherwise the subscription has no owner, is of the
      environment that is allowed, and ends on 2021-06-15. Where "claim" is written it belongs to the
      account afterwards; "dispute" is the cheat record.

      | # | membership of the account | membership of the subscription | subscription | force | current: decision | field / code | writes | 2019: decision | field / code | writes |
      | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
      | O1 | the account is unknown | | | any | decided before the policy: 404 | | | decided before the policy: 404 | | |
      | O2 | any | any | not stored | any | decided before the policy: 404 | | | cannot occur: the receipt brings it | | |

      """
    return head + OutcomeTableRow.all.map { $0.markdown + "\n" }.joined()
  }
}

extension OutcomeTableRow {
  fileprivate var markdown: String {
    let force = forces.count > 1 ? "any" : "\(forces[0])"
    let cells =
      [number, ofAccount, ofSubscription, subscription, force] + cells(.current) + cells(.legacy)
    return "| " + cells.joined(separator: " | ") + " |"
  }

  /// Decision, field and code, writes.
  private func cells(_ contract: Question.Contract) -> [String] {
    let answers = questions(under: contract).map { Answer(to: $0) }
    return [
      Self.distinct(answers.map(\.decision.outcome.name)),
      Self.distinct(answers.map { $0.refusal.map { "`\($0.field)` / `\($0.code)`" } ?? "" }),
      Self.distinct(answers.map { $0.writes.joined(separator: ", ") }),
    ]
  }

  private static func distinct(_ texts: [String]) -> String {
    var seen: [String] = []
    for text in texts where !seen.contains(text) { seen.append(text) }
    return seen.joined(separator: " or ")
  }

  private func questions(under contract: Question.Contract) -> [Question] {
    cases.flatMap { scene in
      forces.flatMap { force in
        stricts.map { strict in
          var options = contract.options
          options.isSwitchStrict = strict
          return Question(scene, force: force, contract: contract, options: options)
        }
      }
    }
  }
}

extension Question {
  fileprivate init(
    _ scene: OutcomeTableRow.Case, force: Bool, contract: Contract, options: LinkOptions
  ) {
    action = .link
    now = OutcomeTableRow.now
    self.force = force
    self.contract = contract
    self.options = options
    account = OutcomeTableRow.account
    subscription = scene.subscription
    accountMembership = scene.ofAccount
    subscriptionMembership = scene.ofSubscription
  }
}
