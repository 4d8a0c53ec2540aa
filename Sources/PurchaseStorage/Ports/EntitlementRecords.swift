public import EntitlementPolicy
internal import JSONValues
public import ReceiptModels

/// The records of entitlements, beside those that all capabilities have in common.
///
/// The purchases themselves are among the common records (``PurchaseRecords/purchases``). Units of work that need
/// several of them lock in the order association, evidence, validation, acquisition. Source: entitlement rules,
/// section 4.
public protocol EntitlementRecords {
  var associations: any AssociationRepository { get }
  var acquisitions: any AcquisitionRepository { get }
  var validations: any ValidationRepository { get }

  /// Returns everything that is stored about a user for some apps, each row once; acquired products are
  /// those of the first app.
  ///
  /// For units of work that only read; one that writes locks the rows of the repositories. A store may
  /// read all of it in one exchange with its server; the default asks for one after the other.
  /// `purchases` are those of the same unit of work; a store that
  /// reads all at once may ignore them.
  func holdings(
    of userID: AccountID, in bundleIDs: [String], purchases: any PurchaseRepository
  ) async throws -> HoldingRows
}

extension EntitlementRecords {
  /// Asks for one after the other.
  public func holdings(
    of userID: AccountID, in bundleIDs: [String], purchases: any PurchaseRepository
  ) async throws -> HoldingRows {
    var rows = HoldingRows(
      associations: try await associations.associations(of: userID, in: bundleIDs))
    let groups = Dictionary(grouping: rows.associations, by: \.environment)
    for (environment, associations) in groups {
      let ids = associations.map(\.originalTransactionID)
      rows.transactions += try await purchases.transactions(of: ids, environment: environment)
      rows.renewals += try await purchases.renewals(of: ids, environment: environment)
      rows.unanswered += try await validations.unanswered(ids, environment: environment)
    }
    if let first = bundleIDs.first {
      rows.acquired = try await acquisitions.products(of: userID, in: first)
    }
    for bundleID in bundleIDs.uniqueInOrderOfBytes {
      if let state = try await validations.find(userID, bundleID: bundleID) {
        rows.validations.append(state)
      }
    }
    return rows
  }
}

/// The products that users acquired through subscriptions, each once for a user and an app.
///
/// Texts are compared byte by byte.
public protocol AcquisitionRepository {
  /// Adds the products that are not stored yet, and returns those, in ascending order of their bytes; a stored one
  /// stays as it is.
  ///
  /// Of several acquisitions of one product the first is added. Rows are inserted in ascending order of the products'
  /// bytes. If another unit of work is adding one of them, this waits for its end: of any number of equal calls, one
  /// adds it.
  func add(
    _ products: [AcquiredProduct], to userID: AccountID, in bundleID: String
  ) async throws -> [String]

  /// Returns the products of a user in an app, in ascending order of their bytes.
  func products(of userID: AccountID, in bundleID: String) async throws -> [AcquiredProduct]
}

/// The rows of a user for some apps in no particular order, as one unit of work reads them.
///
/// Source: entitlement rules, sections 4 and 5.
public struct HoldingRows: Sendable {
  public var associations: [PurchaseAssociation]
  /// Those of the associated purchases, each with its environment.
  public var transactions: [PurchaseRecord]
  /// Those of the associated purchases, each with its environment.
  public var renewals: [RenewalRecord]
  /// The associated purchases whose present state could not be learned.
  public var unanswered: [UnansweredPurchase]
  /// The products that the user acquired in the first of these apps.
  public var acquired: [AcquiredProduct]
  public var validations: [AppValidation]

  /// Creates rows.
  public init(
    associations: [PurchaseAssociation] = [], transactions: [PurchaseRecord] = [],
    renewals: [RenewalRecord] = [], unanswered: [UnansweredPurchase] = [],
    acquired: [AcquiredProduct] = [],
    validations: [AppValidation] = []
  ) {
    self.associations = associations
    self.transactions = transactions
    self.renewals = renewals
    self.unanswered = unanswered
    self.acquired = acquired
    self.validations = validations
  }
}
