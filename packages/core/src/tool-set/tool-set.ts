import { createDraftTrace, type DraftTrace } from "../hooks/draft-trace.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { ToolScope } from "../hooks/plugin.ts"
import type { JSONObject } from "../base/json.ts"
import type { ToolDefinition } from "../contracts/model.ts"
import { CALL_TOOL } from "./call-tool.ts"
import { TOOL_SEARCH } from "./tool-search.ts"
import type { Tool } from "../contracts/tool.ts"

/** The tools of a run: the definitions for the model, and the tool behind each name. */
export interface ToolSet {
  /** Sorted by name, so that all requests begin with the same bytes. */
  readonly definitions: readonly ToolDefinition[]
  find(name: string): Tool | undefined
  /** Returns the origin of a definition. Compares drafts: too slow for building requests. */
  originOf(name: string): ToolOrigin
}

export interface ToolOrigin {
  /** The plugin that offers the tool. */
  readonly plugin?: string
  /** The plugins that changed its definition, in their order. */
  readonly editors: readonly string[]
}

/**
 * Later tools replace earlier ones of the same name, and plugins' tools replace built-in ones. A deferrable tool is
 * skipped instead of replacing another tool. Invalid tools of plugins are skipped. Rejects with the reason of the
 * scope's signal once it aborts.
 */
export async function createToolSet(hooks: Hooks, tools: readonly Tool[], scope: ToolScope): Promise<ToolSet> {
  const byName = new Map<string, Tool>()
  for (const tool of tools) byName.set(tool.name, tool)
  const offers = (await hooks.tools(scope)).flatMap(({ plugin, report, tools }) => {
    return tools.map((tool) => ({ plugin, report, tool }))
  })
  for (const { tool } of offers) if (!tool.deferrable) byName.set(tool.name, tool)
  // Models write names in any case.
  const taken = new Set([TOOL_SEARCH, CALL_TOOL, ...byName.keys()].map((name) => name.toLowerCase()))
  for (const { report, tool } of offers) {
    if (!tool.deferrable) continue
    const { name } = tool
    if (taken.has(name.toLowerCase())) {
      report(`"${name}" is left out: there is another tool of that name, whose place it may not take. Rename it.`)
      continue
    }
    taken.add(name.toLowerCase())
    byName.set(name, tool)
  }
  const names = [...byName.keys()].sort((a, b) => (a < b ? -1 : 1))
  const { sessionID, rootSessionID, agent, model, signal } = scope
  const about = { sessionID, rootSessionID, ...(agent === undefined ? {} : { agent }), ...(model ? { model } : {}) }
  const definitions: ToolDefinition[] = []
  const traces = new Map<string, DraftTrace>()
  for (const name of names) {
    const { description, inputSchema } = byName.get(name) as Tool
    const draft = { description, inputSchema: { ...inputSchema } }
    const trace = createDraftTrace()
    traces.set(name, trace)
    const defined = await hooks.transform("tool.definition", { toolID: name, ...about }, draft, signal, trace)
    definitions.push({ name, description: defined.description, inputSchema: defined.inputSchema as JSONObject })
  }
  // Some models write a tool's name in another case than it was offered in.
  return {
    definitions,
    find: (name) => byName.get(name) ?? byName.get(name.toLowerCase()),
    originOf(name) {
      const offer = offers.find(({ tool }) => tool === byName.get(name))
      return { ...(offer ? { plugin: offer.plugin } : {}), editors: traces.get(name)?.changedBy() ?? [] }
    },
  }
}

/**
 * Returns the set with fewer definitions. A call of another tool still finds that tool, so that its refusal has the
 * right reason.
 */
export function offering(set: ToolSet, isOffered: (tool: Tool) => boolean): ToolSet {
  const definitions = set.definitions.filter(({ name }) => {
    const tool = set.find(name)
    return tool !== undefined && isOffered(tool)
  })
  return { ...set, definitions }
}

/**
 * Returns the set without the tools that `switches` sets to `false`: they are not offered, and their calls find no
 * tool.
 */
export function withoutTools(set: ToolSet, switches: Readonly<Record<string, boolean>>): ToolSet {
  const isOff = (name: string) => switches[name] === false
  return {
    ...set,
    definitions: set.definitions.filter(({ name }) => !isOff(name)),
    find(name) {
      const tool = set.find(name)
      return tool && isOff(tool.name) ? undefined : tool
    },
  }
}
