import type { Config } from "@pawl/config"
import type { Limits, RunLimits } from "@pawl/core"

/** Limits as the engine takes them: those of a run are written by themselves, or under `run`. */
export function configuredLimits(configured: Config["limits"] & object = {}): RunLimits {
  const { run, step, session, day, ...flat } = configured
  const { steps, deadline_ms, tokens, cost, requests } = { ...flat, ...run }
  return {
    ...given({ steps, tokens, cost, requests }),
    ...(deadline_ms === undefined || deadline_ms === 0 ? {} : { deadline: deadline_ms }),
    ...(step ? { step: amounts(step) } : {}),
    ...(session ? { session: amounts(session) } : {}),
    ...(day ? { day: { ...amounts(day), ...given({ of: day.of }) } } : {}),
  }
}

interface Amounts {
  readonly tokens?: number
  readonly cost?: number
  readonly requests?: number
  readonly time_ms?: number
}

function amounts({ tokens, cost, requests, time_ms: time }: Amounts): Limits {
  return given({ tokens, cost, requests, time: time === 0 ? undefined : time })
}

function given<T extends object>(all: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as never
}
