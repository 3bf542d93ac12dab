import { type JSONObject, canonicalJSON } from "../base/json.ts"
import { digest } from "../base/digest.ts"
import type { Call } from "./repetition.ts"
import type { LoopTraits } from "../contracts/tool.ts"

/** Characters of a key that are kept word for word. */
const READABLE = 200

/** The call as repetition sees it. A trait that throws says nothing. */
export function describeCall(tool: string, args: JSONObject, traits: LoopTraits = {}): Call {
  const key = quietly(() => traits.loopKey?.(args)) ?? canonicalJSON(args)
  const { pollable } = traits
  const isPollable = typeof pollable === "function" ? quietly(() => pollable(args)) === true : pollable === true
  return { tool, key: shortened(key), ...(isPollable ? { pollable: true } : {}) }
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
