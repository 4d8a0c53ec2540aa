import LinkPolicy
import ReceiptModels
import Testing

/// One row of the contract's outcome table (section 2.3), with all the scenes that it speaks of.
struct OutcomeRow: Sendable, CustomTestStringConvertible {
  /// What a row is about: what is stored before the request of ``asking``.
  struct Scene: Sendable {
    var subscription: Subscription
    var rows: [Membership]

    init(_ subscription: Subscription, _ rows: [Membership] = []) {
      self.subscription = subscription
      self.rows = rows
    }
  }

  /// What becomes of the owner of the subscription.
  enum Claim { case unchanged, own, staysNull }
  /// Which row is copied before its change.
  enum Snap { case no, own, other }
  /// Whether there is an e-mail, and whether it has the mark of the expired.
  enum Mail { case no, yes, marked }

  /// The columns from "Outcome" to "Mail".
  enum Outcome: Sendable {
    case insert(Claim, Snap, Mail)
    case replace(Claim, Snap, Mail)
    case sync(Claim, Snap, Mail)
    case keep(Claim, Snap, Mail)
    case refuse(String, String, Claim, cheat: Bool = false)
  }

  var name: String
  var scenes: [Scene]
  var forces: [Bool]
  var stricts: [Bool]
  var current: Outcome
  /// The column "2019", with the columns before it where it says "same".
  var year2019: Outcome

  init(
    _ name: String, force: [Bool] = [false, true], strict: [Bool] = [false, true],
    _ current: Outcome, in2019: Outcome? = nil, _ scenes: [Scene]
  ) {
    self.name = name
    self.scenes = scenes
    forces = force
    stricts = strict
    self.current = current
    year2019 = in2019 ?? current
  }

  var testDescription: String { name }
}
