import { createHash } from "node:crypto"
import type { Part, SessionID, MaintainedStorage } from "@pawl/core/storage"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage } from "./samples.ts"
import { putMessage, putPart, putSession } from "./writes.ts"

/** Returns the blob id of this text, whether the blob is stored or not. */
export function blobID(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

/** Returns the texts whose blobs are stored. */
export async function keptBlobs(storage: MaintainedStorage, texts: readonly string[]): Promise<string[]> {
  const kept: string[] = []
  for (const text of texts) {
    const bytes = await storage.blobs.get(blobID(text))
    if (bytes && Buffer.from(bytes).toString() === text) kept.push(text)
  }
  return kept
}

/** Returns a part of message 1 that refers to the blobs of these texts. */
export function referringPart(id: SessionID, number: number, ...texts: readonly string[]): Part {
  return sampleText(id, messageID(1), partID(number), { metadata: { blobs: texts.map(blobID) } })
}

/** Stores the blobs of these texts, then a session with message 1, whose part 1 refers to them. */
export async function storeReference(
  storage: MaintainedStorage,
  id: SessionID,
  texts: readonly string[],
  parentID?: SessionID,
): Promise<void> {
  for (const text of texts) await storage.blobs.put(Buffer.from(text))
  await storage.commit(id, [
    putSession(sampleSession(id, parentID === undefined ? {} : { parentID })),
    putMessage(sampleUserMessage(id, messageID(1))),
    putPart(referringPart(id, 1, ...texts)),
  ])
}
