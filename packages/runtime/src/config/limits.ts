import type { Config } from "@pawl/config"
import type { Limits, RunLimits } from "@pawl/core"

/** Converts limits to the engine's form. Those of a run are either at the top level or under `run`. */
export function configuredLimits(configured: Config["limits"] & object = {}): RunLimits {
  const { run, step, session, day, ...flat } = configured
  const { steps, deadline_ms, tokens, cost, requests } = { ...flat, ...run }
  return {
    ...withoutUndefined({ steps, tokens, cost, requests }),
    ...(deadline_ms === undefined || deadline_ms === 0 ? {} : { deadline: deadline_ms }),
    ...(step ? { step: amounts(step) } : {}),
    ...(session ? { session: amounts(session) } : {}),
    ...(day ? { day: { ...amounts(day), ...withoutUndefined({ of: day.of }) } } : {}),
  }
}

interface Amounts {
  readonly tokens?: number
  readonly cost?: number
  readonly requests?: number
  readonly time_ms?: number
}

function amounts({ tokens, cost, requests, time_ms: time }: Amounts): Limits {
  return withoutUndefined({ tokens, cost, requests, time: time === 0 ? undefined : time })
}

function withoutUndefined<T extends object>(all: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as never
}
