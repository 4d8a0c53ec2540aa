package import JSONValues
package import LinkPolicy
package import ReceiptModels

/// The JSON of a membership in the current contract: twelve members, with null for nil.
///
/// Source: linking rules, section 1.3.
package struct MembershipBody: FieldModel {
  package var membership = Membership()
  var products: ProductMap = [:]

  package var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates a body, in which a word is null if neither the contract nor the host's products have
  /// it.
  package init(_ membership: Membership, products: ProductMap = [:]) {
    self.membership = membership
    self.products = products
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.nullable("ftcId", &membership.primaryID)
    try coder.nullable("unionId", &membership.secondID)
    try coder.nullableWord("tier", &membership.tier, isKnown: products.knows)
    try coder.nullableWord("cycle", &membership.cycle, isKnown: products.knows)
    try coder.nullable("expireDate", &membership.expireDate)
    try coder.nullableWord("payMethod", &membership.payMethod, isKnown: \.isKnown)
    try coder.nullableText("ftcPlanId", &membership.details.hostPlanID)
    try coder.nullableText("stripeSubsId", &membership.details.subscriptionID)
    try coder.preset("autoRenew", &membership.autoRenew)
    try coder.nullableWord("status", &membership.details.status, isKnown: \.isKnown)
    try coder.nullableText("appleSubsId", &membership.originalTransactionID)
    try coder.nullableText("b2bLicenceId", &membership.details.licenceID)
  }

  /// The nine members of the older contract, with null for nil.
  ///
  /// Source: linking rules, section 1.3.
  package var legacyJSON: JSONValue {
    var members = jsonMembers
    for name in ["ftcPlanId", "stripeSubsId", "appleSubsId", "b2bLicenceId"] {
      members[name] = nil
    }
    members["id"] = membership.id.map(JSONValue.string) ?? .null
    if membership.payMethod != .apple && membership.payMethod != .stripe {
      members["autoRenew"] = .null
    }
    return .object(members)
  }
}
