import { mkdirSync, createWriteStream } from "node:fs"
import { dirname } from "node:path"

/** Bun's writer, which writes a file piece by piece. */
export interface FileSink {
  /** Returns the number of bytes accepted. */
  write(chunk: string | NodeJS.ArrayBufferView | ArrayBuffer): number
  /** Resolves when all accepted bytes are written; rejects if writing failed. */
  flush(): Promise<void>
  end(): Promise<void>
}

/** Replaces the file with an empty one, and creates missing directories. */
export function fileSink(path: string): FileSink {
  mkdirSync(dirname(path), { recursive: true })
  const stream = createWriteStream(path)
  let failure: Error | undefined
  stream.on("error", (error) => (failure = error))

  function settled(act: (done: () => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (failure) return reject(failure)
      stream.once("error", reject)
      act(() => {
        stream.off("error", reject)
        resolve()
      })
    })
  }

  return {
    write(chunk) {
      const bytes =
        typeof chunk === "string"
          ? Buffer.from(chunk)
          : ArrayBuffer.isView(chunk)
            ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
            : Buffer.from(chunk)
      // A copy, because the caller may change the bytes before they are written.
      stream.write(new Uint8Array(bytes))
      return bytes.length
    },
    flush: () => settled((done) => void stream.write("", done)),
    end: () => settled((done) => void stream.end(done)),
  }
}
