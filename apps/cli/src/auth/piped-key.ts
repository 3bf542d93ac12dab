import type { Host } from "../host.ts"

/** Characters that are read of it: no key is as long. */
const LONGEST = 64 * 1024

/** The first line that holds something; undefined where nothing comes. */
export async function pipedKey({ stdin }: Pick<Host, "stdin">): Promise<string | undefined> {
  let text = ""
  for await (const chunk of stdin) {
    text += String(chunk)
    if (text.length > LONGEST) break
  }
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .find((line) => line !== "")
}
