import PurchaseStorage
import Testing

@Suite("Failures of stores")
struct StorageFailureTests {
  private static let failures: [(StorageFailure, String)] = [
    (
      .duplicate(.originalTransactionID),
      "duplicate value in a unique field: originalTransactionID"
    ),
    (.conflict, "units of work conflicted"),
    (.unavailable(mayHaveCommitted: false, detail: "secret"), "the database cannot be reached"),
    (
      .unavailable(mayHaveCommitted: true, detail: "secret"),
      "the database was lost; what was written may have been kept"
    ),
    (.newerSchema(7), "the database is of a newer version, step 7"),
    (.guaranteeMissing(.ownSession), "the database does not promise: a session of its own"),
    (.invalidValue(field: "tier"), "a value cannot be stored: tier"),
    (.database(code: 19, detail: "secret"), "the database reported the code 19"),
    // feature_not_supported and undefined_table of PostgreSQL, whose digits are those of base 36.
    (.database(code: 466_560, detail: "secret"), "the database reported the code 0A000"),
    (.database(code: 6_844_177, detail: "secret"), "the database reported the code 42P01"),
    (.database(code: 13, detail: "secret"), "the disk is full (code 13)"),
    (.database(code: 8_539_344, detail: "secret"), "the disk is full (code 53100)"),
    (
      .database(code: 3_764_881, detail: "secret"),
      "the database refuses the user or the password (code 28P01)"
    ),
    (
      .database(code: 1045, detail: "secret"),
      "the database refuses the user or the password (code 1045)"
    ),
    (.database(code: 1049, detail: "secret"), "the server has no such database (code 1049)"),
    (
      .database(code: 6_818_257, detail: "secret"),
      "the database gives the user no right to do this (code 42501)"
    ),
  ]

  @Test("say what happened without the driver's text", arguments: failures)
  func description(failure: StorageFailure, text: String) {
    var dumped = ""
    dump(failure, to: &dumped)
    #expect("\(failure)" == text)
    #expect(String(reflecting: failure) == text)
    #expect(!dumped.contains("secret"))
    #expect(dumped.contains(text))
  }
}
