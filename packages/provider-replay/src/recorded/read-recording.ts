import { createReadStream } from "node:fs"
import { createRecordingReader } from "./parse-recording.ts"
import type { Recording } from "./recorded.ts"

/**
 * Reads a recording, or a script, line by line. `name` stands for the file in messages. Throws ProviderError
 * "invalid-request" that names file and line, the system's error for a file that cannot be read, and the signal's reason.
 */
export async function readRecording(path: string, name = path, signal?: AbortSignal): Promise<Recording> {
  const reader = createRecordingReader(name)
  for await (const { line, isWhole } of linesOf(path)) {
    signal?.throwIfAborted()
    reader.take(line, isWhole)
  }
  return reader.end()
}

/** By line feeds alone: other characters that separate lines may stand in JSON as they are. */
async function* linesOf(path: string): AsyncGenerator<{ readonly line: string; readonly isWhole: boolean }> {
  let pieces: string[] = []
  for await (const chunk of createReadStream(path, { encoding: "utf8", highWaterMark: 1024 * 1024 })) {
    const lines = String(chunk).split("\n")
    for (const line of lines.slice(0, -1)) {
      yield { line: [...pieces, line].join(""), isWhole: true }
      pieces = []
    }
    pieces.push(lines.at(-1) ?? "")
  }
  const rest = pieces.join("")
  if (rest !== "") yield { line: rest, isWhole: false }
}
