import { type JSONObject, canonicalJSON } from "../base/json.ts"
import { digest } from "../base/digest.ts"
import type { Call } from "./repetition.ts"
import type { LoopTraits } from "../contracts/tool.ts"

/** Maximum characters of a key that are kept word for word. */
const MAX_READABLE_LENGTH = 200

/** Describes a call for detecting repetition. A trait that throws is ignored. */
export function describeCall(tool: string, args: JSONObject, traits: LoopTraits = {}): Call {
  const key = quietly(() => traits.loopKey?.(args)) ?? canonicalJSON(args)
  const { pollable } = traits
  const isPollable = typeof pollable === "function" ? quietly(() => pollable(args)) === true : pollable === true
  return { tool, key: shortened(key), ...(isPollable ? { pollable: true } : {}) }
}

function shortened(key: string): string {
  return key.length <= MAX_READABLE_LENGTH ? key : `${key.slice(0, MAX_READABLE_LENGTH).toWellFormed()}… ${digest(key)}`
}

function quietly<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}
