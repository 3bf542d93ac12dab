import { contentHash } from "../config/content-hash.ts"
import type { ListedTool } from "../listing/listing.ts"
import type { ToolHashes } from "./approvals.ts"

export interface JudgedTools {
  readonly allowed: readonly ListedTool[]
  /** Names of tools that are new or have changed since they were allowed. */
  readonly waiting: readonly string[]
}

/** Covers everything that models and the engine get to know of a tool. */
export function toolHash(tool: ListedTool): string {
  return contentHash(tool)
}

export function toolHashes(tools: readonly ListedTool[]): ToolHashes {
  return Object.fromEntries(tools.map((tool) => [tool.name, toolHash(tool)]))
}

export function judgeTools(tools: readonly ListedTool[], approved: ToolHashes): JudgedTools {
  const isAllowed = (tool: ListedTool) => Object.hasOwn(approved, tool.name) && approved[tool.name] === toolHash(tool)
  return {
    allowed: tools.filter(isAllowed),
    waiting: tools.filter((tool) => !isAllowed(tool)).map(({ name }) => name),
  }
}
