import { createHash } from "node:crypto"

/** A tool with the server's own name for it. */
export interface ServerTool {
  readonly server: string
  readonly tool: string
}

const MAX_NAME_LENGTH = 64

/**
 * Builds names for models: `<server>_<tool>` with characters other than letters, digits, `_` and `-` replaced by `_`. A
 * name that is too long, taken or reserved ends in a hash. The same tools in the same order get the same names.
 */
export function toolNames<T extends ServerTool>(
  tools: readonly T[],
  reserved: ReadonlySet<string>,
): ReadonlyMap<string, T> {
  const names = new Map<string, T>()
  // Some models change the case of names.
  const taken = new Set([...reserved].map((name) => name.toLowerCase()))
  for (const tool of tools) {
    const plain = `${tool.server}_${tool.tool}`.replaceAll(/[^A-Za-z0-9_-]/g, "_")
    const isFree = plain.length <= MAX_NAME_LENGTH && !taken.has(plain.toLowerCase())
    const name = isFree ? plain : withHash(plain, tool)
    // The server listed the tool twice.
    if (taken.has(name.toLowerCase())) continue
    taken.add(name.toLowerCase())
    names.set(name, tool)
  }
  return names
}

function withHash(plain: string, { server, tool }: ServerTool): string {
  const hash = createHash("sha256").update(`${server}\0${tool}`).digest("hex").slice(0, 8)
  return `${plain.slice(0, MAX_NAME_LENGTH - hash.length - 1)}_${hash}`
}
