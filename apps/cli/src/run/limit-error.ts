import type { LimitReached } from "@pawl/core"
import { count, dollars, duration, plural } from "@pawl/terminal-text/quantity"
import type { RunError } from "./run-view.ts"

/** Returns the error that names the limit that was reached, and how to raise it. */
export function limitError(reached: LimitReached): RunError {
  const { type: _type, ...figures } = reached
  const message = `${limitWords(reached)}, and the work is not finished. ${nextStep(reached)}`
  return { name: "LimitReachedError", data: { message, reached: KINDS[reached.type], ...figures } }
}

const KINDS = {
  "steps-spent": "steps",
  "cost-spent": "cost",
  "tokens-spent": "tokens",
  "requests-spent": "requests",
  "deadline-passed": "deadline",
} as const satisfies Record<LimitReached["type"], string>

const WHOSE = {
  run: "The run",
  step: "A step",
  session: "The session, with those below it,",
  day: "The work of today",
} as const

function limitWords(reached: LimitReached): string {
  const whose = WHOSE[reached.scope ?? "run"]
  switch (reached.type) {
    case "steps-spent":
      return `The agent may take ${plural(reached.steps, "step")}`
    case "cost-spent":
      return `${whose} may cost ${dollars(reached.limit)} and has cost ${dollars(reached.cost)}${more(reached.next, dollars)}`
    case "tokens-spent":
      return `${whose} may take ${count(reached.limit)} tokens and has taken ${count(reached.tokens)}${more(reached.next, count)}`
    case "requests-spent":
      return `${whose} may make ${plural(reached.limit, "request")}`
    case "deadline-passed":
      return `${whose} may take ${duration(reached.deadline)}`
  }
}

function more(next: number | undefined, written: (amount: number) => string): string {
  return next === undefined ? "" : `, while the next request would take ${written(next)} by estimate`
}

function nextStep(reached: LimitReached): string {
  const { scope } = reached
  if (scope === undefined) {
    if (!("next" in reached)) return "Continue the session."
    return `Continue with a higher --max-${KINDS[reached.type]}, or raise limits.${KINDS[reached.type]}.`
  }
  const key = reached.type === "deadline-passed" ? "time_ms" : KINDS[reached.type]
  const until = scope === "day" ? ", or wait for tomorrow" : ""
  return `To continue, raise limits.${scope}.${key} in your configuration${until}.`
}
