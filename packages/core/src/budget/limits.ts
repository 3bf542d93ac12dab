import type { Estimate } from "../usage/estimate.ts"
import type { Ledger } from "./ledger.ts"

/** Limits of usage, including subagents, summaries, titles and failed attempts. Default: no limit. */
export interface Limits {
  /** Sent and received tokens, including those read from and written to a cache. */
  readonly tokens?: number
  /** US dollars. */
  readonly cost?: number
  /** Requests to models; each attempt counts. */
  readonly requests?: number
  /** Milliseconds of work. At the limit, running work is ended. */
  readonly time?: number
}

export interface DayLimits extends Limits {
  /** Sessions that count towards the limit: all of the storage, or those of the project. Default: `storage`. */
  readonly of?: "storage" | "project"
}

/** Limits of a run with the runs of its subagents, and limits that it shares with other runs. */
export interface RunLimits extends Omit<Limits, "time"> {
  /** Answered requests. */
  readonly steps?: number
  /** Milliseconds from the prompt on. At the limit, running work is ended. */
  readonly deadline?: number
  /** Limits of a request with its attempts and the work that its tools delegate. */
  readonly step?: Limits
  /** Limits of the topmost session with all sessions below it, over all runs. */
  readonly session?: Limits
  /** Limits of the local day. */
  readonly day?: DayLimits
}

export type LimitScope = "step" | "run" | "session" | "day"

/**
 * A reached limit. `scope`: the scope of the limit. Default: the run. `next`: the estimate of the next request, if that
 * would exceed the limit.
 */
export type LimitReached = (
  | { readonly type: "steps-spent"; readonly steps: number }
  | { readonly type: "cost-spent"; readonly cost: number; readonly limit: number; readonly next?: number }
  | { readonly type: "tokens-spent"; readonly tokens: number; readonly limit: number; readonly next?: number }
  | { readonly type: "requests-spent"; readonly requests: number; readonly limit: number }
  | { readonly type: "deadline-passed"; readonly elapsed: number; readonly deadline: number }
) & { readonly scope?: Exclude<LimitScope, "run"> }

const REACHED: ReadonlySet<string> = new Set<LimitReached["type"]>([
  ...(["steps-spent", "cost-spent", "tokens-spent", "requests-spent", "deadline-passed"] as const),
])

export function isLimitReached<T extends { readonly type: string }>(result: T): result is T & LimitReached {
  return REACHED.has(result.type)
}

/** Throws RangeError if a limit is negative or not a number. */
export function checkLimits(limits: RunLimits): void {
  const { step = {}, session = {}, day = {}, ...run } = limits
  for (const [scope, all] of Object.entries({ "": run, "step.": step, "session.": session, "day.": day })) {
    for (const [name, limit] of Object.entries(all)) {
      if (name === "of" || limit === undefined || (limit as number) >= 0) continue
      throw new RangeError(`limits.${scope}${name} is ${limit}: it must be 0 or more.`)
    }
  }
}

/** Returns whether any limit is set. */
export function hasLimit({ step = {}, session = {}, day = {}, ...run }: RunLimits): boolean {
  const { of: _of, ...ofDay } = day
  return [step, session, ofDay, run].some((limits) => Object.values(limits).some((limit) => limit !== undefined))
}

/** Returns the limit that prevents the next request, if any. Without an estimate, only the usage so far decides. */
export function refusal(
  scope: LimitScope,
  limits: Limits,
  ledger: Pick<Ledger, "tokens" | "cost" | "requests" | "time">,
  next?: Pick<Estimate, "tokens" | "cost">,
): LimitReached | undefined {
  const where = scope === "run" ? {} : { scope }
  const { time, cost, tokens, requests } = limits
  if (time !== undefined && ledger.time() >= time) {
    return { type: "deadline-passed", elapsed: Math.round(ledger.time()), deadline: time, ...where }
  }
  if (cost !== undefined && isSpent(ledger.cost, next?.cost, cost)) {
    const beyond = ledger.cost < cost && next ? { next: next.cost } : {}
    return { type: "cost-spent", cost: ledger.cost, limit: cost, ...beyond, ...where }
  }
  if (tokens !== undefined && isSpent(ledger.tokens, next?.tokens, tokens)) {
    const beyond = ledger.tokens < tokens && next ? { next: next.tokens } : {}
    return { type: "tokens-spent", tokens: ledger.tokens, limit: tokens, ...beyond, ...where }
  }
  if (requests !== undefined && ledger.requests >= requests) {
    return { type: "requests-spent", requests: ledger.requests, limit: requests, ...where }
  }
  return undefined
}

/** Returns whether running requests may leave too little for this one, so that it has to wait for their usage. */
export function shouldWait({ cost, tokens }: Limits, ledger: Ledger, next: Estimate): boolean {
  if (!ledger.isBusy) return false
  const { most } = ledger
  if (cost !== undefined && ledger.cost + most.cost + next.cost > cost) return true
  return tokens !== undefined && ledger.tokens + most.tokens + next.tokens > tokens
}

function isSpent(spent: number, next: number | undefined, limit: number): boolean {
  return spent >= limit || spent + (next ?? 0) > limit
}
