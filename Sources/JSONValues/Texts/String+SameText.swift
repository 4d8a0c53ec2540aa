extension String {
  /// Returns whether both texts are equal byte by byte, as identifiers must be.
  ///
  /// Swift's `==` also accepts canonically equivalent text, such as the Kelvin sign for K. Source: RFC 8259
  /// section 8.3; App Store rules, section 2.1.
  package func isSameText(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
