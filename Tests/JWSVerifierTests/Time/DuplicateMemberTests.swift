import Foundation
import JWSVerifier
import ReceiptModels
import StorekeeperTesting
import Testing

/// The first of duplicate members counts (documentation of `JSONValue`), both for the choice of the
/// time and for the model.
@Suite("Duplicate members in an authentic payload")
struct DuplicateMemberTests {
  let authority: TestAuthority
  let verifier: SignedDataVerifier

  init() throws {
    authority = try TestAuthority {
      $0.leaf.notBefore = Sample.now.addingTimeInterval(-1)
    }
    verifier = try authority.verifier()
  }

  private func token(_ payload: String) throws -> String {
    try authority.sign(Array(payload.utf8), header: authority.header)
  }

  @Test(
    "the time of signing and the model take the same copy of signedDate",
    arguments: ["signedDate", #"signed\u0044ate"#])
  func signedDate(name: String) throws {
    let rest = #""environment":"Sandbox","bundleId":"com.example.reader""#
    let good = try token(
      #"{"\#(name)":1761962975000,\#(rest),"signedDate":1000}"#)
    let verified = try verifier.transaction(good)
    #expect(verified.signedDate == Sample.now)
    #expect(verified.payload.signedDate == Sample.now)
    let bad = try token(#"{"\#(name)":1000,\#(rest),"signedDate":1761962975000}"#)
    #expect(throws: SignedDataFailure.chain(.certificateNotYetValid(0))) {
      try verifier.transaction(bad)
    }
    let ahead = try token(#"{"\#(name)":1924992000000,\#(rest),"signedDate":1761962975000}"#)
    #expect(throws: SignedDataFailure.signedDateInFuture) { try verifier.transaction(ahead) }
  }

  @Test("a null in front of signedDate leaves none, for both")
  func null() throws {
    let verified = try verifier.transaction(
      token(
        #"{"signedDate":null,"environment":"Sandbox","bundleId":"com.example.reader","#
          + #""signedDate":1761962975000}"#))
    #expect(verified.signedDate == nil)
    #expect(verified.payload.signedDate == nil)
  }

  @Test(
    "the comparison and the model take the same copy of environment",
    arguments: ["environment", #"environ\u006dent"#])
  func environment(name: String) throws {
    let rest = #""bundleId":"com.example.reader","signedDate":1761962975000"#
    let good = try token(#"{"\#(name)":"Sandbox",\#(rest),"environment":"Production"}"#)
    let verified = try verifier.transaction(good)
    #expect(verified.environment == .sandbox)
    #expect(verified.payload.environment == .sandbox)
    let bad = try token(#"{"\#(name)":"Production",\#(rest),"environment":"Sandbox"}"#)
    #expect(throws: SignedDataFailure.environmentNotAllowed(.production)) {
      try verifier.transaction(bad)
    }
  }

  @Test("the comparison and the model take the same copy of bundleId")
  func bundleID() throws {
    let rest = #""environment":"Sandbox","signedDate":1761962975000"#
    let good = try token(
      #"{"bundleId":"com.example.reader",\#(rest),"bundleId":"com.example.other"}"#)
    let verified = try verifier.transaction(good)
    #expect(verified.bundleID == "com.example.reader")
    #expect(verified.payload.bundleID == "com.example.reader")
    let bad = try token(
      #"{"bundleId":"com.example.other",\#(rest),"bundleId":"com.example.reader"}"#)
    #expect(throws: SignedDataFailure.bundleMismatch(found: "com.example.other")) {
      try verifier.transaction(bad)
    }
  }
}
