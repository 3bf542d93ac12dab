import { nearestName } from "../base/nearest.ts"

const EXPERIMENTAL = "experimental."

export interface UnknownHook {
  /** For people. */
  readonly message: string
  /** The hook that was probably meant. */
  readonly near?: string
}

/**
 * Returns the keys of a plugin's hooks that are none. Of an instance of a class, whose other members are its own
 * affair, only about those that look like one. Never throws. `known`: names without `experimental.`.
 */
export function unknownHooks(hooks: object, known: readonly string[]): UnknownHook[] {
  try {
    const prototype: unknown = Object.getPrototypeOf(hooks)
    const isPlain = prototype === Object.prototype || prototype === null
    return Object.keys(hooks).flatMap((key) => {
      const name = key.startsWith(EXPERIMENTAL) ? key.slice(EXPERIMENTAL.length) : key
      if (known.includes(name)) return []
      const near = nearestName(name, known)
      if (near !== undefined) return [{ message: `${JSON.stringify(key)} is no hook; did you mean "${near}"?`, near }]
      return isPlain ? [{ message: `${JSON.stringify(key)} is no hook, and nothing calls it.` }] : []
    })
  } catch {
    return []
  }
}
