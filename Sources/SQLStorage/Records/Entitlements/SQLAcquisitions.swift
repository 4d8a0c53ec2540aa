internal import JSONValues
internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLAcquisitions: AcquisitionRepository {
  let session: SQLSession

  func add(
    _ products: [AcquiredProduct], to userID: AccountID, in bundleID: String
  ) async throws -> [String] {
    let dialect = session.connection.dialect
    let calls = AcquisitionGroup.groups(of: products).map { group in
      SQLCall(
        .addAcquired(dialect),
        [
          .name(userID), .text(bundleID), SQLTextList(group.products).value(dialect),
          group.acquiredDate, group.viaProductID,
        ])
    }
    return try await session.query(calls).joined().compactMap(\.first?.name).map(UniqueText.init)
      .sorted().map(\.text)
  }

  func products(of userID: AccountID, in bundleID: String) async throws -> [AcquiredProduct] {
    let call = SQLCall.acquiredProducts(of: userID, in: bundleID)
    return try await session.query(call.statement, call.values).map(AcquiredProduct.init(row:))
  }
}

/// Products next to each other in the order of bytes, acquired at the same moment through the same product:
/// usually all of a call.
private struct AcquisitionGroup {
  let acquiredDate: SQLValue
  let viaProductID: SQLValue
  var products: [String]

  /// Groups in the order of bytes, in which rows are inserted and those of others are waited for.
  static func groups(of products: [AcquiredProduct]) -> [AcquisitionGroup] {
    var groups: [AcquisitionGroup] = []
    var last: UniqueText?
    // Sorting is stable: of several acquisitions of one product the first is added.
    for product in products.sorted(by: { UniqueText($0.productID) < UniqueText($1.productID) }) {
      let id = UniqueText(product.productID)
      if id == last { continue }
      last = id
      let group = AcquisitionGroup(
        acquiredDate: .milliseconds(product.acquiredDate),
        viaProductID: .text(product.viaProductID),
        products: [product.productID])
      if let index = groups.indices.last, groups[index].isLike(group) {
        groups[index].products.append(product.productID)
      } else {
        groups.append(group)
      }
    }
    return groups
  }

  private func isLike(_ other: AcquisitionGroup) -> Bool {
    guard case .text(let one) = viaProductID, case .text(let another) = other.viaProductID else {
      return false
    }
    return acquiredDate == other.acquiredDate && one.isSameText(as: another)
  }
}

extension AcquiredProduct {
  /// Reads a row of `acquired_of_user`.
  init(row: SQLRow) {
    var reader = SQLRowReader(row)
    self.init(
      productID: reader.text(),
      acquiredDate: reader.milliseconds() ?? StoredMoment.date(seconds: 0),
      viaProductID: reader.text())
  }
}

extension SQLCall {
  /// Asks for the products of a user in an app.
  static func acquiredProducts(of userID: AccountID, in bundleID: String) -> SQLCall {
    SQLCall(.acquiredOfUser, [.name(userID), .text(bundleID)])
  }
}

extension SQLStatement {
  /// Gives the products that were not stored.
  static func addAcquired(_ dialect: SQLDialect) -> SQLStatement {
    SQLInsertion(
      """
      INSERT INTO store_acquired (user_id, bundle_id, product_id, acquired_at, via_product_id)
      SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), value, CAST($4 AS BIGINT), CAST($5 AS TEXT)
      FROM \(SQLTextList.table("$3", dialect)) WHERE true
      """, key: "user_id, bundle_id, product_id"
    ).keepingStored("acquired_add", returningInserted: "product_id")
  }

  static let acquiredOfUser = SQLStatement(
    "acquired_of_user",
    """
    SELECT product_id, acquired_at, via_product_id FROM store_acquired
    WHERE user_id = $1 AND bundle_id = $2 ORDER BY product_id
    """)
}
