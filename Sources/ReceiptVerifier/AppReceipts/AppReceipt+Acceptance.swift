internal import ReceiptModels

extension AppReceipt {
  /// The environment of a receipt that is of one of these apps, or any for nil, and of one of these
  /// environments (contract, section 6.2, step 9).
  func acceptedEnvironment(
    bundleIDs: Set<String>?, environments: Set<AppStoreEnvironment>
  ) throws(ReceiptFailure) -> AppStoreEnvironment {
    if let bundleIDs, !bundleIDs.contains(where: { $0.isSameText(as: bundleID) }) {
      throw .bundleMismatch(found: bundleID)
    }
    guard let environment = receiptType.environment else {
      throw .environmentUnknown(receiptType.rawValue)
    }
    guard environments.contains(environment) else { throw .environmentNotAllowed(environment) }
    return environment
  }
}
