internal import PurchaseStorage

/// A store that adds something to the units of work of another one; those that only read pass as they are.
protocol StoreLayer: PurchaseStore {
  var base: any PurchaseStore { get }
}

extension PurchaseStore {
  /// The store below all layers, which reads for them.
  var withoutLayers: any PurchaseStore { (self as? any StoreLayer)?.base.withoutLayers ?? self }

  /// Whether the store is a layer of a type, or has one below.
  fileprivate func has<Layer: StoreLayer>(_ type: Layer.Type) -> Bool {
    self is Layer || (self as? any StoreLayer)?.base.has(type) ?? false
  }
}

extension PurchaseContext {
  /// Returns the context with a layer on its store, unless there is one of its type already.
  ///
  /// What tells the telemetry stays the outermost one, so that a unit of work is told of once.
  func adding<Layer: StoreLayer>(_ layer: (any PurchaseStore) -> Layer) -> PurchaseContext {
    guard !store.has(Layer.self) else { return self }
    var context = self
    context.store = layer(store.observed(by: nil))
    return context
  }
}
