/** What is thrown where a plugin uses something of Bun's that there is no counterpart of. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError"
  constructor(what: string) {
    super(`${what} is not available: this plugin runs on Node, in pawl. ${NEXT}`)
  }
}

const NEXT = "Leave the plugin out, or ask its author for a version that runs on Node."

/** A function, class or object that says by its name that it is not available, and so does all that it has. */
export function unavailable(what: string): (...given: readonly unknown[]) => never {
  // It may be called with `new`.
  function missing(): never {
    throw new UnavailableError(what)
  }
  return new Proxy(missing, {
    get(target, name) {
      if (typeof name === "symbol" || name in target) return Reflect.get(target, name) as unknown
      // What is waited for must not take it for a promise.
      return name === "then" || name === "toJSON" ? undefined : unavailable(`${what}.${name}`)
    },
  })
}
