import { homedir } from "node:os"
import { UsageError } from "@pawl/config/usage-error"
import { ProviderError } from "@pawl/core/provider"
import { writeDurably } from "@pawl/files/durable-file"
import { type Recording, readRecording, recordingLines } from "@pawl/provider-replay"
import type { RuntimeHost } from "@pawl/runtime/host"
import { createStringMasker, mapNamedStrings } from "@pawl/secrets"
import { maskedText } from "@pawl/transfer"
import { END_OF_ENVIRONMENT } from "./given-system.ts"
import { createNormalize } from "./normalize.ts"
import { createPeopleMask, userNames } from "./people.ts"
import { requireFree } from "./recording-file.ts"
import { rehearse } from "./rehearse.ts"
import { CONTENT, shapedLine } from "./sanitized-line.ts"
import { shapeOf } from "./shape.ts"

export interface SanitizeRequest {
  /** Absolute. */
  readonly from: string
  readonly to: string
  readonly replaces: boolean
  readonly level: "secrets" | "content"
  readonly signal: AbortSignal
}

/** A written copy of a recording, and the replacements in it. */
export interface Sanitized {
  readonly to: string
  readonly level: SanitizeRequest["level"]
  /** Number of replacements by kind. `unchecked` counts binary content, which is kept. */
  readonly counts: ReadonlyMap<string, number>
  /** Kinds of replacements by line. */
  readonly places: ReadonlyMap<number, ReadonlySet<string>>
  /** The original recording. */
  readonly recording: Recording
  /** True if a replay of the copy has the same verdict as the original's. */
  readonly isAlike: boolean
}

/** Writes a copy of a recording without secrets and personal data, and checks that its replay has the same verdict. */
export async function sanitizeRecording(host: RuntimeHost, request: SanitizeRequest): Promise<Sanitized> {
  const { from, to, replaces, level, signal } = request
  if (from === to) throw new UsageError("The copy is to be another file than the recording.", "Name a new one.")
  const recording = await readRecording(from, from, signal).catch(explain)
  const counts = new Map<string, number>()
  const places = new Map<number, Set<string>>()
  let line = 0
  const count = (kind: string) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    places.set(line, (places.get(line) ?? new Set()).add(kind))
  }
  const clean = createCleaner(recording, level, host, count)
  // Do not count replacements in paths of the header.
  counts.clear()
  places.clear()
  requireFree(to, replaces)
  await writeDurably(to, async (sink) => {
    for await (const { line: text } of recordingLines(from, from, signal)) {
      line++
      const value = parsed(text)
      if (value !== undefined) await sink(`${JSON.stringify(clean(value))}\n`)
    }
  })
  const copy = await readRecording(to, to, signal)
  const how = { pace: 0, ignored: new Set<"system" | "tools">(), signal }
  const [original, replayed] = [await rehearse(recording, how), await rehearse(copy, how)]
  const isAlike = (original.differences.length === 0) === (replayed.differences.length === 0)
  return { to, level, counts, places, recording, isAlike }
}

/** Parses a line. Undefined for a comment or an incomplete line. */
function parsed(text: string): object | undefined {
  if (text.trim() === "" || text.trimStart().startsWith("//")) return undefined
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as object
  } catch {
    return undefined
  }
}

function createCleaner(
  { header, sessions }: Recording,
  level: SanitizeRequest["level"],
  { secrets, home = homedir() }: RuntimeHost,
  count: (kind: string) => void,
): (line: object) => object {
  const homes = [...new Set([home, homedir()])].filter((path) => path !== "")
  const people = createPeopleMask(userNames([header.directory ?? "", header.worktree ?? "", ...homes]), count)
  const how = { homes, mask: secrets.mask.bind(secrets) }
  const mask = createStringMasker((text) => maskedText(text, how, count), count)
  const cleanText = (text: string, name: string, fields: readonly string[]) => {
    const isName = NAMES.has(name) && !fields.some((field) => CONTENT.has(field))
    return isName ? text : people(mask(text, name))
  }
  const names = new Map<string, string>()
  const renamed = (name: unknown) => {
    if (typeof name !== "string") return name
    names.set(name, names.get(name) ?? `n${names.size + 1}`)
    return names.get(name)
  }
  const normalize = createNormalize({
    places: [
      [people(mask(header.directory ?? "", "")), "<directory>"],
      [people(mask(header.worktree ?? "", "")), "<worktree>"],
    ],
    nameOf: (id) => sessions.find((each) => each.id === id)?.session,
    isShape: false,
  })

  return (line) => {
    const masked = mapNamedStrings(line, cleanText) as Record<string, unknown>
    const marked = "recording" in masked ? { ...masked, sanitized: level } : masked
    const shaped = level === "content" ? (shapedLine(marked, normalize) as Record<string, unknown>) : marked
    // System blocks consist of content.
    if (level === "content" && Array.isArray(marked["blocks"]))
      shaped["blocks"] = shapedBlocks(marked["blocks"], normalize)
    for (const key of ["system", "tools"]) if (key in shaped) shaped[key] = renamed(shaped[key])
    const { request } = shaped
    if (typeof request === "object" && request !== null) {
      const change = request as Record<string, unknown>
      for (const key of ["system", "tools"]) if (key in change) change[key] = renamed(change[key])
    }
    return shaped
  }
}

/** Masks blocks, but keeps the marker after which a replay inserts the environment. */
function shapedBlocks(blocks: readonly unknown[], normalize: (text: string) => string): string[] {
  const shaped = (text: string) => shapeOf(normalize(text))
  return blocks.map((block) => String(block).split(END_OF_ENVIRONMENT).map(shaped).join(END_OF_ENVIRONMENT))
}

/** Fields with the recording's own names and numbers, which are never secrets. */
const NAMES: ReadonlySet<string> = new Set([
  "session",
  "id",
  "call",
  "callID",
  "by",
  "sessionID",
  "messageID",
  "role",
  "type",
  "tool",
])

function explain(error: unknown): never {
  if (error instanceof ProviderError) throw new UsageError(error.message)
  throw error
}
