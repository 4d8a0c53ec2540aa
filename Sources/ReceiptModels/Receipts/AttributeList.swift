/// The attributes of a receipt or of a purchase.
///
/// Those of a receipt that was read are places in its bytes, because most are never looked at.
package struct AttributeList: Hashable, Sendable {
  private enum Storage {
    case made([AppReceipt.Attribute])
    case read(AttributeTable, Range<Int>)
  }

  private var storage: Storage

  /// Creates a list of attributes.
  package init(_ attributes: [AppReceipt.Attribute] = []) {
    storage = .made(attributes)
  }

  /// Creates a list of the attributes at a range of a table's places.
  package init(_ table: AttributeTable, at range: Range<Int>) {
    storage = .read(table, range)
  }

  /// The attributes in the order of the receipt.
  package var attributes: [AppReceipt.Attribute] {
    switch storage {
    case .made(let attributes): attributes
    case .read(let table, let range):
      table.places[range].map { place in
        AppReceipt.Attribute(
          type: place.type, version: place.version, sharing: table.bytes[place.value])
      }
    }
  }

  package static func == (left: AttributeList, right: AttributeList) -> Bool {
    if case .read(let one, let range) = left.storage, case .read(let other, range) = right.storage,
      one === other
    {
      return true
    }
    return left.attributes == right.attributes
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(attributes)
  }
}

extension AttributeList: CustomReflectable {
  package var customMirror: Mirror {
    Mirror(self, unlabeledChildren: attributes, displayStyle: .collection)
  }
}

/// The places of all attributes in a receipt that was read.
package final class AttributeTable: Sendable {
  let bytes: [UInt8]
  let places: [Place]

  package init(_ bytes: [UInt8], _ places: [Place]) {
    self.bytes = bytes
    self.places = places
  }

  package var count: Int { places.count }

  /// An attribute, with the range of its value.
  package struct Place: Sendable {
    package let type: Int
    package let version: Int
    package let value: Range<Int>

    package init(type: Int, version: Int, value: Range<Int>) {
      self.type = type
      self.version = version
      self.value = value
    }
  }
}
