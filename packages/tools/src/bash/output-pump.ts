import type { Readable } from "node:stream"
import { setTimeout as delay } from "node:timers/promises"

export interface OutputPump {
  /**
   * After the command has ended: takes what is still on its way, until the stream ends or stays quiet. What writes to it
   * later (a server left in the background) is read and dropped, so that it does not die of a closed pipe.
   */
  settle(): Promise<void>
}

const QUIET_MS = 100
const MAX_MS = 1000

/** Hands a stream's chunks to `accept`, and waits with the next one while the promise it returned is pending. */
export function pumpOutput(stream: Readable, accept: (chunk: Buffer) => Promise<void> | undefined): OutputPump {
  let last = performance.now()
  let isPaused = false
  const ended = new Promise((resolve) => stream.once("close", resolve))

  async function hold(turn: Promise<void>): Promise<void> {
    isPaused = true
    stream.pause()
    await turn
    isPaused = false
    stream.resume()
  }
  function onData(chunk: Buffer): void {
    last = performance.now()
    const turn = accept(chunk)
    if (turn) void hold(turn)
  }
  stream.on("data", onData)
  // The stream closes after an error, and what came before it counts.
  stream.on("error", () => undefined)

  return {
    async settle() {
      const end = performance.now() + MAX_MS
      last = performance.now()
      for (;;) {
        const now = performance.now()
        const isQuiet = !isPaused && now - last >= QUIET_MS
        if (isQuiet || now >= end || stream.closed) break
        await Promise.race([ended, delay(QUIET_MS / 4)])
      }
      stream.off("data", onData)
      if (stream.closed) return
      stream.resume()
      if ("unref" in stream && typeof stream.unref === "function") stream.unref()
    },
  }
}
