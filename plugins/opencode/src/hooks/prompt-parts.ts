/** Fields of the parts that a prompt may have, by type: those that must be there, and those that may. */
const FIELDS: Readonly<Record<string, readonly [needed: readonly string[], optional: readonly string[]]>> = {
  text: [["text"], ["synthetic", "ignored"]],
  file: [["mime", "url"], ["filename"]],
  agent: [["name"], ["source"]],
  subtask: [
    ["prompt", "description", "agent"],
    ["model", "command"],
  ],
}

/** Parts that a plugin has left for a prompt: without what is none, which is told, and without fields that prompts do not have. */
export function promptParts(parts: unknown, told: (problem: string) => void): Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(parts)) {
    told("left no list of parts")
    return []
  }
  return (parts as unknown[]).flatMap((part, at) => {
    const known = knownPart(part)
    if (!known) told(`left a part that no prompt can have, at ${at}; it is left out`)
    return known ? [known] : []
  })
}

function knownPart(part: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof part !== "object" || part === null || !("type" in part)) return undefined
  const [needed, optional] = FIELDS[String(part.type)] ?? [undefined, []]
  if (!needed?.every((field) => typeof (part as Record<string, unknown>)[field] === "string")) return undefined
  const kept = new Set(["type", ...needed, ...optional])
  return Object.fromEntries(Object.entries(part).filter(([key, value]) => kept.has(key) && value != null))
}
