import { defaultCalibration } from "../context/tokens/calibration.ts"
import { jsonBytes, textBytes } from "../context/tokens/measure.ts"
import type { Model, ToolDefinition } from "../provider/model.ts"
import type { MessageWithParts } from "../session/message.ts"
import { createToolSearch, TOOL_SEARCH } from "./tool-search.ts"
import type { ToolSet } from "./tool-set.ts"

/** Of the window, that definitions may take before some are deferred; and in tokens, whatever the window is. */
const SHARE_OF_WINDOW = 0.1
const MOST_TOKENS = 10_000

/** A tool set of which some tools stand behind `tool_search`. `definitions` has those that are always offered. */
interface DeferringSet extends ToolSet {
  readonly deferred: ReadonlyMap<string, ToolDefinition>
  /** By the names that are loaded, in their order: the same ones give the same value. */
  readonly loaded: Map<string, ToolSet>
}

/**
 * The set, or one that offers a tool which searches in place of those that are deferrable, where the definitions take
 * more than a tenth of the model's window or 10,000 tokens. The estimate knows nothing of the conversation, so that the
 * tools of a session do not change by what is said in it. What is deferred can be called all the same.
 */
export function deferTools(set: ToolSet, { ref, info }: Pick<Model, "ref" | "info">): ToolSet {
  const { bytesPerToken } = defaultCalibration(ref)
  const { context } = info.limit
  const most = Math.min(context > 0 ? context * SHARE_OF_WINDOW : Infinity, MOST_TOKENS)
  const bytes = set.definitions.reduce((sum, definition) => sum + definitionBytes(definition), 0)
  if (bytes / bytesPerToken <= most) return set
  const deferred = set.definitions.filter(({ name }) => set.find(name)?.deferrable === true)
  if (deferred.length === 0 || set.find(TOOL_SEARCH)) return set
  const search = createToolSearch(deferred, bytesPerToken)
  const { name, description, inputSchema } = search
  const saved = deferred.reduce((sum, definition) => sum + definitionBytes(definition), 0)
  // A search that takes more room than what it stands in for is of no use.
  if (saved <= definitionBytes(search)) return set
  const stays = set.definitions.filter((definition) => !deferred.includes(definition))
  const deferring: DeferringSet = {
    definitions: [...stays, { name, description, inputSchema }],
    find: (wanted) => (wanted.toLowerCase() === TOOL_SEARCH ? search : set.find(wanted)),
    deferred: new Map(deferred.map((definition) => [definition.name, definition])),
    loaded: new Map(),
  }
  return deferring
}

/**
 * The set with the deferred tools that these messages have loaded, behind all others in the order of loading, so that
 * nothing moves. Loaded is what a search has found and what was called. What a compaction has taken out of the context
 * takes its loaded tools along: they are not in what the model reads any more, and can be found again.
 */
export function loadedTools(set: ToolSet, messages: readonly MessageWithParts[]): ToolSet {
  if (!isDeferring(set)) return set
  const names = loadedNames(messages).filter((name) => set.deferred.has(name))
  if (names.length === 0) return set
  const key = names.join(" ")
  const known = set.loaded.get(key)
  if (known) return known
  const more = names.flatMap((name) => set.deferred.get(name) ?? [])
  const loaded = { ...set, definitions: [...set.definitions, ...more] }
  set.loaded.set(key, loaded)
  return loaded
}

function isDeferring(set: ToolSet): set is DeferringSet {
  return "deferred" in set
}

/** In the order in which they were loaded, each once. */
function loadedNames(messages: readonly MessageWithParts[]): string[] {
  const names = new Set<string>()
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type !== "tool") continue
      const { tool, state } = part
      if (tool !== TOOL_SEARCH) names.add(tool)
      const found = tool === TOOL_SEARCH && state.status === "completed" ? state.metadata["loadedTools"] : []
      if (Array.isArray(found)) for (const name of found) if (typeof name === "string") names.add(name)
    }
  }
  return [...names]
}

function definitionBytes({ name, description, inputSchema }: ToolDefinition): number {
  return textBytes(name) + textBytes(description) + jsonBytes(inputSchema)
}
