import Foundation
import JSONValues

/// A line of standard output.
enum Line {
  /// Prints a JSON object on a line of its own.
  static func print(_ members: [String: JSONValue]) {
    let line = JSONValue.object(members).serialized + [UInt8(ascii: "\n")]
    FileHandle.standardOutput.write(Data(line))
  }
}
