public import EntitlementPolicy
internal import JSONValues
internal import PurchaseStorage
public import ReceiptModels

extension EntitlementService {
  /// Returns the products that a user may use in an app now, and the reasons, from what is stored; Apple is not
  /// asked.
  ///
  /// An unknown user has nothing. Source: entitlement rules, section 5.
  ///
  /// - Throws: ``EntitlementFailure/unknownApp``.
  public func products(
    of userID: AccountID, in bundleID: String
  ) async throws -> Entitlements {
    try await products(of: userID, in: bundleID, boughtIn: nil)
  }

  /// Returns the products as ``products(of:in:)`` does, of purchases in some of the environments that count for the
  /// user alone; nil for all of these.
  func products(
    of userID: AccountID, in bundleID: String, boughtIn environments: Set<AppStoreEnvironment>?
  ) async throws -> Entitlements {
    var app = try await app(bundleID, for: userID)
    if let environments {
      let counted = app.options.environments.environments.intersection(environments)
      app = app.counting(CountedEnvironments(counted))
    }
    let bundleIDs = app.readBundleIDs
    let rows = try await store.read { try await $0.holdings(of: userID, in: bundleIDs) }
    return rows.entitlements(in: app, among: apps, at: now())
  }

  /// Returns whether a user subscribes to an app, for another app or service that asks, with the age of the answer.
  ///
  /// Only what is stored for that app counts; an unknown user is no subscriber. Source: entitlement rules, section
  /// 6.3.
  ///
  /// - Throws: ``EntitlementFailure/unknownApp``.
  public func isSubscriber(
    _ userID: AccountID, of bundleID: String
  ) async throws -> SubscriberAnswer {
    let app = try await app(bundleID, for: userID)
    let rows = try await store.read { try await $0.holdings(of: userID, in: [app.bundleID]) }
    return SubscriberAnswer(
      of: rows.purchases(of: app), validation: rows.presentValidations.first,
      options: app.options, at: now())
  }

  /// Acquires a product for a user through the user's subscription, once.
  ///
  /// Source: entitlement rules, section 5.4.
  ///
  /// - Throws: ``EntitlementFailure/refused(_:)`` or ``EntitlementFailure/unknownApp``.
  @discardableResult
  public func acquire(
    _ productID: String, for userID: AccountID, in bundleID: String
  ) async throws -> AcquisitionAnswer {
    try await acquire(for: userID, in: app(bundleID, for: userID)) { $0.acquisition(of: productID) }
  }

  /// Acquires every product that a user's subscription unlocks and that the user has not acquired; possibly none.
  ///
  /// Source: entitlement rules, section 5.4.
  ///
  /// - Throws: As ``acquire(_:for:in:)``.
  @discardableResult
  public func acquireAll(
    for userID: AccountID, in bundleID: String
  ) async throws -> AcquisitionAnswer {
    try await acquire(for: userID, in: app(bundleID, for: userID)) { $0.acquisitionOfAll() }
  }

  private func acquire(
    for userID: AccountID, in app: EntitledApp,
    _ decide: @escaping @Sendable (Entitlements) -> Acquisition
  ) async throws -> AcquisitionAnswer {
    let (now, apps) = (now(), apps)
    return try await UniqueConflicts.retrying {
      try await store.write { records in
        // Uploads wait, so that the answer lists all that was seen before the products.
        for bundleID in app.readBundleIDs.uniqueInOrderOfBytes {
          _ = try await records.validations.find(userID, bundleID: bundleID)
        }
        var rows = try await records.holdings(of: userID, in: app.readBundleIDs)
        let before = rows.entitlements(in: app, among: apps, at: now)
        switch decide(before) {
        case .refused(let refusal): throw EntitlementFailure.refused(refusal)
        case .alreadyHeld, .acquire([], _):
          return AcquisitionAnswer(created: [], entitlements: before)
        case .acquire(let products, let via):
          let new = products.map {
            AcquiredProduct(productID: $0, acquiredDate: now, viaProductID: via)
          }
          let created = try await records.acquisitions.add(new, to: userID, in: app.bundleID)
          rows.acquired += new
          return AcquisitionAnswer(
            created: created, entitlements: rows.entitlements(in: app, among: apps, at: now))
        }
      }
    }
  }

  /// Takes a purchase from a user, for support staff; returns false if it was not the user's.
  ///
  /// What the user acquired stays. Afterwards the purchase may be associated with another user, unless this one has
  /// linked or ordered it too. Source: entitlement rules, section 7.
  @discardableResult
  public func dissociate(
    _ originalTransactionID: String, from userID: AccountID, in bundleID: String
  ) async throws -> Bool {
    try await store.write { records in
      let removed = try await records.associations.remove(
        originalTransactionID: originalTransactionID, of: userID, bundleID: bundleID)
      // Waits for a unit of work that may be answering with the purchase.
      for association in removed {
        _ = try await records.validations.find(userID, bundleID: association.bundleID)
      }
      return !removed.isEmpty
    }
  }
}

/// The answer to a request to acquire products.
public struct AcquisitionAnswer: Sendable {
  /// The products that the request acquired, in ascending order of their bytes.
  public let created: [String]
  public let entitlements: Entitlements
}
