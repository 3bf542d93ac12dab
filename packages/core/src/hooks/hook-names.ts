import { nearestName } from "../base/nearest.ts"

const EXPERIMENTAL = "experimental."

export interface UnknownHook {
  /** Message for the user. */
  readonly message: string
  /** The probably intended hook. */
  readonly near?: string
}

/**
 * Returns the keys of a plugin's hooks that are not hooks. For an instance of a class, which may have other members,
 * returns only keys that resemble a hook. Never throws. `known`: names without `experimental.`.
 */
export function unknownHooks(hooks: object, known: readonly string[]): UnknownHook[] {
  try {
    const prototype: unknown = Object.getPrototypeOf(hooks)
    const isPlain = prototype === Object.prototype || prototype === null
    return Object.keys(hooks).flatMap((key) => {
      const name = key.startsWith(EXPERIMENTAL) ? key.slice(EXPERIMENTAL.length) : key
      if (known.includes(name)) return []
      const near = nearestName(name, known)
      if (near !== undefined)
        return [{ message: `${JSON.stringify(key)} is not a hook; did you mean "${near}"?`, near }]
      return isPlain ? [{ message: `${JSON.stringify(key)} is not a hook, and nothing calls it.` }] : []
    })
  } catch {
    return []
  }
}
