import { createReadStream } from "node:fs"
import { ProviderError } from "@pawl/core/provider"
import { createRecordingReader } from "./parse-recording.ts"
import type { Recording } from "./recorded.ts"

/**
 * Reads a recording, or a script, line by line. `name` is used for the file in messages. Throws ProviderError
 * "invalid-request" that names file and line, the system's error if the file cannot be read, and the signal's reason.
 */
export async function readRecording(path: string, name = path, signal?: AbortSignal): Promise<Recording> {
  const reader = createRecordingReader(name)
  for await (const { line, isWhole } of recordingLines(path, name, signal)) reader.take(line, isWhole)
  return reader.end()
}

/** Maximum number of characters in a line. */
const MAX_LINE_LENGTH = 256 * 1024 * 1024

/**
 * Yields lines, split at line feeds only, since JSON may contain other line separators. Throws like `readRecording`.
 */
export async function* recordingLines(
  path: string,
  name = path,
  signal?: AbortSignal,
): AsyncGenerator<{ readonly line: string; readonly isWhole: boolean }> {
  let pieces: string[] = []
  let length = 0
  let number = 1
  for await (const chunk of createReadStream(path, { encoding: "utf8", highWaterMark: 1024 * 1024, signal })) {
    const lines = String(chunk).split("\n")
    for (const line of lines.slice(0, -1)) {
      signal?.throwIfAborted()
      yield { line: [...pieces, line].join(""), isWhole: true }
      pieces = []
      length = 0
      number++
    }
    const rest = lines.at(-1) ?? ""
    pieces.push(rest)
    length += rest.length
    if (length > MAX_LINE_LENGTH) throw tooLong(name, number)
  }
  const rest = pieces.join("")
  if (rest !== "") yield { line: rest, isWhole: false }
}

function tooLong(name: string, line: number): ProviderError {
  const message = `${name}:${line}: The line is longer than ${MAX_LINE_LENGTH} characters, which no line of a recording is.`
  return new ProviderError("invalid-request", message, { providerID: "replay" })
}
