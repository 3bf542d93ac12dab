import type { JSONObject, JSONValue } from "../base/json.ts"
import { digest } from "../base/digest.ts"
import type { Call } from "./repetition.ts"

/** What a tool says of its repetition. Both get the arguments as the model wrote them, which may not fit the tool. */
export interface LoopTraits {
  /** What makes two calls the same where not all arguments do, such as a command without its description. */
  loopKey?(args: JSONObject): string
  /** Whether repeating the call is how one waits, such as reading what a background job has written. */
  readonly pollable?: boolean | ((args: JSONObject) => boolean)
}

/** Characters of a key that are kept word for word. */
const READABLE = 200

/** The call as repetition sees it. A trait that throws says nothing. */
export function describeCall(tool: string, args: JSONObject, traits: LoopTraits = {}): Call {
  const key = quietly(() => traits.loopKey?.(args)) ?? canonicalJSON(args)
  const { pollable } = traits
  const isPollable = typeof pollable === "function" ? quietly(() => pollable(args)) === true : pollable === true
  return { tool, key: shortened(key), ...(isPollable ? { pollable: true } : {}) }
}

/** The same text for the same value, in whatever order its keys were written. */
export function canonicalJSON(value: JSONValue | undefined): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}

function shortened(key: string): string {
  return key.length <= READABLE ? key : `${key.slice(0, READABLE).toWellFormed()}… ${digest(key)}`
}

function quietly<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}
