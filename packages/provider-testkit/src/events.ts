import type { ModelEvent } from "@pawl/core/provider"

export function typesOf(events: readonly ModelEvent[]): string[] {
  return events.map(({ type }) => type)
}

export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === "text-delta" ? event.text : "")).join("")
}

export function reasoningOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === "reasoning-delta" ? event.text : "")).join("")
}

export function callsOf(events: readonly ModelEvent[]): Extract<ModelEvent, { type: "tool-call" }>[] {
  return events.filter((event) => event.type === "tool-call")
}

export function finishOf(events: readonly ModelEvent[]): Extract<ModelEvent, { type: "finish" }> {
  const last = events.at(-1)
  if (last?.type !== "finish") throw new Error(`The last event is not a finish: ${JSON.stringify(last)}`)
  return last
}

interface Block {
  readonly type: "text" | "reasoning" | "tool-input"
  /** Its events in order: `start`, `delta`, `end`. */
  readonly events: string[]
}

/** The texts and the arguments of an answer, in the order in which they were opened. Ids may be used again. */
export function blocksOf(events: readonly ModelEvent[]): Block[] {
  const blocks: Block[] = []
  const open = new Map<string, Block>()
  for (const event of events) {
    const [, type, what] = /^(text|reasoning|tool-input)-(start|delta|end)$/.exec(event.type) ?? []
    if (type === undefined || what === undefined || !("id" in event)) continue
    const key = `${type} ${event.id}`
    const known = open.get(key)
    const block = known ?? { type: type as Block["type"], events: [] }
    if (known === undefined) {
      blocks.push(block)
      open.set(key, block)
    }
    block.events.push(what)
    if (what === "end") open.delete(key)
  }
  return blocks
}
