import { defaultCalibration } from "../measure/calibration.ts"
import type { Model } from "../contracts/model.ts"
import { CALL_TOOL, callTool } from "./call-tool.ts"
import type { Tool } from "../contracts/tool.ts"
import { createToolSearch, definitionBytes, TOOL_SEARCH } from "./tool-search.ts"
import type { ToolOrigin, ToolSet } from "./tool-set.ts"

/** Of the window, that definitions may take before some are deferred; and in tokens, whatever the window is. */
const SHARE_OF_WINDOW = 0.1
const MOST_TOKENS = 10_000

/**
 * Returns the set, or one that lists `tool_search` and `call_tool` instead of its deferrable tools, if the definitions take
 * more than a tenth of the model's window or 10,000 tokens. The estimate knows nothing of the conversation, and what the
 * search finds is part of the messages, so the tools of a session do not change by what is said in it. A deferred tool
 * that is called by its own name runs as well.
 */
export function deferTools(set: ToolSet, { ref, info }: Pick<Model, "ref" | "info">): ToolSet {
  const { bytesPerToken } = defaultCalibration(ref)
  const { context } = info.limit
  const most = Math.min(context > 0 ? context * SHARE_OF_WINDOW : Infinity, MOST_TOKENS)
  const bytes = set.definitions.reduce((sum, definition) => sum + definitionBytes(definition), 0)
  if (bytes / bytesPerToken <= most) return set
  const deferred = set.definitions.filter(({ name }) => set.find(name)?.deferrable === true)
  if (deferred.length === 0 || set.find(TOOL_SEARCH) || set.find(CALL_TOOL)) return set
  const added: readonly Tool[] = [createToolSearch(deferred, bytesPerToken), callTool]
  const saved = deferred.reduce((sum, definition) => sum + definitionBytes(definition), 0)
  // A search that takes more room than what it stands in for is of no use.
  if (saved <= added.reduce((sum, tool) => sum + definitionBytes(tool), 0)) return set
  const stays = set.definitions.filter((definition) => !deferred.includes(definition))
  return {
    definitions: [...stays, ...added.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))],
    find: (wanted) => added.find(({ name }) => name === wanted.toLowerCase()) ?? set.find(wanted),
    // It lists all of them.
    originOf: (name) => (name === TOOL_SEARCH ? originOfAll(set, deferred) : set.originOf(name)),
  }
}

function originOfAll(set: ToolSet, deferred: ToolSet["definitions"]): ToolOrigin {
  const origins = deferred.map(({ name }) => set.originOf(name))
  const plugins = origins.flatMap(({ plugin, editors }) => [...(plugin === undefined ? [] : [plugin]), ...editors])
  return { editors: [...new Set(plugins)] }
}
