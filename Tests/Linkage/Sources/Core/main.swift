import HTTPMessages
import ReceiptModels

// Uses both modules of the core, so that the linker keeps them.
let transaction = try Transaction(json: JSONValue(parsing: Array(#"{"quantity":1}"#.utf8)))
print(transaction.quantity ?? 0, HTTPMethod.get)
