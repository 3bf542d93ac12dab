import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { NotFoundError, ProviderError } from "@pawl/core/provider"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { answer, collect, never, requestAfter } from "../test/session.ts"
import { replayProvider } from "./replay-provider.ts"

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "pawl-replay-"))
})
afterAll(() => rm(directory, { recursive: true }))

async function script(name: string, ...lines: string[]): Promise<string> {
  await writeFile(join(directory, name), lines.join("\n"))
  return name
}

describe("models", () => {
  it("are the scripts, with what their headers say", async () => {
    const scripts = {
      hello: await script("hello.jsonl", '{"text":"Hello."}'),
      priced: await script("priced.jsonl", '{"model":{"name":"Priced","limit":{"context":8000},"cost":{"output":15}}}'),
    }

    const models = await replayProvider({ scripts, directory }).models()

    expect(models).toEqual([
      {
        id: "hello",
        name: "hello",
        limit: { context: 0, output: 0 },
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        capabilities: { reasoning: true, attachment: true, toolCall: true },
      },
      {
        id: "priced",
        name: "Priced",
        limit: { context: 8000, output: 0 },
        cost: { input: 0, output: 15, cacheRead: 0, cacheWrite: 0 },
        capabilities: { reasoning: true, attachment: true, toolCall: true },
      },
    ])
  })

  it("play their scripts, and go on in the middle in another process", async () => {
    const scripts = { hello: await script("two.jsonl", '{"text":"One."}', '{"text":"Two, at last."}') }
    const first = await replayProvider({ scripts, directory }).model("hello")
    const later = await replayProvider({ scripts, directory }).model("hello")

    expect(first.ref).toEqual({ providerID: "replay", modelID: "hello" })
    expect(await answer(first, requestAfter(0))).toBe("One.")
    expect(await answer(later, requestAfter(1))).toBe("Two, at last.")
    expect(await answer(later, requestAfter(2))).toBe(
      `! The script ${join(directory, "two.jsonl")} has no reply left: it has 2, this was request 3.`,
    )
  })

  it("play in sequence when asked to, whoever asks for the model", async () => {
    const lines = ['{"position":"sequence"}', '{"text":"One."}', '{"text":"Two."}']
    const provider = replayProvider({ scripts: { hello: await script("sequence.jsonl", ...lines) }, directory })

    expect(await answer(await provider.model("hello"), requestAfter(4))).toBe("One.")
    expect(await answer(await provider.model("hello"), requestAfter(0))).toBe("Two.")
  })

  it("are found by path from the directory, by absolute path and by URL", async () => {
    const name = await script("found.jsonl", '{"text":"Found."}')
    const path = join(directory, name)
    const provider = replayProvider({ scripts: { name, path, url: pathToFileURL(path) }, directory })

    for (const id of ["name", "path", "url"]) {
      expect(await answer(await provider.model(id), requestAfter(0))).toBe("Found.")
    }
  })
})

describe("a model that cannot be had", () => {
  it("is not known", async () => {
    const provider = replayProvider({ scripts: { hello: "a", bye: "b" } })

    await expect(provider.model("toString")).rejects.toThrow(
      new NotFoundError('Model "replay/toString" is not known. Known for "replay": hello, bye.'),
    )
  })

  it("has no file, until there is one", async () => {
    const provider = replayProvider({ scripts: { late: "late.jsonl" }, directory })

    await expect(provider.model("late")).rejects.toBeInstanceOf(ProviderError)
    await expect(provider.model("late")).rejects.toThrow(
      `The script ${join(directory, "late.jsonl")} cannot be read: there is no such file.`,
    )
    await script("late.jsonl", '{"text":"Here."}')
    expect(await answer(await provider.model("late"), requestAfter(0))).toBe("Here.")
  })

  it("has a broken script", async () => {
    const provider = replayProvider({
      scripts: { broken: await script("broken.jsonl", '{"text":"a"}', "{") },
      directory,
    })

    await expect(provider.model("broken")).rejects.toThrow(`${join(directory, "broken.jsonl")}:2: This is not JSON`)
  })
})

describe("pace", () => {
  async function paced(charactersPerSecond: number) {
    const lines = [JSON.stringify({ pace: { charactersPerSecond } }), '{"text":"0123456789 0123456789 0123456789"}']
    const scripts = { slow: await script(`pace-${charactersPerSecond}.jsonl`, ...lines) }
    return replayProvider({ scripts, directory }).model("slow")
  }

  it("spreads the deltas over the time that so many characters take", async () => {
    const model = await paced(1000)
    const start = performance.now()

    await collect(model.stream(requestAfter(0), never))

    // 32 characters. A timer may be late, but early by no more than a millisecond, and the last one may be left out.
    expect(performance.now() - start).toBeGreaterThanOrEqual(30)
  })

  it("keeps a delta back until it is due, and leaves no timer when it is aborted", async () => {
    const model = await paced(0.01)
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length
    const before = timers()
    const controller = new AbortController()
    const seen: string[] = []

    const reading = (async () => {
      for await (const event of model.stream(requestAfter(0), controller.signal)) {
        seen.push(event.type)
        if (event.type === "text-start") setImmediate(() => controller.abort())
      }
    })()

    await expect(reading).rejects.toMatchObject({ name: "AbortError" })
    expect(seen).toEqual(["start", "start-step", "text-start"])
    // Timers of other tests may have ended meanwhile.
    expect(timers()).toBeLessThanOrEqual(before)
  })

  it("is slow also where a delta takes longer than a timer can count", async () => {
    const model = await paced(1e-9)
    const controller = new AbortController()
    const events = model.stream(requestAfter(0), controller.signal)[Symbol.asyncIterator]()
    for (const type of ["start", "start-step", "text-start"]) {
      expect(await events.next()).toMatchObject({ value: { type } })
    }

    const delta = events.next()
    setTimeout(() => controller.abort(), 20)

    await expect(delta).rejects.toMatchObject({ name: "AbortError" })
  })

  it.each([Number.NaN, Infinity, -1])("is refused when it is %d", async (charactersPerSecond) => {
    const scripts = { hello: await script("hello.jsonl", '{"text":"Hi"}') }
    const provider = replayProvider({ scripts, directory, pace: { charactersPerSecond } })

    await expect(provider.model("hello")).rejects.toThrow(
      `pace.charactersPerSecond must be a finite number, 0 or more, got ${charactersPerSecond}.`,
    )
  })
})
