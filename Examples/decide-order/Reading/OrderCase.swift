import OrderPolicy
import Foundation
import JSONValues
import ReceiptModels
import StorekeeperToolSupport

/// A vendor's word about an order or a stored subscription, beside what is stored.
struct OrderCase {
  /// The purpose of the question to the vendor.
  enum Purpose: String, CaseIterable {
    case order, revalidation
  }

  /// The subject of the vendor's word.
  enum Subject {
    case order(SubscriptionOrder)
    case stored(OrderedSubscription)
  }

  var subject: Subject
  var word: VendorAnswer
  var levels: SubscriptionLevels
  var environments = CountedEnvironments.all
  var situation: OrderSituation
  var now: Date

  /// Reads a line; members that it does not know are left out.
  init(_ members: LineMembers) throws(LineFailure) {
    now = try members.moment("now")
    levels = try members.levels()
    environments = try members.countedEnvironments()
    let userID = try members.required("userId", .string, try members.accountID("userId"))
    let stored = try members.stored(of: userID)
    let purpose = try members.choice("purpose") ?? Purpose.order
    let vendor: Vendor
    switch purpose {
    case .order:
      vendor = Vendor(rawValue: try members.neededText("vendor"))
      let receiptData = try members.text("receiptData") ?? "-"
      subject = .order(
        SubscriptionOrder(userID: userID, vendor: vendor, receiptData: receiptData))
    case .revalidation:
      let stored = try members.required("stored", .object, stored)
      vendor = stored.vendor
      subject = .stored(stored)
    }
    word = try members.vendorAnswer(of: vendor, besides: stored)
    let claims = try members.claims()
    situation = OrderSituation(
      subscription: stored, markedUser: try members.accountID("markedUser"))
    situation.mayMove = try members.flag("mayMove") ?? false
    guard case .valid(let purchase) = word else { return }
    situation.owner = claims[Claim(purchase.purchaseKey)]
    situation.linkedOwner =
      purchase.linkedPurchaseKeys.lazy.compactMap { claims[Claim($0)] }.first
  }

  var answer: Answer {
    switch subject {
    case .order(let order):
      answer(
        to: OrderDecision(
          on: order, word, levels: levels, environments: environments, situation, at: now))
    case .stored(let row):
      answer(
        to: RevalidationDecision(
          of: row, word, levels: levels, environments: environments, situation, at: now), row)
    }
  }

  private func answer(to decision: OrderDecision) -> Answer {
    switch decision {
    case .accept(let row): return shown("accept", row, claims: true)
    case .keep(let row):
      var answer = shown("keep", row, claims: true)
      if answer.subscription == nil {
        answer.code = ExplicitFailure.Reason.unknownProduct.rawValue
        answer.status = 422
      }
      return answer
    case .refuse(let reason, let removesSubscription):
      var answer = Answer("refuse")
      answer.code = reason.rawValue
      answer.status = 422
      answer.stored = removesSubscription ? nil : situation.subscription
      return answer
    case .unavailable(let failure):
      var answer = Answer("unavailable")
      answer.status = 503
      answer.retryAfter = Self.seconds(failure)
      answer.stored = situation.subscription
      return failed(answer, failure)
    @unknown default: return Answer("unknown")
    }
  }

  private func answer(
    to decision: RevalidationDecision, _ stored: OrderedSubscription
  ) -> Answer {
    switch decision {
    case .update(let row): return shown("update", row, claims: true)
    case .remove(let reason):
      var answer = Answer("remove")
      answer.code = reason.rawValue
      return answer
    case .keep(let failure):
      return failed(shown("keep", stored, claims: false), failure)
    @unknown default: return Answer("unknown")
    }
  }

  private func shown(_ decision: String, _ row: OrderedSubscription, claims: Bool) -> Answer {
    var answer = Answer(decision)
    answer.stored = row
    let level = row.counts(in: environments) ? levels.level(named: row.levelName) : nil
    answer.subscription = level.map {
      UserSubscription(
        level: $0, vendor: row.vendor, environment: row.environment, expiration: row.expiration)
    }
    if claims, case .valid(let purchase) = word { answer.claim = purchase.purchaseKey.identifier }
    return answer
  }

  private func failed(_ answer: Answer, _ failure: IncidentalFailure) -> Answer {
    var answer = answer
    answer.code = failure.reason.rawValue
    answer.needsAttention = failure.needsAttention
    return answer
  }

  /// The pause that the vendor asked for, rounded up, or else half a minute.
  private static func seconds(_ failure: IncidentalFailure) -> Int {
    guard let (seconds, attoseconds) = failure.retryAfter?.components else { return 30 }
    return Int(clamping: attoseconds > 0 ? seconds + 1 : seconds)
  }
}
