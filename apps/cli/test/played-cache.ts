import { createHash } from "node:crypto"

/** What a vendor's cache gives for a request, in characters of its prompt. */
export interface CacheRead {
  readonly read: number
  /** Of the whole prompt. */
  readonly size: number
}

export type PlayedCache = (body: Readonly<Record<string, unknown>>) => CacheRead

/** A block of a prompt, without its mark. */
interface Block {
  readonly text: string
  readonly isMarked: boolean
}

/** Blocks that Anthropic looks back from a mark, that one included. */
const LOOK_BACK = 20

/** Prompts are written up to each mark, and found at a mark or at most so many blocks before it. */
export function anthropicCache(): PlayedCache {
  const written = new Set<string>()
  return (body) => {
    const blocks = anthropicBlocks(body)
    let digest = ""
    let size = 0
    const prefixes = blocks.map(({ text, isMarked }) => {
      digest = createHash("sha1").update(digest).update(text).digest("hex")
      size += text.length
      return { digest, size, isMarked }
    })
    const marks = prefixes.flatMap(({ isMarked }, at) => (isMarked ? [at] : []))
    if (marks.length > 4) throw new Error(`A request has ${marks.length} marks.`)
    const found = marks.flatMap((at) => {
      const seen = prefixes.slice(Math.max(0, at + 1 - LOOK_BACK), at + 1)
      return seen.filter((prefix) => written.has(prefix.digest)).map((prefix) => prefix.size)
    })
    for (const at of marks) written.add(prefixes[at]?.digest ?? "")
    return { read: Math.max(0, ...found), size }
  }
}

function anthropicBlocks({ tools, system, messages }: Readonly<Record<string, unknown>>): Block[] {
  const said = (messages as readonly { role: string; content: unknown }[]).flatMap(({ role, content }) => {
    return listOf(content).map((block) => ({ role, block }))
  })
  return [...listOf(tools), ...listOf(system), ...said].map((each) => {
    const text = JSON.stringify(each, (key, value: unknown) => (key === "cache_control" ? undefined : value))
    return { text, isMarked: JSON.stringify(each).includes('"cache_control"') }
  })
}

/** Caches read in pieces of so many characters, and keep nothing that is shorter than eight of them. */
const PIECE = 512
const LEAST = 8 * PIECE

/** Every prompt is kept, and read as far as a later one begins like it, where that goes to the same machine. */
export function prefixCache(
  promptOf: (body: Readonly<Record<string, unknown>>) => readonly unknown[],
  machineOf: (body: Readonly<Record<string, unknown>>) => unknown = () => "",
): PlayedCache {
  const kept: { machine: unknown; prompt: string }[] = []
  return (body) => {
    const prompt = JSON.stringify(promptOf(body))
    const machine = machineOf(body)
    const common = kept.filter((each) => each.machine === machine).map((each) => commonLength(each.prompt, prompt))
    kept.push({ machine, prompt })
    const most = Math.max(0, ...common)
    return { read: most < LEAST ? 0 : most - (most % PIECE), size: prompt.length }
  }
}

function commonLength(a: string, b: string): number {
  let low = 0
  let high = Math.min(a.length, b.length)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (a.slice(0, middle) === b.slice(0, middle)) low = middle
    else high = middle - 1
  }
  return low
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}
