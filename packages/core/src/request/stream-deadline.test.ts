import { getEventListeners } from "node:events"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { ProviderError } from "../base/errors.ts"
import type { ModelEvent, RequestWatch } from "../contracts/model.ts"
import { type ModelWait, type StreamDeadlines, withDeadlines } from "./stream-deadline.ts"

const deadlines = { firstEvent: 10_000, idle: 2_000 }
const reason = new Error("stopped by the user")

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const delta = (text: string): ModelEvent => ({ type: "text-delta", id: "1", text })
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const never = new Promise<never>(() => {})

/** A model that says each text after its pause in milliseconds, then falls silent, and heeds no signal. */
const deaf = (...pauses: number[]) =>
  async function* (): AsyncGenerator<ModelEvent> {
    for (const pause of pauses) {
      await wait(pause)
      yield delta(`after ${pause}`)
    }
    await never
  }

interface Reading {
  readonly events: ModelEvent[]
  end?: { readonly error?: unknown; readonly at: number }
}

/** Reads a stream to its end, taking `slow` milliseconds for each event. */
function reading(
  open: Parameters<typeof withDeadlines>[0],
  options: { signal?: AbortSignal; deadlines?: typeof deadlines; slow?: number } = {},
): Reading {
  const began = performance.now()
  const result: Reading = { events: [] }
  const end = (error?: unknown) => (result.end = { ...(error ? { error } : {}), at: performance.now() - began })
  const read = async () => {
    for await (const event of withDeadlines(
      open,
      options.signal ?? new AbortController().signal,
      options.deadlines ?? deadlines,
    )) {
      result.events.push(event)
      if (options.slow) await wait(options.slow)
    }
  }
  read().then(() => end(), end)
  return result
}

it("passes events on in order and ends with the stream, leaving nothing behind", async () => {
  const { signal } = new AbortController()
  const events: ModelEvent[] = [{ type: "start" }, delta("a"), delta("b")]
  const result = reading(
    async function* () {
      yield* events
    },
    { signal },
  )
  await vi.advanceTimersByTimeAsync(0)

  expect(result).toEqual({ events, end: { at: 0 } })
  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(signal, "abort")).toEqual([])
})

it("passes the model's own error on, leaving nothing behind", async () => {
  const broken = new ProviderError("rate-limited", "No.")
  const { signal } = new AbortController()
  const open = [
    async function* (): AsyncGenerator<ModelEvent> {
      yield delta("a")
      throw broken
    },
    () => {
      throw broken
    },
  ]
  for (const each of open) {
    const result = reading(each, { signal })
    await vi.advanceTimersByTimeAsync(0)
    expect(result.end?.error).toBe(broken)
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(signal, "abort")).toEqual([])
  }
})

