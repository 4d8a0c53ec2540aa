/// The secret that an app, or all apps of a developer, share with Apple.
///
/// It is sent to Apple and shown nowhere else: neither ``description`` nor the mirror has it.
///
/// Source: Apple, "Generate a shared secret to verify receipts".
public struct AppSharedSecret: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  package let text: String

  /// Takes a secret as App Store Connect shows it; its form is not looked at.
  public init(_ text: String) {
    self.text = text
  }

  /// Says that there is a secret.
  public var description: String { "redacted" }
  /// Empty.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
