package io.millrace.model.transfer;

/**
 * A copy through an object store.
 *
 * @param store name of the store
 * @param sent whether the tree is in the store
 */
public record ThroughStore(String store, boolean sent) {}
