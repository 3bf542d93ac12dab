import { setTimeout } from "node:timers/promises"
import type { Stop } from "./stop.ts"

/** How long to read what is there already, in milliseconds. */
const READING = 20
const CTRL_C = 0x03

/** Throws away what was typed and not read so far; a Ctrl-C in it counts. */
export async function dropTypedAhead(stdin: NodeJS.ReadStream, stop: Pick<Stop, "interrupt">): Promise<void> {
  const drop = (typed: Uint8Array | string) => {
    if (Buffer.from(typed).includes(CTRL_C)) stop.interrupt()
  }
  // Else a line without its end stays in the terminal and becomes the beginning of the answer. PassThrough has no modes.
  stdin.setRawMode?.(true)
  stdin.on("data", drop)
  try {
    await setTimeout(READING)
  } finally {
    stdin.off("data", drop)
    stdin.pause()
    stdin.setRawMode?.(false)
  }
}
