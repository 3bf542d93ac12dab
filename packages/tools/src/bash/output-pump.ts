import type { Readable } from "node:stream"
import { setTimeout as delay } from "node:timers/promises"

export interface OutputPump {
  /**
   * After the command has ended: takes what was still on its way, until the stream ends, stays quiet, or has given as
   * much as a pipe holds. What writes to it later (a server left in the background) is read slowly and dropped, so that
   * it neither dies of a closed pipe nor keeps this process busy.
   */
  settle(): Promise<void>
}

const QUIET_MS = 100
const MAX_MS = 1000
// What the systems' pipes hold.
const PIPE_BYTES = 64 * 1024
// One chunk, of 64 KiB at most, in so much time.
const DRAIN_MS = 100

/** Hands a stream's chunks to `accept`, and waits with the next one while the promise it returned is pending. */
export function pumpOutput(stream: Readable, accept: (chunk: Buffer) => Promise<void> | undefined): OutputPump {
  let last = performance.now()
  let isPaused = false
  let left = Number.POSITIVE_INFINITY
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
    const taken = chunk.subarray(0, left)
    left -= taken.length
    const turn = accept(taken)
    if (turn) void hold(turn)
    else if (left === 0) stream.pause()
  }
  function drop(): void {
    stream.pause()
    setTimeout(() => stream.resume(), DRAIN_MS).unref()
  }
  stream.on("data", onData)
  // The stream closes after an error, and what came before it counts.
  stream.on("error", () => undefined)

  return {
    async settle() {
      const end = performance.now() + MAX_MS
      last = performance.now()
      left = stream.readableLength + PIPE_BYTES
      for (;;) {
        const now = performance.now()
        const isQuiet = !isPaused && now - last >= QUIET_MS
        if (isQuiet || left === 0 || now >= end || stream.closed) break
        await Promise.race([ended, delay(QUIET_MS / 4)])
      }
      stream.off("data", onData)
      if (stream.closed) return
      stream.on("data", drop)
      stream.resume()
      if ("unref" in stream && typeof stream.unref === "function") stream.unref()
    },
  }
}
