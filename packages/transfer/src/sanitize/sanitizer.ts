import { homedir } from "node:os"
import {
  type BlobStore,
  blobReferences,
  type Message,
  type MessageWithParts,
  type Part,
  type Session,
} from "@pawl/core/storage"
import { createStringMasker, isLink, mapNamedStrings, removed, textOf } from "@pawl/secrets"
import { mapStrings, without } from "../json.ts"
import { sha256 } from "../record-hash.ts"
import { maskedContent } from "./masked-content.ts"
import { maskedText, type MaskOptions } from "./masked-text.ts"
import { placeOf } from "./place-of.ts"

export type MaskLevel = "keys" | "secrets" | "content"

export interface SanitizeOptions {
  /**
   * `keys`: masks what looks like a secret. `secrets`: also data about the machine's user. `content`: also every text,
   * file and output.
   */
  readonly level: MaskLevel
  /** Home directories with unusual paths. Default: the one of this process. */
  readonly homes?: readonly string[]
  /** Masks secrets in a text. Default: masks what looks like a secret. A registry's `mask` knows more secrets. */
  readonly mask?: MaskOptions["mask"]
}

export interface Sanitizer {
  session(session: Session): Promise<Session>
  message(message: MessageWithParts): Promise<MessageWithParts>
  /** Returns the content of a blob that a sanitized record refers to. */
  blob(id: string): Promise<Uint8Array | undefined>
  /** Returns the number of masked values by kind. `unchecked` counts binary content that is kept without a check. */
  removed(): Record<string, number>
  /** Returns the number of masked secrets by position and kind, in the order of the session. */
  places(): Record<string, Record<string, number>>
}

export function createSanitizer(
  { level, homes: named = [homedir()], mask: maskSecrets }: SanitizeOptions,
  blobs: Pick<BlobStore, "get">,
): Sanitizer {
  const homes = level === "keys" ? "keep" : named
  const counts = new Map<string, number>()
  /** Ids of masked blobs by the ids of the stored ones. */
  const masked = new Map<string, string>()
  const originals = new Map<string, string>()
  const places = new Map<string, Record<string, number>>()
  let place = ""
  function count(kind: string): void {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    if (!kind.startsWith("secret.")) return
    const found = places.get(place) ?? {}
    found[kind] = (found[kind] ?? 0) + 1
    places.set(place, found)
  }
  const mask = (text: string) => maskedText(text, { homes, mask: maskSecrets }, count)

  const maskedString = createStringMasker(mask, count)

  async function sanitize<T extends Session | Message | Part>(value: T): Promise<T> {
    const clean = mapNamedStrings(value, (text, name, fields) => (isLink(fields) ? text : maskedString(text, name)))
    if (level === "content") return maskedContent(clean, count) as T
    for (const id of blobReferences(JSON.stringify(clean))) if (!masked.has(id)) masked.set(id, await maskBlob(id))
    return mapStrings(clean, withMaskedBlobs) as T
  }

  /** A model cannot be sent a file without its content, so a note replaces it. */
  function withoutFiles(part: Part): Part {
    if (part.type === "tool" && part.state.status === "completed" && part.state.attachments) {
      for (const _ of part.state.attachments) count("file")
      return { ...part, state: without(part.state, ["attachments"]) as typeof part.state }
    }
    if (part.type !== "file") return part
    count("file")
    const { id, sessionID, messageID } = part
    const time = { start: 0, end: 0 }
    return { id, sessionID, messageID, type: "text", text: removed("file"), synthetic: true, time }
  }

  async function sanitizePart(part: Part): Promise<Part> {
    const clean = await sanitize(level === "content" ? withoutFiles(part) : part)
    // A provider rejects signed reasoning that has changed, so the signature is removed.
    const isForged = part.type === "reasoning" && clean.type === "reasoning" && clean.text !== part.text
    return isForged ? (without(clean, ["metadata"]) as Part) : clean
  }

  function withMaskedBlobs(text: string): string {
    if (text.length === 64) return masked.get(text) ?? text
    return text.startsWith("blob:") ? `blob:${masked.get(text.slice(5)) ?? text.slice(5)}` : text
  }

  async function maskBlob(id: string): Promise<string> {
    const bytes = await blobs.get(id)
    if (!bytes) return id
    const clean = maskedBytes(bytes)
    if (!clean) count("unchecked")
    const replacement = clean ? sha256(clean) : id
    originals.set(replacement, id)
    return replacement
  }

  function maskedBytes(bytes: Uint8Array): Uint8Array | undefined {
    const text = textOf(bytes)
    return text === undefined ? undefined : Buffer.from(mask(text))
  }

  return {
    async session(session) {
      place = session.id
      if (session.share) count("share")
      return sanitize(without(session, ["share"]) as Session)
    },
    async message({ info, parts }) {
      const clean: Part[] = []
      for (const part of parts) {
        place = placeOf(info, part)
        clean.push(await sanitizePart(part))
      }
      place = info.id
      return { info: await sanitize(info), parts: clean }
    },
    async blob(id) {
      const bytes = await blobs.get(originals.get(id) ?? id)
      if (!bytes) return undefined
      const text = textOf(bytes)
      // Counted when the reference was found.
      return text === undefined ? bytes : Buffer.from(maskedText(text, { homes, mask: maskSecrets }, () => {}))
    },
    removed: () => Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    places: () => Object.fromEntries(places),
  }
}
