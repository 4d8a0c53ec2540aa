import CreditPolicy
import Foundation
import Testing

/// The account token in a place: absent, the one of this test, or another.
enum Presence: CaseIterable {
  case absent, present, different

  var uuid: UUID? {
    switch self {
    case .absent: nil
    case .present: token
    case .different: otherToken
    }
  }
}

@Suite("Account tokens of a purchase")
struct TokenTableTests {
  /// The table of the credit rules, section 2; "present" in the JWS is always the same token.
  @Test(
    "follow every row of the table",
    arguments: [
      // request, JWS, host, passes
      (Presence.absent, Presence.absent, Presence.absent, true),
      (.absent, .absent, .present, true),
      (.absent, .present, .absent, true),
      (.absent, .present, .present, true),
      (.absent, .present, .different, false),
      (.present, .absent, .absent, false),
      (.present, .absent, .present, false),
      (.different, .present, .absent, false),
      (.different, .present, .present, false),
      (.different, .present, .different, false),
      (.present, .present, .absent, true),
      (.present, .present, .present, true),
      (.present, .present, .different, false),
    ])
  func table(request: Presence, signed: Presence, host: Presence, passes: Bool) {
    let scene = GrantCase {
      $0.claim.appAccountToken = request.uuid
      $0.purchase.appAccountToken = signed.uuid
      $0.hostToken = host.uuid
    }
    #expect(scene.proposal.objection == (passes ? nil : .appAccountTokenMismatch))
    if !passes { #expect(scene.decision == .refuse(.appAccountTokenMismatch)) }
  }

  @Test("ignore case")
  func anyCase() {
    let scene = GrantCase {
      $0.claim.appAccountToken = uuid(token.uuidString.lowercased())
      $0.purchase.appAccountToken = uuid(token.uuidString.uppercased())
    }
    #expect(scene.proposal.objection == nil)
  }
}