describe("silence", () => {
  it.each<[string, () => AsyncIterable<ModelEvent>, typeof deadlines, number]>([
    ["before the first event", deaf(), deadlines, 10_000],
    ["after the first event", deaf(0), deadlines, 2_000],
    ["after a late first event", deaf(9_000), deadlines, 11_000],
    ["between later events", deaf(0, 1_900, 1_900), deadlines, 5_800],
    ["where only the wait between events is limited", deaf(20_000), { firstEvent: 0, idle: 2_000 }, 22_000],
    [
      "where an answer may take longer between events than before",
      deaf(500),
      { firstEvent: 1_000, idle: 60_000 },
      60_500,
    ],
  ])("%s ends the stream at its deadline", async (_name, open, limits, at) => {
    const result = reading(open, { deadlines: limits })
    await vi.advanceTimersByTimeAsync(at - 1)
    expect(result.end).toBeUndefined()
    // A deadline is kept to the second.
    await vi.advanceTimersByTimeAsync(1_001)
    expect(result.end?.error).toMatchObject({ name: "ProviderError", kind: "transient" })
    expect(result.end?.at).toBeLessThanOrEqual(at + 1_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it("after the announcement of a stream still counts as before the first event", async () => {
    const result = reading(async function* (): AsyncGenerator<ModelEvent> {
      yield { type: "start" }
      yield { type: "start-step" }
      await never
    })
    await vi.advanceTimersByTimeAsync(9_999)
    expect(result.end).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1_001)
    expect(result.end?.error).toMatchObject({ kind: "transient" })
  })

  it("tells the model to stop", async () => {
    let given: AbortSignal | undefined
    reading((signal) => {
      given = signal
      return deaf()()
    })
    await vi.advanceTimersByTimeAsync(11_000)
    expect(given?.reason).toMatchObject({ kind: "transient" })
  })

  it("is not minded with 0", async () => {
    const before = reading(deaf(), { deadlines: { firstEvent: 0, idle: 2_000 } })
    const between = reading(deaf(0), { deadlines: { firstEvent: 10_000, idle: 0 } })
    await vi.advanceTimersByTimeAsync(1e9)
    expect(before.end).toBeUndefined()
    expect(between.end).toBeUndefined()
  })

  it("is the model's: the time that the reader takes does not count", async () => {
    const result = reading(deaf(100, 100, 100), { slow: 60_000 })
    await vi.advanceTimersByTimeAsync(180_000 + 300)
    expect(result.events).toHaveLength(3)
    expect(result.end).toBeUndefined()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(result.end?.error).toMatchObject({ kind: "transient" })
  })
})

describe("silence on the wire and silence of the model", () => {
  const limits = { firstEvent: 180_000, idle: 120_000, events: 300_000, waiting: 10_000 }
  type Watch = Parameters<typeof withDeadlines>[3] & object

  /** A model whose server sends keep-alives, one every so many milliseconds, before each of its texts. */
  const kept = (every: number, ...counts: number[]) =>
    async function* (_signal: AbortSignal, { onBytes }: RequestWatch): AsyncGenerator<ModelEvent> {
      for (const count of counts) {
        for (let n = 0; n < count; n++) {
          await wait(every)
          onBytes?.()
        }
        yield delta(`after ${count}`)
      }
      await never
    }

  function read(open: Parameters<typeof withDeadlines>[0], deadlines: StreamDeadlines, watch: Watch = {}): Reading {
    const began = performance.now()
    const result: Reading = { events: [] }
    const end = (error?: unknown) => (result.end = { ...(error ? { error } : {}), at: performance.now() - began })
    const reading = async () => {
      const { signal } = new AbortController()
      for await (const event of withDeadlines(open, signal, deadlines, watch)) result.events.push(event)
    }
    reading().then(() => end(), end)
    return result
  }

  it("200 s of keep-alives do not fail an answer, before its first event and behind it", async () => {
    const result = read(kept(10_000, 20, 20), limits)
    await vi.advanceTimersByTimeAsync(400_000)
    expect(result.events).toEqual([delta("after 20"), delta("after 20")])
    expect(result.end).toBeUndefined()
    await vi.advanceTimersByTimeAsync(121_000)
    expect(result.end?.error).toMatchObject({ kind: "transient", message: "The model has been silent for 120 s." })
  })

  it("keep-alives alone fail it at the second deadline", async () => {
    const result = read(kept(10_000, Infinity), limits)
    await vi.advanceTimersByTimeAsync(299_999)
    expect(result.end).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1_001)
    expect(result.end?.error).toMatchObject({
      kind: "transient",
      message: expect.stringContaining("keeps the connection"),
    })
  })

  it.each([
    ["0", { ...limits, events: 0 }],
    ["no limit on silence", { ...limits, firstEvent: 0 }],
  ])("keep-alives alone do not fail it with %s", async (_name, deadlines) => {
    const result = read(kept(10_000, Infinity), deadlines)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(result.end).toBeUndefined()
  })

  it("the second deadline is not shorter than the first", async () => {
    const result = read(kept(10_000, Infinity), { ...limits, firstEvent: 900_000 })
    await vi.advanceTimersByTimeAsync(899_999)
    expect(result.end).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1_001)
    expect(result.end?.error).toMatchObject({ kind: "transient" })
  })

  it("bytes that are there when a process works again count before the silence", async () => {
    let arrive = () => {}
    const result = read(async function* (_signal, { onBytes }): AsyncGenerator<ModelEvent> {
      arrive = () => onBytes?.()
      yield await never
    }, limits)
    await vi.advanceTimersByTimeAsync(100_000)
    // The timer fires, and the loop comes to the sockets behind it.
    setTimeout(() => setImmediate(arrive), 80_000)
    await vi.advanceTimersByTimeAsync(81_000)
    await vi.advanceTimersByTimeAsync(100_000)
    expect(result.end).toBeUndefined()
  })

  it("a wait is told from 10 s on, and when it has doubled; an event begins it anew", async () => {
    const waits: ModelWait[] = []
    read(kept(15_000, 3), limits, { onWaiting: (each) => void waits.push(each) })
    await vi.advanceTimersByTimeAsync(100_000)
    const seconds = waits.map(({ waited, isAlive }) => [Math.round(waited / 1000), isAlive])
    expect(seconds).toEqual([
      [10, false],
      [20, true],
      [40, true],
      [10, false],
      [20, false],
      [40, false],
    ])
  })

  it("a wait is not told with 0", async () => {
    const onWaiting = vi.fn<() => void>()
    read(kept(15_000, 3), { ...limits, waiting: 0 }, { onWaiting })
    await vi.advanceTimersByTimeAsync(100_000)
    expect(onWaiting).not.toHaveBeenCalled()
  })

  it.each<[string, (watch: RequestWatch) => void]>([
    ["when the model says so", ({ onSent }) => onSent?.()],
    ["with the first bytes", ({ onBytes }) => onBytes?.()],
    ["with the first event", () => {}],
  ])("a request has left %s, once", async (_name, tell) => {
    const onSent = vi.fn<() => void>()
    read(
      async function* (_signal, watch): AsyncGenerator<ModelEvent> {
        tell(watch)
        yield delta("a")
        watch.onSent?.()
        watch.onBytes?.()
        yield delta("b")
      },
      limits,
      { onSent },
    )
    await vi.advanceTimersByTimeAsync(0)
    expect(onSent).toHaveBeenCalledOnce()
  })
})

