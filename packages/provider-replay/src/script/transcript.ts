import { isAbort, type ModelEvent, ProviderError, type Tokens } from "@pawl/core/provider"

/** Collects the events of one answer and converts them to a line of a script. */
export interface Transcript {
  add(event: ModelEvent): void
  /** Ends the answer with an error instead of a finish. */
  fail(error: unknown): void
  /** Returns `undefined` if the answer was aborted before its first content. */
  reply(): ReplyLine | undefined
}

/** A line of a script before serialization. */
export type ReplyLine = Readonly<Record<string, unknown>>

type Item = Record<string, unknown>

interface Block {
  readonly key: "text" | "reasoning"
  readonly deltas: string[]
  metadata?: unknown
}

interface Place {
  /** Absent while the arguments are incomplete. */
  item?: Item
}

/** Orders blocks and tool calls by their start. */
export function createTranscript(): Transcript {
  const entries: (Block | Place)[] = []
  const blocks = new Map<string, Block>()
  const places = new Map<string, Place>()
  let ending: Item | undefined
  let error: Item | undefined
  let calls = false

  function openBlock(id: string, key: Block["key"]): void {
    const block: Block = { key, deltas: [] }
    blocks.set(id, block)
    entries.push(block)
  }

  function placeOf(id: string): Place {
    const place = places.get(id) ?? {}
    if (!places.has(id)) entries.push(place)
    places.set(id, place)
    return place
  }

  function addCall(event: Extract<ModelEvent, { type: "tool-call" }>): void {
    const { id, name, input, metadata, providerExecuted } = event
    const call = { tool: name, id, ...argumentsOf(input), ...(metadata !== undefined && { metadata }) }
    placeOf(id).item = providerExecuted === true ? { event } : call
    calls ||= providerExecuted !== true
  }

  const on: Partial<Handlers> = {
    "text-start": ({ id }) => openBlock(id, "text"),
    "text-delta": ({ id, text }) => blocks.get(id)?.deltas.push(text),
    "reasoning-start": ({ id }) => openBlock(id, "reasoning"),
    "reasoning-delta": ({ id, text }) => blocks.get(id)?.deltas.push(text),
    "reasoning-end": ({ id, metadata }) => {
      const block = blocks.get(id)
      if (block !== undefined) block.metadata = metadata
    },
    "tool-input-start": ({ id }) => placeOf(id),
    "tool-call": addCall,
    "tool-result": (event) => entries.push({ item: { event } }),
    "tool-error": (event) => entries.push({ item: { event } }),
    error: (event) => (error = toErrorItem(event.error)),
    finish: ({ reason, usage }) => {
      const usual = calls ? "tool-calls" : "stop"
      ending = { usage: toUsage(usage), ...(reason !== usual && { finish: reason }) }
    },
  }

  return {
    add(event) {
      on[event.type]?.(event as never)
    },
    fail(thrown) {
      if (!isAbort(thrown)) error = toErrorItem(thrown)
    },
    reply() {
      const items = entries.flatMap(toItems)
      if (error !== undefined) items.push({ error })
      if (items.length === 0 && ending === undefined) return undefined
      return { reply: items, ...ending }
    },
  }
}

type Handlers = {
  readonly [Type in ModelEvent["type"]]: (event: Extract<ModelEvent, { type: Type }>) => unknown
}

// An incomplete call that no call event follows cannot be played, so it is omitted.
function toItems(entry: Block | Place): Item[] {
  if (!("deltas" in entry)) return entry.item === undefined ? [] : [entry.item]
  const { key, deltas, metadata } = entry
  return [{ [key]: deltas.join(""), ...(metadata !== undefined && { metadata }) }]
}

// Writes arguments as an object if serializing it again gives the same characters.
function argumentsOf(input: string): Item {
  try {
    const value: unknown = JSON.parse(input)
    return JSON.stringify(value) === input ? { input: value } : { arguments: input }
  } catch {
    return { arguments: input }
  }
}

function toUsage({ input, output, reasoning, cache }: Tokens): Item {
  return {
    input,
    output,
    ...(reasoning > 0 && { reasoning }),
    ...(cache.read > 0 && { cacheRead: cache.read }),
    ...(cache.write > 0 && { cacheWrite: cache.write }),
  }
}

function toErrorItem(error: unknown): Item {
  if (!(error instanceof ProviderError)) return { kind: "unknown", message: String(error) }
  const { retryAfter, statusCode } = error.details
  return { kind: error.kind, message: error.message, retryAfter, statusCode }
}
