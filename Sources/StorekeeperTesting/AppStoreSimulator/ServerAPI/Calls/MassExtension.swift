internal import JSONValues
struct MassExtension: Sendable {}
struct MessagingState: Sendable {}
struct AdvancedCommerceState: Sendable {}
extension ServerAPIRoute {
  static let extensions: [ServerAPIRoute] = []
  static let groups: [ServerAPIRoute] = []
  static let messaging: [ServerAPIRoute] = []
  static let advancedCommerce: [ServerAPIRoute] = []
  static let externalPurchases: [ServerAPIRoute] = []
}
