internal import PurchaseStorage

/// The records of one unit of work, by capability.
struct NotificationRecords {
  let common: any PurchaseRecords
  var subscriptions: (any SubscriptionRecords)?
  var credits: (any CreditRecords)?
  var entitlements: (any EntitlementRecords)?
}

/// A store whose units of work see the records of every capability that receives notifications.
typealias NotificationStore = PurchaseStore<NotificationRecords>
