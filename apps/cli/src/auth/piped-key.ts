import type { Host } from "../host.ts"
import { SignInCanceledError } from "./prompter.ts"

/** Characters that are read of it: no key is as long. */
const MAX_KEY_LENGTH = 64 * 1024

/** The first line that holds something; undefined where nothing comes. Rejects with SignInCanceledError where too much comes. */
export async function pipedKey({ stdin }: Pick<Host, "stdin">): Promise<string | undefined> {
  let text = ""
  for await (const chunk of stdin) {
    text += String(chunk)
    if (text.length > MAX_KEY_LENGTH) throw new SignInCanceledError("What comes in on stdin is too long for a key.")
  }
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .find((line) => line !== "")
}
