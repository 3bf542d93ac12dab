import { setTimeout } from "node:timers/promises"
import type { Stop } from "./stop.ts"

/** Time to read pending input. */
const READ_MS = 20
const CTRL_C = 0x03

/** Discards pending input. A Ctrl-C in it interrupts the run. */
export async function dropTypedAhead(stdin: NodeJS.ReadStream, stop: Pick<Stop, "interrupt">): Promise<void> {
  const drop = (typed: Uint8Array | string) => {
    if (Buffer.from(typed).includes(CTRL_C)) stop.interrupt()
  }
  // Without raw mode, an unfinished line stays in the terminal and becomes the start of the answer. PassThrough has no modes.
  stdin.setRawMode?.(true)
  stdin.on("data", drop)
  try {
    await setTimeout(READ_MS)
  } finally {
    stdin.off("data", drop)
    stdin.pause()
    stdin.setRawMode?.(false)
  }
}
