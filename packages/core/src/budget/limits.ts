import type { Estimate } from "../usage/estimate.ts"
import type { Ledger } from "./ledger.ts"

/** How much may be taken of each, with subagents, summaries, titles and failed attempts. Absent: no limit. */
export interface Limits {
  /** Sent and received, those from and into a cache included. */
  readonly tokens?: number
  /** US dollars. */
  readonly cost?: number
  /** Requests to models, each attempt by itself. */
  readonly requests?: number
  /** Milliseconds of work; what is under way then is ended. */
  readonly time?: number
}

export interface DayLimits extends Limits {
  /** Whether all sessions of the storage count, which absence means too, or those of the project alone. */
  readonly of?: "storage" | "project"
}

/** What a run may take with the runs of its subagents, and what the wholes may that it is part of. */
export interface RunLimits extends Omit<Limits, "time"> {
  /** Requests that were answered. */
  readonly steps?: number
  /** Milliseconds from the prompt on; what is under way then is ended. */
  readonly deadline?: number
  /** A request, what its tools have others do, and the attempts that it takes. */
  readonly step?: Limits
  /** The topmost session with all below it, whatever run they were at. */
  readonly session?: Limits
  /** The local day. */
  readonly day?: DayLimits
}

export type LimitScope = "step" | "run" | "session" | "day"

/** `scope`: whose limit it is; absent: the run's. `next`: what one more request would take, where that leads beyond it. */
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

/** Throws RangeError for what is no limit. */
export function checkLimits(limits: RunLimits): void {
  const { step = {}, session = {}, day = {}, ...run } = limits
  for (const [scope, all] of Object.entries({ "": run, "step.": step, "session.": session, "day.": day })) {
    for (const [name, limit] of Object.entries(all)) {
      if (name === "of" || limit === undefined || (limit as number) >= 0) continue
      throw new RangeError(`limits.${scope}${name} is ${limit}: it must be 0 or more.`)
    }
  }
}

/** What keeps the next request from being made. Where it is not known what that takes, what was spent decides. */
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

/** Whether those under way may leave too little for this request, so that it has to wait for what they take. */
export function mustWait({ cost, tokens }: Limits, ledger: Ledger, next: Estimate): boolean {
  if (!ledger.isBusy) return false
  const { most } = ledger
  if (cost !== undefined && ledger.cost + most.cost + next.cost > cost) return true
  return tokens !== undefined && ledger.tokens + most.tokens + next.tokens > tokens
}

function isSpent(spent: number, next: number | undefined, limit: number): boolean {
  return spent >= limit || spent + (next ?? 0) > limit
}
