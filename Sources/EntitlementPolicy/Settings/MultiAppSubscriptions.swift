internal import JSONValues

/// The subscriptions of other apps that count for an app.
///
/// Source: entitlement rules, section 6.1.
public struct MultiAppSubscriptions: Hashable, Sendable {
  /// A way to look for the marker in the identifier of a product.
  public enum Strategy: String, Hashable, Sendable, CaseIterable {
    case substring
    /// The marker is one of the parts of the identifier between `.` and `_`.
    case attribute
  }

  /// The apps, beside the app itself.
  public let bundledApplicationIDs: [String]
  /// The text that marks a subscription for several apps.
  public let marker: String
  public let strategy: Strategy

  /// Creates the subscriptions of other apps that count.
  ///
  /// The marker is not empty; for ``Strategy/attribute`` it has no `.` and `_`.
  public init(
    bundledApplicationIDs: [String], marker: String, strategy: Strategy = .substring
  ) throws(EntitlementOptionsFailure) {
    guard !marker.utf8.isEmpty else { throw .markerEmpty }
    if strategy == .attribute, marker.utf8.contains(where: Self.isSeparator) {
      throw .markerHasSeparator
    }
    self.bundledApplicationIDs = bundledApplicationIDs.uniqueInOrderOfBytes
    self.marker = marker
    self.strategy = strategy
  }

  /// Returns whether a product of another app is a subscription for several apps.
  public func marks(_ productID: String) -> Bool {
    switch strategy {
    case .substring: Self.contains(marker.utf8, in: productID.utf8)
    case .attribute:
      productID.utf8.split(whereSeparator: Self.isSeparator).contains {
        $0.elementsEqual(marker.utf8)
      }
    }
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
  }

  private static func contains(
    _ marker: String.UTF8View, in text: String.UTF8View
  ) -> Bool {
    var rest = text[...]
    while rest.count >= marker.count {
      if rest.starts(with: marker) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
