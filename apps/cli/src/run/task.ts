import { fstatSync } from "node:fs"
import { UsageError } from "../arguments/usage-error.ts"
import type { Host } from "../host.ts"

const STDIN = "-"

/** A task, with the prefix that the user typed. */
export interface Task {
  readonly text: string
  /** Prefix of `text`. */
  readonly typed: string
}

/**
 * Returns the words joined by spaces. A last `-` is replaced by the text of stdin, which is read only then. Undefined without
 * words. Throws UsageError if the task is empty, unless `mayBeEmpty`: the arguments of a command may be.
 */
export async function readTask(
  words: readonly string[],
  host: Pick<Host, "stdin" | "stderr">,
  { mayBeEmpty = false } = {},
): Promise<Task | undefined> {
  if (words.length === 0) return undefined
  const isFromStdin = words.at(-1) === STDIN
  const typed = (isFromStdin ? words.slice(0, -1) : words).join(" ")
  const piped = isFromStdin ? await readAll(host) : ""
  const text = [typed, piped].filter((each) => each.trim() !== "").join("\n\n")
  if (text !== "" || mayBeEmpty) return { text, typed: typed.trim() === "" ? "" : typed }
  throw new UsageError(isFromStdin ? "The task is empty: nothing came from stdin." : "The task is empty.", HINT)
}

const HINT = 'Say what to do: pawl run "make the failing test pass"'

async function readAll({ stdin, stderr }: Pick<Host, "stdin" | "stderr">): Promise<string> {
  // Node reads a directory as an empty stream.
  if ("fd" in stdin && typeof stdin.fd === "number" && fstatSync(stdin.fd).isDirectory()) {
    throw new UsageError("The task cannot be read: stdin is a directory.", HINT)
  }
  if (stdin.isTTY) stderr.write("Type the task, then Ctrl-D on a line of its own.\n")
  const decoder = new TextDecoder()
  const pieces: string[] = []
  for await (const chunk of stdin) pieces.push(decoder.decode(chunk as Uint8Array, { stream: true }))
  return [...pieces, decoder.decode()].join("").trimEnd()
}
