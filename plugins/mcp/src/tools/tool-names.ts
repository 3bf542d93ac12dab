import { createHash } from "node:crypto"

/** A tool of a server, as the server names it. */
export interface ServerTool {
  readonly server: string
  readonly tool: string
}

const LONGEST = 64

/**
 * Names for models: `<server>_<tool>` with what is no letter, digit, `_` or `-` replaced by `_`. One that is too long,
 * taken or reserved ends in a hash of what it stands for. The same tools in the same order give the same names.
 */
export function toolNames<T extends ServerTool>(
  tools: readonly T[],
  reserved: ReadonlySet<string>,
): ReadonlyMap<string, T> {
  const names = new Map<string, T>()
  // Some models write names in another case than they were offered in.
  const taken = new Set([...reserved].map((name) => name.toLowerCase()))
  for (const tool of tools) {
    const plain = `${tool.server}_${tool.tool}`.replaceAll(/[^A-Za-z0-9_-]/g, "_")
    const isFree = plain.length <= LONGEST && !taken.has(plain.toLowerCase())
    const name = isFree ? plain : withHash(plain, tool)
    // The same tool twice.
    if (taken.has(name.toLowerCase())) continue
    taken.add(name.toLowerCase())
    names.set(name, tool)
  }
  return names
}

function withHash(plain: string, { server, tool }: ServerTool): string {
  const hash = createHash("sha256").update(`${server}\0${tool}`).digest("hex").slice(0, 8)
  return `${plain.slice(0, LONGEST - hash.length - 1)}_${hash}`
}
