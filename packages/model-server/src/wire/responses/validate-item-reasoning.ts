import { firstProblem, type Problem } from "../problem.ts"
import { neededReasoning } from "./response-item.ts"
import type { Item } from "./validate-item.ts"

/** Returns the first reasoning without its following item, or the first item with an id whose reasoning is missing. */
export function validateItemReasoning(items: readonly Item[]): Problem {
  const ids = new Set(items.map((item) => item.id))
  return firstProblem(items, (item, index) => {
    const place = `input[${index}]`
    const needed = typeof item.id === "string" ? neededReasoning(item.id) : undefined
    if (needed !== undefined && !ids.has(needed)) {
      return `${place}: Item ${String(item.id)} was provided without its required "reasoning" item: ${needed}.`
    }
    if (item.type !== "reasoning" || isOutput(items[index + 1])) return undefined
    return `${place}: Item ${String(item.id)} of type "reasoning" was provided without its required following item.`
  })
}

function isOutput(item: Item | undefined): boolean {
  if (item === undefined || item.type === "function_call_output") return false
  return item.role === undefined || item.role === "assistant"
}
