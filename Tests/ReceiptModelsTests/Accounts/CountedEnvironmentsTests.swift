import Foundation
import ReceiptModels
import Testing

@Suite("Environments whose purchases count (entitlement rules, section 12)")
struct CountedEnvironmentsTests {
  private let tester = Account(id: "tester", secondID: "second")
  private let other = Account(id: "ann", secondID: "union")

  @Test("environments of everybody count for whoever it is")
  func everybody() {
    let rule: CountedEnvironments = [.production]
    for account in [tester, other, nil] {
      #expect(rule.count(.production, for: account))
      #expect(!rule.count(.sandbox, for: account))
      #expect(!rule.count(.xcode, for: account))
    }
    #expect(CountedEnvironments.all == [.production, .sandbox])
    #expect(CountedEnvironments.all.count(.sandbox, for: nil))
    #expect(!CountedEnvironments.all.count(.localTesting, for: tester))
  }

  @Test("the Sandbox, and nothing else, counts for a tester by either identifier")
  func testers() {
    for id: AccountID in ["tester", "second"] {
      let rule = CountedEnvironments([.production], testers: [id])
      #expect(rule.count(.sandbox, for: tester))
      #expect(rule.count(.sandbox, for: Account(id: id)))
      #expect(rule.count(.sandbox, for: Account(secondID: id)))
      #expect(!rule.count(.sandbox, for: other))
      #expect(!rule.count(.sandbox, for: nil))
      #expect(!rule.count(.xcode, for: tester))
    }
    #expect(!CountedEnvironments([], testers: ["tester"]).count(.production, for: tester))
  }

  @Test("a rule for one account counts for that account what the whole rule does")
  func narrowed() {
    let rule = CountedEnvironments([.production], testers: ["tester"])
    #expect(rule.counting(for: tester) == [.production, .sandbox])
    #expect(rule.counting(for: other) == [.production])
    #expect(rule.counting(for: nil) == [.production])
    #expect(rule.counting(for: tester).counting(for: nil) == [.production, .sandbox])
  }

  @Test("the Sandbox counts for somebody where there is a tester")
  func somebody() {
    #expect(!CountedEnvironments([.production]).countForSomebody(.sandbox))
    #expect(CountedEnvironments([.production], testers: ["tester"]).countForSomebody(.sandbox))
    #expect(!CountedEnvironments([], testers: ["tester"]).countForSomebody(.production))
  }

  @Test("a tester ends by itself, and all do by one call; Production goes on")
  func ends() {
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    var rule = CountedEnvironments([.production], testers: ["tester", "ann"])
    rule.testerEnds = ["tester": start + 60]
    #expect(rule.count(.sandbox, for: tester, at: start + 59))
    #expect(!rule.count(.sandbox, for: tester, at: start + 60))
    #expect(rule.count(.production, for: tester, at: start + 60))
    #expect(rule.count(.sandbox, for: other, at: start + 60))
    #expect(rule.end(of: .sandbox, for: tester) == start + 60)
    #expect(rule.end(of: .sandbox, for: other) == nil)
    #expect(rule.end(of: .production, for: tester) == nil)
    #expect(rule.counting(for: tester, at: start + 60) == [.production])
    // The other identifier is a tester without an end.
    rule.testers.insert("second")
    #expect(rule.count(.sandbox, for: tester, at: start + 60))
    #expect(rule.end(of: .sandbox, for: tester) == nil)
    rule.endTesting(at: start + 90)
    #expect(rule.testerEnds == ["tester": start + 60, "second": start + 90, "ann": start + 90])
    #expect(!rule.count(.sandbox, for: tester, at: start + 90))
    #expect(!rule.count(.sandbox, for: other, at: start + 90))
    #expect(rule.end(of: .sandbox, for: tester) == start + 90)
  }
}
