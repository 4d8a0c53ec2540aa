import Testing

/// Records where a law does not hold; lighter than `#expect`, which matters in many thousands of them.
func hold(
  _ law: Bool, _ scene: @autoclosure () -> Any, sourceLocation: SourceLocation = #_sourceLocation
) {
  if !law { Issue.record("does not hold for \(scene())", sourceLocation: sourceLocation) }
}
