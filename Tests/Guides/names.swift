// swift-format-ignore-file
// compiled in a host of Vapor only; see Tests/Guides/run.

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

/// Names of the host that ours leave alone.
func names() -> (HTTPStatus, HTTPMethod, SharedSecret.Type) { (.ok, .GET, SharedSecret.self) }

/// The names that ours have in their place.
func ours() -> (HTTPStatusCode, HTTPRequestMethod, AppSharedSecret) {
  (.ok, .get, AppSharedSecret("secret"))
}

/// Names that both have.
func qualified(_ authenticator: any StorekeeperHTTP.Authenticator) -> HTTPMessages.HTTPHeaders { [:] }
