package import JSONValues

/// A value that Google sent.
///
/// The whole JSON is kept, so that members which this version doesn't know are there, and are written
/// again. Descriptions and mirrors name the members without their values, because many values are
/// purchase tokens or identify a user.
package protocol GoogleModel: JSONModel, CustomStringConvertible, CustomReflectable {}

extension GoogleModel {
  /// The names of the members, without their values.
  public var description: String {
    "\(Self.self)(\(memberNames.joined(separator: ", ")))"
  }

  /// A mirror with the names of the members, without their values.
  public var customMirror: Mirror { Mirror(self, children: ["members": memberNames]) }

  private var memberNames: [String] {
    guard case .object(let members) = json else { return [] }
    return members.keys.sorted()
  }
}