describe("an abort", () => {
  it.each([
    ["before the first event", 0, 5_000],
    ["between events", 1, 5_000],
    ["while the reader works", 1, 500],
  ])("%s ends the stream with its reason, though the model does not heed it", async (_name, events, at) => {
    const controller = new AbortController()
    const result = reading(deaf(...(events > 0 ? [100] : [])), {
      signal: controller.signal,
      slow: 1_000,
      deadlines: { firstEvent: 0, idle: 0 },
    })
    await vi.advanceTimersByTimeAsync(at)
    controller.abort(reason)
    await vi.advanceTimersByTimeAsync(1_000)

    expect(result.events).toHaveLength(events)
    expect(result.end?.error).toBe(reason)
    expect(getEventListeners(controller.signal, "abort")).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it("reaches the model with its reason", async () => {
    const controller = new AbortController()
    let given: AbortSignal | undefined
    reading(
      (signal) => {
        given = signal
        return deaf()()
      },
      { signal: controller.signal },
    )
    controller.abort(reason)
    await vi.advanceTimersByTimeAsync(0)
    expect(given?.reason).toBe(reason)
  })

  it("that came before keeps the model from being asked", async () => {
    const open = vi.fn(deaf())
    const result = reading(open, { signal: AbortSignal.abort(reason) })
    await vi.advanceTimersByTimeAsync(0)
    expect(result.end?.error).toBe(reason)
    expect(open).not.toHaveBeenCalled()
  })
})

it("closes the model's stream when its reader stops reading", async () => {
  let closed = false
  let given: AbortSignal | undefined
  const open = async function* (signal: AbortSignal): AsyncGenerator<ModelEvent> {
    given = signal
    try {
      yield delta("a")
      yield delta("b")
    } finally {
      closed = true
    }
  }
  const { signal } = new AbortController()
  for await (const event of withDeadlines(open, signal, deadlines)) if (event.type === "text-delta") break
  await vi.advanceTimersByTimeAsync(0)

  // As an abort that nobody gave a reason for: models that look at it take the end for no failure.
  expect({ closed, told: given?.reason }).toMatchObject({ closed: true, told: { name: "AbortError" } })
  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(signal, "abort")).toEqual([])
})

it("serves a long stream with one timer and one listener", async () => {
  const { signal } = new AbortController()
  const counts = new Set<string>()
  const open = async function* (): AsyncGenerator<ModelEvent> {
    for (let n = 0; n < 1_000; n++) yield delta("a")
  }
  for await (const _event of withDeadlines(open, signal, deadlines)) {
    counts.add(`${vi.getTimerCount()} ${getEventListeners(signal, "abort").length}`)
  }
  expect([...counts]).toEqual(["1 1"])
})
