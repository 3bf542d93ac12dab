import type { RunLimits } from "@pawl/core"
import { invalidTime, milliseconds } from "../arguments/milliseconds.ts"
import { UsageError } from "../arguments/usage-error.ts"

export interface LimitOptions {
  readonly deadline?: string
  readonly "max-steps"?: string
  readonly "max-cost"?: string
  readonly "max-tokens"?: string
  readonly "max-requests"?: string
}

const HELP = "See: pawl run --help"

/** Returns the limits of a run. Undefined if no limit was passed. Throws UsageError for an invalid limit. */
export function limitsOf(options: LimitOptions): RunLimits | undefined {
  const { deadline, "max-steps": steps, "max-cost": cost, "max-tokens": tokens, "max-requests": requests } = options
  const limits: RunLimits = {
    ...(deadline === undefined ? {} : { deadline: timeOf(deadline) }),
    ...(steps === undefined ? {} : { steps: countOf("--max-steps", steps) }),
    ...(cost === undefined ? {} : { cost: costOf(cost) }),
    ...(tokens === undefined ? {} : { tokens: tokensOf(tokens) }),
    ...(requests === undefined ? {} : { requests: countOf("--max-requests", requests) }),
  }
  return Object.keys(limits).length > 0 ? limits : undefined
}

function timeOf(text: string): number {
  const examples = "30s, 5m or 1h"
  const time = milliseconds("--deadline", text, "run", examples)
  if (time > 0) return time
  throw invalidTime("--deadline", text, "run", examples)
}

function countOf(option: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new UsageError(`invalid value "${text}" for ${option}: expected a whole number above 0`, HELP)
}

const MULTIPLES = { "": 1, k: 1000, M: 1_000_000 } as const

function tokensOf(text: string): number {
  const [, number = "", unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?)([kM]?)$/.exec(text) ?? []
  const tokens = Math.round(Number(number) * MULTIPLES[unit as keyof typeof MULTIPLES])
  if (number !== "" && tokens > 0) return tokens
  throw new UsageError(`invalid value "${text}" for --max-tokens: expected a number such as 50000, 200k or 1.5M`, HELP)
}

function costOf(text: string): number {
  const cost = /^\$?(\d{1,9}(?:\.\d{1,6})?)$/.exec(text)?.[1]
  if (cost !== undefined && Number(cost) > 0) return Number(cost)
  throw new UsageError(`invalid value "${text}" for --max-cost: expected US dollars such as 2 or 0.50`, HELP)
}
