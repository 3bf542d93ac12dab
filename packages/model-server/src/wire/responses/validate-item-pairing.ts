import { firstProblem, type Problem } from "../problem.ts"
import type { Item } from "./validate-item.ts"

/**
 * Returns the first call without an output, or output without a call before it. A call may be present only as a
 * reference.
 */
export function validateItemPairing(items: readonly Item[]): Problem {
  const answered = new Set(outputsOf(items).map((item) => item.call_id))
  const hasReferences = items.some((item) => item.type === "item_reference")
  const calls = new Set<unknown>()
  const outputs = new Set<unknown>()
  return firstProblem(items, ({ type, call_id: id }, index) => {
    const place = `input[${index}]`
    if (type === "function_call") {
      if (calls.has(id)) return `${place}: Duplicate item: the call ${String(id)} stands in the input before.`
      calls.add(id)
      return answered.has(id) ? undefined : `${place}: No tool output found for function call ${String(id)}.`
    }
    if (type !== "function_call_output") return undefined
    if (outputs.has(id)) return `${place}: the call ${String(id)} has an output already.`
    outputs.add(id)
    if (calls.has(id) || hasReferences) return undefined
    return `${place}: No tool call found for function call output with call_id ${String(id)}.`
  })
}

function outputsOf(items: readonly Item[]): Item[] {
  return items.filter((item) => item.type === "function_call_output")
}
