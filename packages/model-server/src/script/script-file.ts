import { readFile } from "node:fs/promises"
import { isObject, show } from "../json-object.ts"
import { reply, type Reply } from "./reply.ts"
import { replyWords, stepWords, type Words } from "./script-words.ts"

/** Thrown for an invalid script file. The message begins with `file:line`. */
export class ScriptError extends Error {
  override readonly name = "ScriptError"
  readonly file: string
  readonly line: number

  constructor(file: string, line: number, problem: string, options?: ErrorOptions) {
    super(`${file}:${line}: ${problem}`, options)
    this.file = file
    this.line = line
  }
}

/**
 * Reads a script file. Rejects with `ScriptError` if its content is invalid, or with a system error if it cannot be
 * read.
 */
export async function readScript(file: string): Promise<Reply[]> {
  return parseScript(await readFile(file, "utf8"), file)
}

/** Parses a script in JSON Lines: one reply per line. Skips blank lines and lines that begin with `//`. */
export function parseScript(source: string, file: string): Reply[] {
  const replies: Reply[] = []
  for (const [index, line] of source.split(/\r?\n/).entries()) {
    const trimmed = line.trim()
    if (trimmed === "" || trimmed.startsWith("//")) continue
    try {
      replies.push(toReply(JSON.parse(trimmed)))
    } catch (error) {
      throw new ScriptError(file, index + 1, error instanceof Error ? error.message : String(error), { cause: error })
    }
  }
  return replies
}

function toReply(line: unknown): Reply {
  if (Array.isArray(line)) return reply(...line.map((step) => read(stepWords, "step", step)))
  const word = onlyKey(line, "reply")
  return Object.hasOwn(replyWords, word)
    ? read(replyWords, "reply", line)
    : reply(read(stepWords, "step or reply", line))
}

function read<Result>(words: Words<Result>, noun: string, value: unknown): Result {
  const word = onlyKey(value, noun)
  const parse = Object.hasOwn(words, word) ? words[word] : undefined
  if (parse === undefined) throw new Error(`Unknown ${noun} "${word}". Known: ${Object.keys(words).join(", ")}.`)
  return parse((value as Record<string, unknown>)[word], `"${word}"`)
}

function onlyKey(value: unknown, noun: string): string {
  const keys = isObject(value) ? Object.keys(value) : []
  if (keys.length === 1 && keys[0] !== undefined) return keys[0]
  throw new Error(`A ${noun} is an object with one key, such as {"text": "Hello"}; got ${show(value)}.`)
}
