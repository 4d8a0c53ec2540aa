import CreditPolicy
import Foundation

/// A row of the table of account tokens (credit rules, section 2).
struct TokenRow {
  /// A token beside the signed one.
  enum Token: CaseIterable {
    case absent, equal, different

    var uuid: UUID? {
      switch self {
      case .absent: nil
      case .equal: UUID(uuidString: "6F1C3A52-0C1E-4F57-9A55-0D3B1C7E9A10")
      case .different: UUID(uuidString: "11111111-0C1E-4F57-9A55-0D3B1C7E9A10")
      }
    }
  }

  var request: Token
  var isSigned: Bool
  var host: Token

  /// Without a signed token there is nothing to be equal to, so that no token is called different.
  static let all: [TokenRow] = [false, true].flatMap { isSigned in
    Token.allCases.flatMap { request in
      Token.allCases.map { TokenRow(request: request, isSigned: isSigned, host: $0) }
    }
  }.filter { $0.isSigned || ($0.request != .different && $0.host != .different) }

  var markdown: String {
    var claim = TableScene.claim
    claim.appAccountToken = request.uuid
    var purchase = TableScene.purchase
    purchase.appAccountToken = isSigned ? Token.equal.uuid : nil
    let objection = GrantProposal(
      claim: claim, product: TableScene.product, purchase: purchase, hostToken: host.uuid
    ).objection
    return RuleTables.row([
      word(request, absent: "absent or null"), isSigned ? "present" : "absent",
      word(host, absent: "unknown"), objection == nil ? "passes" : "refused",
      objection?.reason.map { "`\($0)`" } ?? "",
    ])
  }

  private func word(_ token: Token, absent: String) -> String {
    switch token {
    case .absent: absent
    case .equal: isSigned ? "equal" : "present"
    case .different: "different"
    }
  }
}
