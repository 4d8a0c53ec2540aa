/// A problem with its place in a catalogue file.
package struct CatalogFault: Error, Hashable, Sendable {
  /// The path of the value at fault.
  package var path: CatalogPath
  /// The line, from 1, or nil for JSON.
  package var line: Int?
  /// The problem.
  package var problem: CatalogProblem

  /// Creates a fault.
  package init(_ problem: CatalogProblem, at path: CatalogPath, line: Int?) {
    self.problem = problem
    self.path = path
    self.line = line
  }
}
