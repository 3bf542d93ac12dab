import type { BlobStore } from "@pawl/core/storage"
import { createOutputFile, type HintReader, NO_FILE_HINT, outputHint } from "./output-file.ts"

export interface OutputKeeperOptions {
  /** Absolute; created if missing. Default: outputs go to `blobs` only, which a model cannot read. */
  readonly directory?: string | undefined
  readonly blobs?: BlobStore | undefined
}

/** Stores the full text of a cut output. Returns a hint for the model that says where it is. */
export type OutputKeeper = (callID: string, text: string, reader?: HintReader) => Promise<string>

export function outputKeeper({ directory, blobs }: OutputKeeperOptions): OutputKeeper {
  return async (callID, text, reader) => {
    await blobs?.put(Buffer.from(text, "utf8"))
    return directory === undefined ? NO_FILE_HINT : outputHint(await keepFullOutput(directory, callID, text), reader)
  }
}

/** Writes a call's output to a new file in `directory` and returns its path. */
export async function keepFullOutput(
  directory: string,
  callID: string,
  text: string | AsyncIterable<string>,
): Promise<string> {
  const { path, handle } = await createOutputFile(directory, callID)
  try {
    await handle.writeFile(text)
  } finally {
    await handle.close()
  }
  return path
}
