package import JWSVerifier
package import Storekeeper

extension PurchaseContext {
  /// Returns the context with another verifier.
  package func with(verifier: SignedDataVerifier?) -> PurchaseContext {
    var context = self
    context.verifier = verifier
    return context
  }
}
