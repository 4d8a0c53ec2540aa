import AppStoreServerAPI
import Foundation
import ReceiptModels
import Testing

@Suite("Questions about the transaction history")
struct TransactionHistoryRequestTests {
  static let full: TransactionHistoryRequest = {
    var request = TransactionHistoryRequest()
    request.startDate = Date(timeIntervalSince1970: 123.455)
    request.endDate = Date(timeIntervalSince1970: 123.456)
    request.productIDs = ["com.example.1", "com.example.2"]
    request.productTypes = [.consumable, .autoRenewable]
    request.subscriptionGroupIdentifiers = ["g1", "g2"]
    request.inAppOwnershipType = .assigned
    request.revoked = false
    request.sort = .descending
    return request
  }()

  @Test("have their filters in the documented order, lists repeated")
  func items() throws {
    try Self.full.validate()
    let text = Self.full.queryItems(revision: "r").map { "\($0.0)=\($0.1)" }
    #expect(
      text == [
        "revision=r", "startDate=123455", "endDate=123456", "productId=com.example.1",
        "productId=com.example.2", "productType=CONSUMABLE", "productType=AUTO_RENEWABLE",
        "subscriptionGroupIdentifier=g1", "subscriptionGroupIdentifier=g2",
        "inAppOwnershipType=ASSIGNED", "revoked=false", "sort=DESCENDING",
      ])
    #expect(TransactionHistoryRequest().queryItems(revision: nil).isEmpty)
  }

  @Test("keep a revision only without filters and ascending")
  func revision() {
    #expect(TransactionHistoryRequest().keepsRevision)
    var request = TransactionHistoryRequest()
    request.sort = .ascending
    #expect(request.keepsRevision)
    request.sort = .descending
    #expect(!request.keepsRevision)
    request = TransactionHistoryRequest()
    request.revoked = true
    #expect(!request.keepsRevision)
  }

  static let refusals: [(InvalidRequest, @Sendable (inout TransactionHistoryRequest) -> Void)] = [
    (InvalidRequest("startDate", .notBeforeEnd), { $0.endDate = $0.startDate }),
    (
      InvalidRequest("startDate", .notAccepted),
      { $0.startDate = Date(timeIntervalSince1970: .nan) }
    ),
    (InvalidRequest("productId", .empty), { $0.productIDs.append("") }),
    (
      InvalidRequest("productType", .notAccepted),
      { $0.productTypes.append(HistoryProductType(rawValue: "Consumable")) }
    ),
    (
      InvalidRequest("subscriptionGroupIdentifier", .empty),
      { $0.subscriptionGroupIdentifiers = [""] }
    ),
    (
      InvalidRequest("inAppOwnershipType", .notAccepted),
      { $0.inAppOwnershipType = .init(rawValue: "MINE") }
    ),
    (InvalidRequest("sort", .notAccepted), { $0.sort = HistorySort(rawValue: "UP") }),
  ]

  @Test("are refused with the field", arguments: refusals.indices)
  func refused(index: Int) {
    var request = Self.full
    Self.refusals[index].1(&request)
    let changed = request
    #expect(throws: Self.refusals[index].0) { try changed.validate() }
  }
}
