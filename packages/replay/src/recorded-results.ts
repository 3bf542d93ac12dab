import { canonicalJSON, type JSONValue } from "@pawl/core/record"
import type { RecordedResult } from "@pawl/provider-replay"

/** The results of a recording. Each is used once. */
export interface RecordedResults {
  /** Uses the result of this call, or of a call of the session with the same arguments. */
  take(call: {
    readonly session: string | undefined
    readonly call: string
    readonly tool: string
    readonly input: JSONValue
  }): RecordedResult | undefined
  /** Returns the result of a call with the same arguments in any session. Repeats the last one of several results. */
  same(tool: string, input: JSONValue): RecordedResult | undefined
}

export function createRecordedResults(
  results: readonly RecordedResult[],
  normalize: (text: string) => string = (text) => text,
): RecordedResults {
  const used = new Set<RecordedResult>()
  const argumentsOf = (tool: string, input: JSONValue) => `${tool} ${normalize(canonicalJSON(input))}`
  const keys = new Map(results.map((result) => [result, argumentsOf(result.tool, result.input)]))

  function first(isMeant: (result: RecordedResult) => boolean): RecordedResult | undefined {
    const found = results.find((result) => !used.has(result) && isMeant(result))
    if (found) used.add(found)
    return found
  }

  return {
    take({ session, call, tool, input }) {
      const key = argumentsOf(tool, input)
      const own = (result: RecordedResult) => result.session === session && result.tool === tool
      return (
        first((result) => own(result) && result.call === call) ??
        first((result) => own(result) && keys.get(result) === key)
      )
    },
    same(tool, input) {
      const key = argumentsOf(tool, input)
      return first((result) => keys.get(result) === key) ?? results.findLast((result) => keys.get(result) === key)
    },
  }
}
