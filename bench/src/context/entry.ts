import type { ModelMessage } from "@pawl/core/provider"
import type { Answer } from "./conversation.ts"

/** A user message, or an answer with the results of its calls. */
export type Entry =
  | { readonly type: "user"; readonly text: string; readonly synthetic?: boolean }
  | { readonly type: "answer"; readonly answer: Answer }

export function toMessages(entry: Entry): ModelMessage[] {
  if (entry.type === "user") return [{ role: "user", content: [{ type: "text", text: entry.text }] }]
  const { text, calls } = entry.answer
  const said = text === "" ? [] : [{ type: "text" as const, text }]
  const asked = calls.map(({ id, tool, input }) => {
    return { type: "tool-call" as const, callID: id, name: tool, input }
  })
  const results = calls.map(({ id, tool, result }) => {
    const isError = result.error !== undefined
    return {
      type: "tool-result" as const,
      callID: id,
      name: tool,
      output: isError ? result.error : result.output,
      isError,
    }
  })
  const message: ModelMessage = { role: "assistant", content: [...said, ...asked] }
  return results.length > 0 ? [message, { role: "tool", content: results }] : [message]
}
