extension SignedDataVerifier {
  /// How many headers are remembered, for tests of the bound; expired ones count until asked for.
  package var cachedHeaders: Int { cache.count }
}
