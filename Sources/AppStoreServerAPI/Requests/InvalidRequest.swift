/// A fault of a request that Apple would refuse, found before anything was sent.
///
/// Fields have Apple's names, as paths in JSON such as `items[0].SKU`, or the name of a part of the
/// path or of a parameter of the query. The value itself is left out, because it may be secret.
public struct InvalidRequest: Error, Hashable, Sendable, CustomStringConvertible {
  public let field: String
  public let fault: Fault

  /// Creates a fault of a field.
  public init(_ field: String, _ fault: Fault) {
    self.field = field
    self.fault = fault
  }

  /// A fault of a field.
  @nonexhaustive
  public enum Fault: Hashable, Sendable {
    case empty
    /// The field is missing, although another one requires it.
    case missing
    /// The field is not allowed together with another field or its value.
    case notAllowed(with: String)
    case tooLong(limit: Int, found: Int)
    case outOfRange(allowed: ClosedRange<Int>, found: Int)
    /// The identifier is not 1 to 64 ASCII digits.
    case notDigits
    /// The text contains `/`, `\`, `..` or a control character, so it is not one part of a path.
    case notPathPart
    case notUUID
    /// The text is not a code of a country in three capital letters.
    case notCountryCode
    /// The text is not a code of a currency in three capital letters.
    case notCurrencyCode
    /// The value is none of those that the call accepts.
    case notAccepted
    /// The date is not before the end of the window.
    case notBeforeEnd
    /// The window is over before Apple's history begins.
    case tooOld
    /// The numbers do not add up with another field.
    case inconsistent(with: String)
    /// The bytes are not a PNG image of an accepted size without transparency.
    case notAcceptedImage
  }

  /// The field and the fault, without the value.
  public var description: String {
    switch fault {
    case .empty: "\(field): must not be empty"
    case .missing: "\(field): is missing"
    case .notAllowed(let other): "\(field): is not allowed with \(other)"
    case .tooLong(let limit, let found): "\(field): at most \(limit), found \(found)"
    case .outOfRange(let allowed, let found):
      "\(field): \(allowed.lowerBound) to \(allowed.upperBound), found \(found)"
    case .notDigits: "\(field): must have 1 to 64 digits and nothing else"
    case .notPathPart: "\(field): must not contain a slash, a backslash, .. or a control character"
    case .notUUID: "\(field): must be a UUID"
    case .notCountryCode: "\(field): must be a country code of three capital letters"
    case .notCurrencyCode: "\(field): must be a currency code of three capital letters"
    case .notAccepted: "\(field): this value is not accepted"
    case .notBeforeEnd: "\(field): must be before the end"
    case .tooOld: "\(field): Apple's history does not reach back that far"
    case .inconsistent(let other): "\(field): does not add up with \(other)"
    case .notAcceptedImage:
      "\(field): must be a PNG image without transparency in one of Apple's sizes"
    }
  }
}
