// A host imports `Storekeeper` and a driver, and has every name that their calls mention. No other file re-exports.
@_exported public import AppStoreServerAPI
@_exported public import CreditPolicy
@_exported public import EntitlementPolicy
@_exported public import GooglePlayVerifier
@_exported public import HTTPMessages
@_exported public import JSONValues
@_exported public import JWSVerifier
@_exported public import LinkPolicy
@_exported public import OrderPolicy
@_exported public import PurchaseStorage
@_exported public import ReceiptModels
@_exported public import ReceiptVerifier
