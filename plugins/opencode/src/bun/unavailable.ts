/** Thrown if a plugin uses a part of Bun that pawl does not replace. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError"
  constructor(what: string) {
    super(`${what} is not available: this plugin runs on Node, in pawl. ${NEXT}`)
  }
}

const NEXT = "Leave the plugin out, or ask its author for a version that runs on Node."

/** Returns a function, class and object in one. Using it or any of its properties throws an error with its name. */
export function unavailable(what: string): (...args: readonly unknown[]) => never {
  // A function declaration, because it may be called with `new`.
  function missing(): never {
    throw new UnavailableError(what)
  }
  return new Proxy(missing, {
    get(target, name) {
      if (typeof name === "symbol" || name in target) return Reflect.get(target, name) as unknown
      // `await` must not treat it as a promise.
      return name === "then" || name === "toJSON" ? undefined : unavailable(`${what}.${name}`)
    },
  })
}
