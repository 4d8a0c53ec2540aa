import Foundation
import PurchaseStorage
import ReceiptModels
import Testing

@Suite("What can be stored")
struct StoredTextTests {
  @Test(
    "takes the longest text of each shape and refuses one byte more",
    arguments: [
      (StoredText.Shape.transactionID, 64), (.accountID, 128), (.token, 64),
      (.notificationKey, 255), (.productID, 255), (.other, 1024), (.receipt, 8 << 20),
      (.job, 100), (.place, 255), (.word, 255), (.revision, 2048), (.answer, 65_535),
      (.signedPayload, 256 << 10),
    ])
  func longest(shape: StoredText.Shape, length: Int) {
    #expect(StoredText.fits(String(repeating: "1", count: length), shape))
    #expect(!StoredText.fits(String(repeating: "1", count: length + 1), shape))
  }

  @Test("counts bytes, not characters")
  func bytes() {
    #expect(StoredText.fits(String(repeating: "é", count: 127), .productID))
    #expect(!StoredText.fits(String(repeating: "é", count: 128), .productID))
  }

  @Test("refuses an empty text but where any text may be", arguments: StoredText.Shape.allCases)
  func empty(shape: StoredText.Shape) {
    #expect(StoredText.fits("", shape) == (shape == .other || shape == .place))
  }

  @Test("refuses a zero byte everywhere", arguments: StoredText.Shape.allCases)
  func zeroByte(shape: StoredText.Shape) {
    #expect(!StoredText.fits("1\u{0}", shape))
  }

  @Test(
    "cuts dates to whole seconds and rounds them to milliseconds",
    arguments: [
      (1.0, 1, 1000), (1.999, 1, 1999), (-0.5, -1, -500), (-1, -1, -1000), (0.0004, 0, 0),
      (0.0006, 0, 1), (1e300, 253_402_300_799, 253_402_300_799_999),
    ])
  func moments(interval: Double, seconds: Int, milliseconds: Int) {
    let date = Date(timeIntervalSince1970: interval)
    #expect(StoredMoment.seconds(date) == seconds)
    #expect(StoredMoment.milliseconds(date) == milliseconds)
  }

  @Test("makes ids of rows of 12 letters or digits, each its own")
  func rowID() {
    let ids = (0..<100).map { _ in RowID.membership() }
    #expect(Set(ids).count == 100)
    for id in ids { #expect(id.wholeMatch(of: /mmb_[0-9A-Za-z]{12}/) != nil) }
  }
}
