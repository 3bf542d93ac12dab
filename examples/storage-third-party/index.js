import { appendFile } from "node:fs/promises"
import { memoryStorage } from "@pawl/storage-memory"

/**
 * What pawl calls for `npm:pawl-storage-example#<url>`, with what stands behind the `#`: here `noted:<file>`. Every storage
 * package has a function of this name. It resolves with an object that keeps the promises of pawl's `Storage`.
 *
 * @param {string} url
 */
export async function openStorage(url) {
  const [, file] = /^noted:(.+)$/s.exec(url) ?? []
  if (file === undefined)
    throw new Error(`"${url}" names no file for notes: write npm:pawl-storage-example#noted:<file>.`)
  const memory = memoryStorage(`noted:${file}`)
  return {
    ...memory,
    // A storage of one's own does its work here. This one notes each commit and leaves the rest to memory.
    async commit(sessionID, writes, lease) {
      const revision = await memory.commit(sessionID, writes, lease)
      await appendFile(file, `${JSON.stringify({ sessionID, revision, writes: writes.map(({ type }) => type) })}\n`)
      return revision
    },
  }
}
