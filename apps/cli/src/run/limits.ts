import type { RunLimits } from "@pawl/core"
import { milliseconds } from "../arguments/milliseconds.ts"
import { UsageError } from "../arguments/usage-error.ts"

export interface LimitOptions {
  readonly deadline?: string
  readonly "max-steps"?: string
  readonly "max-cost"?: string
}

const HELP = "See: pawl run --help"

/** Where a run is to end. Undefined where nothing was said. Throws UsageError for what is no limit. */
export function limitsOf(given: LimitOptions): RunLimits | undefined {
  const { deadline, "max-steps": steps, "max-cost": cost } = given
  const limits: RunLimits = {
    ...(deadline === undefined ? {} : { deadline: timeOf(deadline) }),
    ...(steps === undefined ? {} : { steps: stepsOf(steps) }),
    ...(cost === undefined ? {} : { cost: costOf(cost) }),
  }
  return Object.keys(limits).length > 0 ? limits : undefined
}

function timeOf(text: string): number {
  const time = milliseconds("--deadline", text, "run")
  if (time > 0) return time
  throw new UsageError(`--deadline is a time such as 30s, 5m or 1h, got "${text}".`, HELP)
}

function stepsOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new UsageError(`--max-steps is a whole number from 1 on, got "${text}".`, HELP)
}

function costOf(text: string): number {
  const cost = /^\$?(\d{1,9}(?:\.\d{1,6})?)$/.exec(text)?.[1]
  if (cost !== undefined && Number(cost) > 0) return Number(cost)
  throw new UsageError(`--max-cost is an amount of US dollars such as 2 or 0.50, got "${text}".`, HELP)
}
