/** What is thrown where a plugin uses something of Bun's that there is no counterpart of. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError"
  constructor(what: string) {
    super(`${what} is not available: this plugin runs on Node, in pawl. ${NEXT}`)
  }
}

const NEXT = "Leave the plugin out, or ask its author for a version that runs on Node."

/** A function, or class, that says by its name that it is not available. */
export function unavailable(what: string): (...given: readonly unknown[]) => never {
  // It may be called with `new`.
  return function missing(): never {
    throw new UnavailableError(what)
  }
}
