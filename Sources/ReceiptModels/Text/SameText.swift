extension String {
  /// Whether both are the same byte for byte, as identifiers have to be (contract, section 2.1).
  ///
  /// Swift's `==` also accepts what Unicode counts as equivalent, such as the Kelvin sign for K.
  package func isSameText(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}
