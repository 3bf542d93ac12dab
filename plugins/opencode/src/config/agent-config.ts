import { toolRules } from "./tool-rules.ts"

type Fields = Readonly<Record<string, unknown>>

/** Fields that agents of OpenCode and of pawl share, with the types allowed for each. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  color: ["string"],
  description: ["string"],
  disable: ["boolean"],
  hidden: ["boolean"],
  mode: ["string"],
  model: ["string"],
  permission: ["string", "object"],
  prompt: ["string"],
  steps: ["number"],
  temperature: ["number"],
  top_p: ["number"],
  variant: ["string"],
}

/**
 * Converts an agent of OpenCode to pawl's form. `known` is pawl's agent so far: fields that only pawl has are kept.
 * `left` lists the fields that pawl does not know.
 */
export function agentConfig(
  given: Fields,
  known: Fields,
): { readonly agent: Fields; readonly left: readonly string[] } {
  const { maxSteps, tools, name: _, ...fields } = given
  const agent: Record<string, unknown> = known["delegates"] === undefined ? {} : { delegates: known["delegates"] }
  if (typeof maxSteps === "number") agent["steps"] = maxSteps
  const left: string[] = []
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue
    if (SHARED[field]?.includes(typeof value)) agent[field] = value
    else left.push(field)
  }
  if (typeof tools === "object" && tools !== null) agent["permission"] = withTools(agent["permission"], tools as Fields)
  return { agent, left }
}

function withTools(permission: unknown, tools: Fields): unknown {
  const rules = typeof permission === "string" ? { "*": permission } : (permission as Fields | undefined)
  return { ...toolRules(tools), ...rules }
}
