import type { MessageWithParts, Session, Tokens } from "@pawl/core"

/** What was used under one name: a day, a model, an agent, a tool, a project. */
export interface Usage {
  readonly name: string
  readonly steps: number
  readonly calls: number
  readonly failed: number
  readonly tokens: Tokens
  /** US dollars. */
  readonly cost: number
  /** Milliseconds in which tools ran. */
  readonly time: number
}

export type Aspect = "day" | "model" | "agent" | "tool" | "project"

export interface UsageTable {
  /** Adds one answer of a model. Others count for nothing. */
  add(message: MessageWithParts, session: Pick<Session, "directory">): void
  /** What the dearest have in common first, days in their order. Every aspect sums up to the same. */
  rows(aspect: Aspect): Usage[]
  total(): Usage
}

/** `dayOf` names the day of a time in epoch milliseconds. */
export function createUsageTable(dayOf: (time: number) => string): UsageTable {
  const tables = new Map<Aspect | "total", Map<string, Usage>>()

  function count(aspect: Aspect | "total", name: string, more: Partial<Usage>): void {
    const table = tables.get(aspect) ?? new Map<string, Usage>()
    tables.set(aspect, table)
    table.set(name, sum(table.get(name) ?? nothing(name), more))
  }

  return {
    add({ info, parts }, { directory }) {
      if (info.role !== "assistant") return
      const calls = parts.filter((part) => part.type === "tool")
      const failed = calls.filter(({ state }) => state.status === "error").length
      const times = calls.map(({ state }) =>
        "time" in state && "end" in state.time ? state.time.end - state.time.start : 0,
      )
      const time = times.reduce((all, each) => all + each, 0)
      const whole = { steps: 1, calls: calls.length, failed, tokens: info.tokens, cost: info.cost, time }
      count("total", "", whole)
      count("day", dayOf(info.time.created), whole)
      count("model", `${info.providerID}/${info.modelID}`, whole)
      count("agent", info.agent, whole)
      count("project", directory, whole)
      // What a step cost is shared by the calls that it made.
      if (calls.length === 0) return count("tool", NO_TOOL, whole)
      calls.forEach(({ tool, state }, at) => {
        count("tool", tool, {
          ...{ steps: 1 / calls.length, calls: 1, failed: state.status === "error" ? 1 : 0, time: times[at] ?? 0 },
          ...{ tokens: shared(info.tokens, calls.length), cost: info.cost / calls.length },
        })
      })
    },
    rows(aspect) {
      const rows = [...(tables.get(aspect)?.values() ?? [])]
      if (aspect === "day") return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))
      return rows.toSorted((a, b) => b.cost - a.cost || allTokens(b.tokens) - allTokens(a.tokens) || b.calls - a.calls)
    },
    total: () => tables.get("total")?.get("") ?? nothing(""),
  }
}

/** Steps that called no tool. */
export const NO_TOOL = "(answers)"

/** Input, output, reasoning and what went through the cache. */
export function allTokens({ input, output, reasoning, cache }: Tokens): number {
  return input + output + reasoning + cache.read + cache.write
}

function nothing(name: string): Usage {
  return { name, steps: 0, calls: 0, failed: 0, tokens: NO_TOKENS, cost: 0, time: 0 }
}

const NO_TOKENS: Tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

function sum(one: Usage, more: Partial<Usage>): Usage {
  const { steps = 0, calls = 0, failed = 0, tokens = NO_TOKENS, cost = 0, time = 0 } = more
  return {
    name: one.name,
    steps: one.steps + steps,
    calls: one.calls + calls,
    failed: one.failed + failed,
    tokens: combined((key) => key(one.tokens) + key(tokens)),
    cost: one.cost + cost,
    time: one.time + time,
  }
}

function shared(tokens: Tokens, by: number): Tokens {
  return combined((key) => key(tokens) / by)
}

function combined(figure: (key: (tokens: Tokens) => number) => number): Tokens {
  return {
    input: figure(({ input }) => input),
    output: figure(({ output }) => output),
    reasoning: figure(({ reasoning }) => reasoning),
    cache: { read: figure(({ cache }) => cache.read), write: figure(({ cache }) => cache.write) },
  }
}
