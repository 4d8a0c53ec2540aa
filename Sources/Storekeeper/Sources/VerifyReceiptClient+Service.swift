internal import ReceiptModels
public import ReceiptVerifier

extension VerifyReceiptClient.Configuration {
  /// The configuration of a client for a ``SubscriptionService``.
  ///
  /// Purchases of both environments are accepted, because the policy decides which of them may
  /// change a membership. A Sandbox receipt that was sent to Production is verified at the Sandbox,
  /// which App Review requires. A Production receipt is never verified at the Sandbox.
  ///
  /// Source: linking rules, section 4.1.
  public static var subscriptionService: VerifyReceiptClient.Configuration {
    var configuration = VerifyReceiptClient.Configuration()
    configuration.environments = [.production, .sandbox]
    configuration.fallbacks = [.sandbox]
    return configuration
  }
}
