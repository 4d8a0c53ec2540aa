internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

enum SharedStoreLaws {
  /// The laws of two handles to the same data, such as those of two processes.
  static let all: [Law<StoreHandles>] = [
    Law("What one handle has written the other sees") { handles in
      let (one, other) = (handles[0], handles[1])
      try await one.save(Sample.subscription())
      try await other.setOwner("member")
      try expect(
        "the owner", try await one.subscription()?.subscription.owner, is: "member")
    },
    Law("What one handle has not finished the other does not see") { handles in
      try await handles.expectUnfinishedIsUnseen()
    },
    Law("Of 64 claims by two handles exactly one gets a free subscription") { handles in
      try await handles.expectOneClaimWins()
    },
    Law("8 workers with two handles never lease the same row, and together get all") { handles in
      try await handles.expectLeasesAreApart()
    },
    Law("Unique keys hold over both handles") { handles in
      let (one, other) = (handles[0], handles[1])
      try await one.insert(try Sample.appleMembership("first", of: "1001"))
      try await expectFailure("StorageFailure.duplicate(.originalTransactionID)") {
        try await other.insert(try Sample.appleMembership("second", of: "1001"))
      } isAccepted: {
        $0 == .duplicate(.originalTransactionID)
      }
    },
  ]
}
