import { isObject, show } from "../../json-object.ts"
import { firstProblem, isAbsent, type Problem } from "../problem.ts"

const mostBreakpoints = 4

interface Breakpoint {
  readonly place: string
  readonly control: unknown
}

/** Returns the first problem among the cache breakpoints of a body that is otherwise valid. */
export function validateCaching(body: Readonly<Record<string, unknown>>): Problem {
  const breakpoints = [
    ...breakpointsOf(body.tools, "tools"),
    ...breakpointsOf(body.system, "system"),
    ...messagesOf(body).flatMap(({ content }, index) => breakpointsOf(content, `messages[${index}].content`)),
    ...(isAbsent(body.cache_control) ? [] : [{ place: "the body", control: body.cache_control }]),
  ]
  const problem = firstProblem(breakpoints, ({ control, place }) => validateControl(control, place))
  if (problem !== undefined) return problem
  if (breakpoints.length > mostBreakpoints) {
    return `A maximum of ${mostBreakpoints} blocks with cache_control may be provided. Found ${breakpoints.length}.`
  }
  return validateLifetimes(breakpoints)
}

function messagesOf({ messages }: Readonly<Record<string, unknown>>): { content: unknown }[] {
  return messages as { content: unknown }[]
}

function breakpointsOf(blocks: unknown, place: string): Breakpoint[] {
  if (!Array.isArray(blocks)) return []
  return blocks.flatMap((block: unknown, index) => {
    // Blocks of the API's built-in tools may contain anything.
    if (!isObject(block)) return []
    const own = isAbsent(block.cache_control) ? [] : [{ place: `${place}[${index}]`, control: block.cache_control }]
    return [...breakpointsOf(block.content, `${place}[${index}].content`), ...own]
  })
}

function validateControl(control: unknown, place: string): Problem {
  const isValid =
    isObject(control) &&
    control.type === "ephemeral" &&
    (isAbsent(control.ttl) || control.ttl === "5m" || control.ttl === "1h")
  return isValid
    ? undefined
    : `${place}.cache_control: must be {type: "ephemeral", ttl?: "5m" | "1h"}, got ${show(control)}.`
}

/** Cache breakpoints are ordered like the prompt: tools, system, messages. */
function validateLifetimes(breakpoints: readonly Breakpoint[]): Problem {
  const lifetimes = breakpoints.map(({ control }) => (isObject(control) ? control.ttl : undefined))
  const firstShort = lifetimes.findIndex((lifetime) => lifetime !== "1h")
  const late = lifetimes.lastIndexOf("1h")
  if (firstShort === -1 || late < firstShort) return undefined
  return `${breakpoints[late]?.place}.cache_control.ttl: a "1h" block must not come after a "5m" block.`
}
