import { createContext, runInContext } from "node:vm"
import { ToolInputError } from "@pawl/core/tool"

/** Returns the matching lines. Throws ToolInputError if matching takes too long. */
export type LineFilter = (lines: readonly string[]) => readonly string[]

// Stops expressions that backtrack for ever.
const TIMEOUT_MS = 250

/** Throws ToolInputError if `pattern` is not a regular expression. */
export function createLineFilter(pattern: string): LineFilter {
  const expression = toExpression(pattern)
  const scope = createContext({ expression, lines: [] })
  return (lines) => {
    Object.assign(scope, { lines })
    try {
      return runInContext("lines.filter((line) => expression.test(line))", scope, { timeout: TIMEOUT_MS })
    } catch (cause) {
      throw new ToolInputError(`The filter "${pattern}" takes too long on this output. Use a simpler one.`, { cause })
    }
  }
}

function toExpression(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u")
  } catch {
    // Many patterns are invalid in the strict `u` mode.
    try {
      // oxlint-disable-next-line require-unicode-regexp -- see above
      return new RegExp(pattern)
    } catch (cause) {
      throw new ToolInputError(`The filter is not a regular expression: ${String(cause)}. Correct it and call again.`, {
        cause,
      })
    }
  }
}
