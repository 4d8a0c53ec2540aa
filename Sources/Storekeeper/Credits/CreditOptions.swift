internal import CreditPolicy
public import ReceiptModels

/// The settings of credits.
///
/// Source: credit rules, sections 2, 6 and 7.
public struct CreditOptions: Sendable {
  /// The environments whose purchases get credits; Production and Sandbox by default.
  ///
  /// App Review and TestFlight buy in the Sandbox, where nobody pays.
  public var environments = CountedEnvironments.all
  /// The types of notifications that take credits back.
  public var clawbackTypes = CreditNotice.clawbackTypes
  /// Returns the identity of a user, of whom each gets one starter pack, from the e-mail address.
  ///
  /// If it is empty, the user is the identity.
  public var identity: @Sendable (String?, AccountID) -> String = { email, userID in
    StarterIdentity.identity(email: email, userID: userID)
  }

  /// Creates the settings of the contract.
  public init() {}
}
