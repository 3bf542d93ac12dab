/** Returns a function that makes the value at its first call, and returns the same value afterwards. */
export function lazy<T>(make: () => T): () => T {
  let cached: { readonly value: T } | undefined
  return () => (cached ??= { value: make() }).value
}
