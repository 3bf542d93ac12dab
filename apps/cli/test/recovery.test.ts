import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import {
  call,
  chatRequest,
  contextOverflow,
  cut,
  empty,
  httpError,
  type ModelServer,
  modelServer,
  quotaExhausted,
  rateLimit,
  type Replies,
  reply,
  stall,
  text,
} from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { isSummarizing, SUMMARY } from "./small-window.ts"
import { jsonLines, type Workplace, workplace } from "./workplace.ts"

const json = ["run", "--format", "json"] as const
const soon = { retry: { delay_ms: 1 }, deadlines: { idle_ms: 1000, first_event_ms: 1000 } }

interface Place extends Workplace, AsyncDisposable {
  readonly server: ModelServer
}

/** A workplace whose model is a scripted server's, with this configuration besides. */
async function place(replies: Replies, config: object = soon): Promise<Place> {
  const server = await modelServer({ replies })
  const here = await workplace()
  const provider = { acme: { options: { baseURL: server.url }, models: { large: {}, small: {} } } }
  await writeFile(join(here.configuration, "pawl.json"), JSON.stringify({ model: "acme/large", provider, ...config }))
  return { ...here, server, [Symbol.asyncDispose]: () => server.close() }
}

/** Nothing on stdout but lines of known kinds, and no answer among them. */
function withoutAnswer(stdout: string): Record<string, unknown>[] {
  const lines = jsonLines(stdout)
  expect(lines.filter(({ type }) => type === "text")).toEqual([])
  return lines
}

describe("a failure that passes", () => {
  it.each([
    ["a cut in the middle of the answer", reply(text("Half of"), cut())],
    ["an answer that stops half way", reply(text("Half of"), stall())],
    ["silence before the answer", reply(stall())],
    ["an empty answer", empty()],
    ["a server that fails", httpError(500)],
    ["a limit with a time", rateLimit({ retryAfter: 1 })],
  ])("is tried again, and leaves nothing of itself on stdout: %s", async (_what, broken) => {
    await using here = await place([broken, reply(text("There."))])

    const { code, stdout, stderr } = await here.pawl([...json, "hi"])

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const lines = jsonLines(stdout)
    expect(lines.filter(({ type }) => type === "text")).toMatchObject([{ part: { text: "There." } }])
    expect(lines.filter(({ type }) => type === "retry")).toHaveLength(1)
  })
})

describe("a failure that does not pass", () => {
  it.each([
    ["empty answers", empty(), "incomplete-stream", 5],
    ["streams that stall", reply(text("Half of"), stall()), "transient", 5],
    ["cuts", reply(text("Half of"), cut()), "incomplete-stream", 5],
    ["a request that is wrong", httpError(400), "invalid-request", 1],
  ])("ends with an error and not with 0: %s", async (_what, broken, kind, requests) => {
    await using here = await place(() => broken)

    const { code, stdout } = await here.pawl([...json, "hi"])

    expect(code).toBe(1)
    expect(withoutAnswer(stdout).at(-1)).toMatchObject({ type: "error", error: { data: { kind } } })
    expect(here.server.requests).toHaveLength(requests)
  })

  it("says from when on to go on, where that is more than a minute away", async () => {
    await using here = await place(() => rateLimit({ retryAfter: 3600 }))
    const began = Date.now()

    const { code, stdout, stderr } = await here.pawl(["run", "hi"])

    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    const [, time = ""] =
      /asks to wait 3600 s\. Continue the session after (\S+Z)\./.exec(stderr.replaceAll("\n", " ")) ?? []
    expect(Date.parse(time) - began).toBeGreaterThan(3590_000)
    expect(here.server.requests).toHaveLength(1)
  })
})

it("goes on with the next model where the account is spent, and says so", async () => {
  const replies: Replies = (request) =>
    chatRequest(request).model === "large" ? quotaExhausted() : reply(text("From the small one."))
  await using here = await place(replies, { ...soon, fallback: ["acme/small"] })

  const { code, stdout, stderr } = await here.pawl(["run", "hi"])

  expect({ code, stdout }).toEqual({ code: 0, stdout: "From the small one.\n" })
  expect(stderr.replaceAll("\n", " ")).toContain(
    "Continuing with acme/small instead of acme/large, until the next prompt.",
  )
  expect(stderr).toMatch(/1 step .* · acme\/small$/m)
})

it("compacts what a provider refuses as too long, and goes on with nothing of it on stdout", async () => {
  let opened = 0
  const replies: Replies = (request) => {
    if (isSummarizing(request)) return reply(text(SUMMARY))
    if (request.raw.length > 60_000) return contextOverflow()
    const command = `echo drawer ${++opened}; head -c 4000 /dev/zero | tr '\\0' x | fold -w 80`
    return opened > 14 ? reply(text("All drawers are open.")) : reply(call("bash", { command }))
  }
  await using here = await place(replies)

  const { code, stdout, stderr } = await here.pawl(["run", "Open all drawers."])

  expect({ code, stdout }).toEqual({ code: 0, stdout: "All drawers are open.\n" })
  expect(stderr).toContain("compacted to a summary")
  expect(here.server.requests.filter(({ status }) => status === 400).length).toBeGreaterThan(0)
})

it("asks a plugin what a failure is", async () => {
  await using here = await place([httpError(460, { message: "Out to lunch." }), reply(text("Back."))], {
    ...soon,
    plugin: ["./lunch.ts"],
  })
  const plugin = `import { definePlugin } from "@pawl/plugin"
  export default definePlugin(() => ({
    "provider.error": ({ statusCode, message }, output) => {
      if (statusCode === 460 && message.includes("lunch")) output.kind = "transient"
    },
  }))`
  await writeFile(join(here.configuration, "lunch.ts"), plugin)

  const { code, stdout } = await here.pawl(["run", "hi"])

  expect({ code, stdout }).toEqual({ code: 0, stdout: "Back.\n" })
  expect(here.server.requests).toHaveLength(2)
})

it("goes on counting and waiting where the process is killed during the wait", async () => {
  const config = { ...soon, retry: { attempts: 2, delay_ms: 1 } }
  await using here = await place(() => rateLimit({ retryAfter: 2 }), config)
  const first = here.start(["run", "hi"])
  await first.said("attempt 2 of 2")
  first.child.kill("SIGKILL")
  await first.finished

  const { code, stdout } = await here.pawl([...json, "--continue"])

  expect(code).toBe(1)
  expect(withoutAnswer(stdout).at(-1)).toMatchObject({ type: "error", error: { data: { kind: "rate-limited" } } })
  expect(here.server.requests).toHaveLength(2)
  const [one, two] = here.server.requests
  expect((two?.receivedAt ?? 0) - (one?.receivedAt ?? 0)).toBeGreaterThan(1900)
})
