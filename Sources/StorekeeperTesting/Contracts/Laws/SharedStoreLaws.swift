internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

extension SharedStoreLaw {
  /// Two handles to the same data, as two processes have them.
  static let all: [SharedStoreLaw] = [
    SharedStoreLaw("What one handle has written the other sees") { one, other in
      try await one.save(Sample.subscription())
      try await other.setOwner("member")
      try expect(
        "the owner", try await one.subscription()?.subscription.owner, is: "member")
    },
    SharedStoreLaw("What one handle has not finished the other does not see") { one, other in
      try await StoreHandles(one, other).expectUnfinishedIsUnseen()
    },
    SharedStoreLaw("Of 64 claims by two handles exactly one gets a free subscription") {
      one, other in
      try await StoreHandles(one, other).expectOneClaimWins()
    },
    SharedStoreLaw("8 workers with two handles never lease the same row, and together get all") {
      one, other in
      try await StoreHandles(one, other).expectLeasesAreApart()
    },
    SharedStoreLaw("Unique keys hold over both handles") { one, other in
      try await one.insert(try Sample.appleMembership("first", of: "1001"))
      try await expectFailure("StorageFailure.duplicate(.originalTransactionID)") {
        try await other.insert(try Sample.appleMembership("second", of: "1001"))
      } isAccepted: {
        $0 == .duplicate(.originalTransactionID)
      }
    },
  ]
}
