import AppStoreServerAPI

extension AppStoreServerFailure.Retry {
  /// The name of the advice, without its date.
  var name: String {
    switch self {
    case .never: "never"
    case .afterBackOff: "afterBackOff"
    case .notBefore: "notBefore"
    case .otherEnvironment: "otherEnvironment"
    case .startOver: "startOver"
    }
  }
}

extension AppStoreServerFailure.UnauthorizedCause {
  /// The name of the cause, without its value.
  var name: String {
    switch self {
    case .key: "key"
    case .issuerOrBundleID: "issuerOrBundleID"
    case .clockSkew: "clockSkew"
    case .appNeverReleased: "appNeverReleased"
    }
  }
}

extension InvalidRequest.Fault {
  /// The name of the fault, without its values.
  var name: String {
    switch self {
    case .empty: "empty"
    case .missing: "missing"
    case .notAllowed: "notAllowed"
    case .tooLong: "tooLong"
    case .outOfRange: "outOfRange"
    case .notDigits: "notDigits"
    case .notPathPart: "notPathPart"
    case .notUUID: "notUUID"
    case .notCountryCode: "notCountryCode"
    case .notCurrencyCode: "notCurrencyCode"
    case .notAccepted: "notAccepted"
    case .notBeforeEnd: "notBeforeEnd"
    case .tooOld: "tooOld"
    case .inconsistent: "inconsistent"
    case .notAcceptedImage: "notAcceptedImage"
    @unknown default: "unknown"
    }
  }
}
