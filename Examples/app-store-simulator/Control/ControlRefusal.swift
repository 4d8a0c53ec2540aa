import HTTPMessages
import StoreSimulators

/// The reason why the simulator refuses a request.
enum ControlRefusal: Error, Hashable, Sendable {
  case unknownRoute
  case methodNotAllowed([HTTPRequestMethod])
  /// The request comes from a page of another site.
  case foreign
  case bodyTooLarge
  case malformedBody
  /// A member of the body or a parameter of the query is missing or has an invalid value.
  case invalid(String)
  case unknownProduct(String)
  case unknownSubscription
  /// The customer has an active subscription already.
  case running
  case notRunning
  case doesNotRenew
  /// The charge was refunded before.
  case refunded
  /// The charge was not refunded, or the refund was reversed.
  case notRefunded
  /// The customer has not asked for a refund.
  case notRequested
  /// Apple does not extend the subscription.
  case notExtensible
  /// The customer may not redeem the offer.
  case offerNotAvailable
  /// The product has no plan with a commitment.
  case noCommitment
  /// The purchase was paid by its customer.
  case notShared
  /// The purchase would be shared with the one who paid for it.
  case sharedWithBuyer
  /// Consumables are not shared.
  case notShareable
  /// There is no address for notifications of version 2.
  case noWebhook
  /// There is no address for pushes.
  case noPushURL
  /// The Play store refuses a call.
  case play(PlayStoreFailure)

  init(_ failure: SimulatorFailure) {
    switch failure {
    case .subscriptionRunning: self = .running
    case .unknownProduct(let id): self = .unknownProduct(id)
    case .alreadyRefunded: self = .refunded
    case .refundNotRequested: self = .notRequested
    case .notExtensible: self = .notExtensible
    case .notRunning: self = .notRunning
    case .offerNotAvailable: self = .offerNotAvailable
    case .noCommitment: self = .noCommitment
    case .notShared: self = .notShared
    case .sharedWithBuyer: self = .sharedWithBuyer
    case .notShareable: self = .notShareable
    default: self = .unknownSubscription
    }
  }

  var status: HTTPStatusCode {
    switch self {
    case .malformedBody, .invalid: .badRequest
    case .foreign: .forbidden
    case .unknownRoute, .unknownProduct, .unknownSubscription: .notFound
    case .methodNotAllowed: .methodNotAllowed
    case .running, .notRunning, .doesNotRenew, .refunded, .notRefunded, .notRequested,
      .notExtensible, .offerNotAvailable, .noCommitment, .notShared, .sharedWithBuyer,
      .notShareable,
      .noWebhook,
      .noPushURL:
      .conflict
    case .bodyTooLarge: .contentTooLarge
    case .play(let failure): failure.status
    }
  }

  var message: String {
    switch self {
    case .unknownRoute: "There is nothing here"
    case .methodNotAllowed: "This path does not take that method"
    case .foreign: "Only pages of the simulator itself may control it"
    case .bodyTooLarge: "The body is too long"
    case .malformedBody: "The body has to be a JSON object"
    case .invalid(let name): "\(name) is missing or has a value that cannot be used"
    case .unknownProduct: "No such product is for sale"
    case .unknownSubscription: "There is no such subscription"
    case .running: "The customer has a running subscription; upgrade it instead"
    case .notRunning: "The subscription does not run"
    case .doesNotRenew: "Automatic renewal is off; the customer has to buy again"
    case .refunded: "That charge was refunded before"
    case .notRefunded: "That charge is not refunded"
    case .notRequested: "Nobody has asked for a refund of that charge"
    case .notExtensible: "Apple extends running subscriptions only, twice a year, and no free ones"
    case .offerNotAvailable: "Apple does not give this offer to the customer"
    case .noCommitment: "The product has no plan with a commitment"
    case .notShared: "The customer paid for it; refund it instead"
    case .sharedWithBuyer: "The customer has it already"
    case .notShareable: "A consumable cannot be shared"
    case .noWebhook: "There is no webhook for notifications of version 2"
    case .noPushURL: "There is no address for pushes"
    case .play(let failure): failure.message
    }
  }
}
