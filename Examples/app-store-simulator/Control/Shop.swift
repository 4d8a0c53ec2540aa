import ReceiptModels

/// An app in an environment, where customers have purchases that no other one knows.
struct Shop: Hashable, Sendable {
  let app: String
  let environment: AppStoreEnvironment
}
