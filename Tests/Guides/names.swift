// swift-format-ignore-file
// compiled with the guide to Vapor only; see Tests/Guides/run.

import CurlTransport
import HTTPMessages
import JWSVerifier
import LinkPolicy
import PostgresStorage
import PurchaseStorage
import ReceiptModels
import ReceiptVerifier
import Storekeeper
import StorekeeperHTTP
import Vapor

/// Names of the host that stay unambiguous.
func names() -> (HTTPStatus, HTTPMethod, SharedSecret.Type) { (.ok, .GET, SharedSecret.self) }

/// Our names for the same things.
func ours() -> (HTTPStatusCode, HTTPRequestMethod, AppSharedSecret) {
  (.ok, .get, AppSharedSecret("secret"))
}

/// Names that need a qualifier.
func qualified(_ authenticator: any StorekeeperHTTP.Authenticator) -> HTTPMessages.HTTPHeaders { [:] }
