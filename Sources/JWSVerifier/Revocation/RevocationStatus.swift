/// p
public enum RevocationStatus: Hashable, Sendable { 
  /// p
  case notRequested 
}
