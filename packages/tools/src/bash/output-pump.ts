import type { Readable } from "node:stream"
import { setTimeout as delay } from "node:timers/promises"

export interface OutputPump {
  /**
   * Called after the command has ended. Reads the rest until the stream ends, stays quiet, or has delivered a pipe's
   * capacity. Later output of background processes is read slowly and dropped: a closed pipe would end them, and fast
   * reading would keep this process busy.
   */
  settle(): Promise<void>
}

const QUIET_MS = 100
const MAX_MS = 1000
// Capacity of a pipe.
const PIPE_BYTES = 64 * 1024
// Interval between chunks of at most 64 KiB.
const DRAIN_MS = 100

/** Passes a stream's chunks to `accept`, and pauses while the returned promise is pending. */
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
    const piece = chunk.subarray(0, left)
    left -= piece.length
    const turn = accept(piece)
    if (turn) void hold(turn)
    else if (left === 0) stream.pause()
  }
  function drop(): void {
    stream.pause()
    setTimeout(() => stream.resume(), DRAIN_MS).unref()
  }
  stream.on("data", onData)
  // The stream closes after an error. Output before the error counts.
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
