import {
  addTokens,
  allTokens,
  type MessageWithParts,
  noTokens,
  type Part,
  type Session,
  type Spent,
  spentByCall,
  spentFor,
  spentIn,
  type Tokens,
} from "@pawl/core/record"
import { ASPECTS } from "./aspects.ts"

/** The usage of one day, model, agent, tool, project or session. */
export interface Usage {
  readonly name: string
  /** Title of a session. */
  readonly title?: string
  readonly steps: number
  readonly calls: number
  readonly failed: number
  /** To models, failed attempts included. */
  readonly requests: number
  readonly tokens: Tokens
  /** US dollars. */
  readonly cost: number
  /** The part of the cost that failed attempts have. */
  readonly retries: number
  /** The part of the cost that is estimated: of answers that broke off, and of reports that cannot be true. */
  readonly estimated: number
  /** Milliseconds in which tools ran. */
  readonly time: number
}

export { ASPECTS }
export type Aspect = (typeof ASPECTS)[number]

/** Origin of an answer. `root` is the topmost session. */
export interface UsageOrigin extends Pick<Session, "directory"> {
  readonly root?: Pick<Session, "id" | "title">
}

export interface UsageTable {
  /** Adds what was spent for one message; what is a copy was counted where it comes from. */
  add(message: MessageWithParts, place: UsageOrigin): void
  /** Returns the rows of an aspect, highest cost first; days and hours in order. Every aspect has the same total. */
  rows(aspect: Aspect): Usage[]
  total(): Usage
}

export interface UsageNames {
  /** Returns the day of a time in epoch milliseconds. */
  readonly day: (time: number) => string
  readonly hour: (time: number) => string
  /** Returns true if the usage counts. Default: all usage counts. */
  readonly isMeant?: (spent: { readonly model: string; readonly agent: string }) => boolean
}

/** The numbers of a usage, without names. */
type Figures = Partial<Omit<Usage, "name">>

export function createUsageTable(names: UsageNames): UsageTable {
  const tables = new Map<Aspect | "total", Map<string, Usage>>()

  function count(aspect: Aspect | "total", name: string, more: Figures): void {
    const table = tables.get(aspect) ?? new Map<string, Usage>()
    tables.set(aspect, table)
    table.set(name, sum(table.get(name) ?? nothing(name), more))
  }
  /** Under all names but those of tools. */
  function bill(by: Billed, { time, directory, root }: At, more: Figures): boolean {
    if (names.isMeant?.(by) === false) return false
    count("total", "", more)
    count("day", names.day(time), more)
    count("hour", names.hour(time), more)
    count("model", by.model, more)
    count("agent", by.agent, more)
    count("project", directory, more)
    if (root) count("session", root.id, { ...more, title: root.title })
    return true
  }

  return {
    add(message, place) {
      const { info, parts } = message
      const at = { ...place, time: info.time.created }
      if (info.role === "user") {
        for (const part of parts) {
          if (part.type !== "usage") continue
          const spent = spentIn(part)
          const figures = { ...spentFigures(spent), retries: part.purpose === "retry" ? spent.cost : 0 }
          if (bill({ model: modelOf(part), agent: part.agent }, at, figures)) count("tool", NO_TOOL, figures)
        }
        return
      }
      if (info.copyOf !== undefined) return
      const spent = spentFor(message)
      const calls = parts.filter((part) => part.type === "tool")
      const retries = parts.reduce((all, part) => all + (part.type === "retry" ? (part.cost ?? 0) : 0), 0)
      const made = calls.map((call) => callFigures(call))
      const whole = made.reduce<Figures>(combine, { steps: 1, ...spentFigures(spent), retries })
      if (!bill({ model: modelOf(info), agent: info.agent }, at, whole)) return
      if (calls.length === 0) return count("tool", NO_TOOL, whole)
      const shared = { steps: 1 / calls.length, retries: retries / calls.length }
      for (const { call, spent: own } of spentByCall(message)) {
        count("tool", call.tool, { ...callFigures(call), ...spentFigures(own), ...shared })
      }
    },
    rows(aspect) {
      const rows = [...(tables.get(aspect)?.values() ?? [])]
      if (aspect === "day" || aspect === "hour") return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))
      return rows.toSorted((a, b) => b.cost - a.cost || allTokens(b.tokens) - allTokens(a.tokens) || b.calls - a.calls)
    },
    total: () => tables.get("total")?.get("") ?? nothing(""),
  }
}

/** Steps that called no tool, and what was asked besides. */
export const NO_TOOL = "(answers)"

interface Billed {
  /** provider/model */
  readonly model: string
  readonly agent: string
}

interface At extends UsageOrigin {
  readonly time: number
}

function modelOf({ providerID, modelID }: { readonly providerID: string; readonly modelID: string }): string {
  return `${providerID}/${modelID}`
}

function callFigures({ state }: Extract<Part, { type: "tool" }>): Figures {
  const time = "time" in state && "end" in state.time ? state.time.end - state.time.start : 0
  return { calls: 1, failed: state.status === "error" ? 1 : 0, time }
}

function spentFigures({ requests, tokens, cost, estimated }: Spent): Figures {
  return { requests, tokens, cost, estimated: estimated?.cost ?? 0 }
}

export function nothing(name: string): Usage {
  const counts = { steps: 0, calls: 0, failed: 0, requests: 0, retries: 0, estimated: 0 }
  return { name, ...counts, tokens: noTokens, cost: 0, time: 0 }
}

const FIGURES = ["steps", "calls", "failed", "requests", "cost", "retries", "estimated", "time"] as const

function combine(one: Figures, more: Figures): Figures {
  const figures = FIGURES.map((key) => [key, (one[key] ?? 0) + (more[key] ?? 0)] as const)
  return { ...Object.fromEntries(figures), tokens: addTokens(one.tokens ?? noTokens, more.tokens ?? noTokens) }
}

function sum(one: Usage, more: Figures): Usage {
  const { title = one.title } = more
  return { ...one, ...combine(one, more), ...(title === undefined ? {} : { title }) }
}
