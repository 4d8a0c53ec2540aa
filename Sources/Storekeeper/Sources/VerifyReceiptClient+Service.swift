internal import ReceiptModels
public import ReceiptVerifier

extension VerifyReceiptClient.Configuration {
  /// What a ``SubscriptionService`` wants of its client.
  ///
  /// Purchases of both environments are accepted, as which of them may change a membership is for the
  /// policy to say. A receipt of the Sandbox that was sent to Production is verified at the Sandbox, as
  /// App Review needs it; never the other way round.
  ///
  /// Source: contract on linking, section 4.1.
  public static var subscriptionService: VerifyReceiptClient.Configuration {
    var configuration = VerifyReceiptClient.Configuration()
    configuration.environments = [.production, .sandbox]
    configuration.fallbacks = [.sandbox]
    return configuration
  }
}
