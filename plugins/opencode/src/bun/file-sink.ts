import { mkdirSync, createWriteStream } from "node:fs"
import { dirname } from "node:path"

/** What Bun writes a file with bit by bit. */
export interface FileSink {
  /** Bytes taken. */
  write(chunk: string | NodeJS.ArrayBufferView | ArrayBuffer): number
  /** Resolves when everything taken so far is written; rejects where that failed. */
  flush(): Promise<void>
  end(): Promise<void>
}

/** Begins the file anew, making directories on the way. */
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
      // What the caller changes afterwards is not to be written.
      stream.write(new Uint8Array(bytes))
      return bytes.length
    },
    flush: () => settled((done) => void stream.write("", done)),
    end: () => settled((done) => void stream.end(done)),
  }
}
