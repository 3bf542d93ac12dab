/** Fields of a prompt's parts by type: required ones, then optional ones. */
const FIELDS: Readonly<Record<string, readonly [needed: readonly string[], optional: readonly string[]]>> = {
  text: [["text"], ["synthetic", "ignored"]],
  file: [["mime", "url"], ["filename"]],
  agent: [["name"], ["source"]],
  subtask: [
    ["prompt", "description", "agent"],
    ["model", "command"],
  ],
}

/**
 * Reads the parts that a plugin has set for a prompt. Invalid parts are reported and left out, as are unknown fields.
 */
export function promptParts(parts: unknown, report: (problem: string) => void): Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(parts)) {
    report("left no list of parts")
    return []
  }
  return (parts as unknown[]).flatMap((part, at) => {
    const known = knownPart(part)
    if (!known) report(`left a part that no prompt can have, at ${at}; it is left out`)
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
