import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { call, chatRequest, modelServer, reply, stall, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { noLog } from "@pawl/runtime/logging/log"
import { type Desk, desk } from "./in-process.ts"
import { configure, drawerServer, isSummarizing, said, SUMMARY, type SmallWindowOptions } from "./small-window.ts"
import { jsonLines, workplace } from "./workplace.ts"

/** A desk whose model has a window of 10,000 tokens. */
async function smallDesk(options: SmallWindowOptions, config: object = {}) {
  const server = await drawerServer(options)
  const place: Desk = await desk()
  await configure(place.configuration, server, config)
  const context = async (...args: readonly string[]) => {
    const { stdout } = await place.pawl("session", "context", "--format", "json", ...args)
    return JSON.parse(stdout) as Record<string, never>
  }
  const summaries = () => server.requests.filter((request) => isSummarizing(request))
  return { ...place, server, context, summaries, [Symbol.asyncDispose]: () => server.close() }
}

const all = async ({ pawl }: Desk) => (await pawl("session", "show", "--format", "json")).stdout

describe("a run that fills the window", () => {
  it("goes on to its answer, tells of each compaction in a line, and never takes a summary for an answer", async () => {
    await using place = await smallDesk({ drawers: 10 })

    const { code, stdout, stderr } = await place.pawl("run", "Open all drawers. The word is XYZZY.")

    expect({ code, stdout }).toEqual({ code: 0, stdout: "All drawers are open.\n" })
    expect(stderr).toMatch(/^compacted to a summary: \d\.\dk → \d\.\dk tokens · \$0\.0\d+$/m)
    expect(stderr).toContain("11 steps · 10 tool calls")
    expect(said(place.server.requests.at(-1)).join()).toContain("XYZZY")
    const shown = (await place.pawl("session", "show")).stdout
    expect(shown).toContain("⋯ a summary of what came before, for the agent:\n  ## Objective")
  })

  it("prints what happens beside the work as JSON lines of their own", async () => {
    await using place = await smallDesk({ drawers: 10 })

    const { stdout } = await place.pawl("run", "--format", "json", "Open all drawers.")

    const lines = jsonLines(stdout)
    expect(lines.filter(({ type }) => type === "text")).toHaveLength(1)
    expect(lines.filter(({ type }) => type === "compacting").length).toBeGreaterThan(0)
    const compacted = lines.filter(({ type }) => type === "compacted")
    expect(compacted.length).toBeGreaterThan(0)
    for (const line of compacted) {
      const { before, after } = line as { before: number; after: number }
      expect(line).toMatchObject({
        ...{ timestamp: expect.any(Number) as number, sessionID: expect.stringMatching(/^ses_/) as string },
        ...{ auto: true, strategy: "summary", cost: expect.any(Number) as number, dropped: expect.any(Array) as [] },
      })
      expect(after).toBeLessThan(before)
    }
  })

  it("ends with an error that says what to do where the environment switches compaction off", async () => {
    await using place = await smallDesk(
      { drawers: 10 },
      { compaction: { auto: true, models: { "*": { auto: true } } } },
    )
    place.environment["OPENCODE_DISABLE_AUTOCOMPACT"] = "1"

    const { code, stderr } = await place.pawl("run", "Open all drawers.")

    expect(code).toBe(1)
    expect(stderr).toContain("pawl session compact")
    expect(place.summaries()).toEqual([])
    expect(await place.context()).toMatchObject({ auto: false })
  })

  it("has its summaries written by the model that the configuration names", async () => {
    const models = {
      test: { limit: { context: 10_000, output: 1000 } },
      cheap: { limit: { context: 10_000, output: 1000 } },
    }
    await using place = await smallDesk({ drawers: 10 })
    const provider = { small: { options: { baseURL: place.server.url }, models } }
    await configure(place.configuration, place.server, { provider, agent: { compaction: { model: "small/cheap" } } })

    expect((await place.pawl("run", "Open all drawers.")).code).toBe(0)

    expect(place.summaries().length).toBeGreaterThan(0)
    for (const request of place.server.requests) {
      expect(chatRequest(request)).toMatchObject({ model: isSummarizing(request) ? "cheap" : "test" })
    }
  })

  it("has them written by its own model, and says so, where that one cannot be used", async () => {
    await using place = await smallDesk({ drawers: 10 }, { agent: { compaction: { model: "nobody/x" } } })

    const { code, stderr } = await place.pawl("run", "Open all drawers.")

    expect(code).toBe(0)
    expect(stderr).toMatch(/agent\.compaction\.model is nobody\/x, and cannot be used: .*own model writes summaries/)
    expect(place.summaries().length).toBeGreaterThan(0)
  })
})

describe("session compact", () => {
  it("replaces older messages by a summary with the user's focus, and says what it came to", async () => {
    await using place = await smallDesk({ drawers: 3 })
    await place.pawl("run", "Open some drawers.")

    const { code, stdout, stderr } = await place.pawl("session", "compact", "--focus", "where the key is")

    expect({ code, stdout }).toEqual({ code: 0, stdout: "" })
    expect(stderr).toMatch(/^compacted to a summary: \d\.\dk → \d\.\dk tokens · \$0\.00\d+ · \d messages replaced · /)
    expect(stderr).toMatch(/^go on: pawl run -s ses_\w+ "…"$/m)
    expect(said(place.summaries()[0]).at(-1)).toContain("where the key is")
    await place.pawl("run", "-c", "Go on.")
    const last = said(place.server.requests.at(-1)).join("\n")
    expect(last).toContain(SUMMARY)
    expect(last).not.toContain("drawer 1\\n")
    const [compaction] = (await place.context())["compactions"] as unknown as object[]
    expect(compaction).toMatchObject({ auto: false, status: "applied", strategy: "summary", focus: "where the key is" })
  })

  it("prints one JSON object, and takes a session, a model and a directory", async () => {
    await using place = await smallDesk({ drawers: 4 })
    await place.pawl("run", "Open some drawers.")
    const [{ id } = {}] = await place.sessions()
    await place.pawl("run", "Open more.")

    const { stdout } = await place.pawl("session", "compact", "--format", "json", "-m", "small/test", String(id))

    expect(jsonLines(stdout)).toMatchObject([{ sessionID: id, auto: false, strategy: "summary" }])
    expect(await place.pawl("session", "compact", "--dir", place.data)).toMatchObject({ code: 2 })
    expect(await place.pawl("session", "compact", "ses_x")).toMatchObject({ code: 2 })
    expect(await place.pawl("session", "compact", "--focus", " ")).toMatchObject({ code: 2 })
    expect(await place.pawl("session", "compact", "-m", "small/none")).toMatchObject({ code: 2 })
  })

  it("does without a model's summary where the summarizer fails, and says why", async () => {
    await using place = await smallDesk({ drawers: 4, summarizer: () => reply(text("No.")) })
    await place.pawl("run", "Open some drawers.")

    const { code, stderr } = await place.pawl("session", "compact")

    expect(code).toBe(0)
    expect(stderr).toMatch(/compacted to an extract: .* · no summary of a model: /)
  })

  it("says that there is nothing to compact, and leaves the session as it is for the model", async () => {
    await using place = await smallDesk({ drawers: 0, summarizer: () => reply(text("No.")) })
    await place.pawl("run", "Hi.")
    const before = (await place.context())["tokens"]

    const { code, stdout, stderr } = await place.pawl("session", "compact")

    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toContain("pawl: Nothing was compacted: ")
    expect((await place.context())["tokens"]).toBe(before)
  })

  it("leaves all as it was when it is interrupted", async () => {
    await using server = await drawerServer({ drawers: 3, summarizer: () => reply(stall()) })
    const { pawl, start, configuration } = await workplace()
    await configure(configuration, server)
    await pawl(["run", "Open some drawers."])
    const before = (await pawl(["session", "show", "--format", "json"])).stdout

    const { child, finished } = start(["session", "compact"])
    await server.received(5)
    child.kill("SIGINT")
    const { code, stderr } = await finished

    expect(code).toBe(130)
    expect(stderr).toContain("The session is unchanged.")
    expect((await pawl(["session", "show", "--format", "json"])).stdout).toBe(before)
  })

  it("is refused while another process works on the session", async () => {
    await using server = await drawerServer({ drawers: 4, silentAt: 2 })
    const { pawl, start, configuration } = await workplace()
    await configure(configuration, server)

    const { child, finished } = start(["run", "Open some drawers."])
    await server.received(2)
    const refused = await pawl(["session", "compact"])
    child.kill("SIGINT")
    await finished

    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/Session ses_\w+ is being worked on by another process/)
    expect(server.requests.some((request) => isSummarizing(request))).toBe(false)
  })
})

describe("session context", () => {
  it("shows a bar of what fills the window, and the facts below it, also as a part of session show", async () => {
    await using place = await smallDesk({ drawers: 2 })
    await place.pawl("run", "Open two drawers.")

    const { code, stdout } = await place.pawl("session", "context")

    expect(code).toBe(0)
    expect(stdout).toMatch(/^Open two drawers\.\nses_\w+ · agent build · small\/test\n\n█+▒+▞+·+\n/)
    expect(stdout).toMatch(
      /^next request {2}\d\.\dk tokens, at most \d\.\dk of 9\.0k usable \(\d+ %\); window 10\.0k$/m,
    )
    expect(stdout).toMatch(/^estimate {6}\d\.\d bytes a token, learned from 3 answers; off by \d+ % on average$/m)
    expect(await place.pawl("session", "show", "--context")).toMatchObject({ code: 0, stdout })
    expect(place.server.requests).toHaveLength(3)
  })

  it("gives programs all figures, of any model", async () => {
    await using place = await smallDesk({ drawers: 2 })
    await place.pawl("run", "Open two drawers.")

    const report = await place.context()
    const shares = report["shares"] as unknown as Record<string, number>

    expect(Object.values(shares).reduce((sum, share) => sum + share, 0)).toBe(report["tokens"])
    expect(report).toMatchObject({ limits: { window: 10_000, usable: 9000 }, calibration: { samples: 3 } })
    expect(await place.context("-m", "replay/demo")).toMatchObject({ limits: { window: 200_000 } })
  })

  it("speaks of a session whose model is not configured any more", async () => {
    await using place = await smallDesk({ drawers: 2 })
    await place.pawl("run", "Open two drawers.")
    await configure(place.configuration, place.server, { provider: {} })

    const { code, stdout } = await place.pawl("session", "context")

    expect(code).toBe(0)
    expect(stdout).toContain(
      'The model cannot be used, so its window is not known here: Provider "small" is not known.',
    )
    expect(stdout).toContain("limit not known")
  })
})

describe("session pin", () => {
  it("keeps a note for the newest session, and lists and removes it", async () => {
    await using place = await smallDesk({ drawers: 0 })
    await place.pawl("run", "Hi.")
    const { pawl } = place

    const pinned = await pawl("session", "pin", "Never", "touch main.")

    expect(pinned).toMatchObject({ code: 0, stdout: expect.stringMatching(/^pin_\w+\n$/) as string })
    const id = pinned.stdout.trim()
    expect((await pawl("session", "pin", "--list")).stdout).toBe(`${id}\n  Never touch main.\n`)
    expect(jsonLines((await pawl("session", "pin", "-l", "--format", "json")).stdout)).toMatchObject([
      { id, text: "Never touch main." },
    ])
    await pawl("run", "-c", "Go on.")
    expect(said(place.server.requests.at(-1)).join()).toContain("Never touch main.")
    expect((await pawl("session", "context")).stdout).toMatch(/^pinned {8}Never touch main\.$/m)
    expect(await pawl("session", "pin", "--remove", id)).toMatchObject({ code: 0 })
    expect((await pawl("session", "pin", "--list")).stderr).toMatch(/^Nothing is pinned to ses_/)
  })

  it("pins to a session that is named", async () => {
    await using place = await smallDesk({ drawers: 0 })
    await place.pawl("run", "Hi.")
    const [{ id } = {}] = await place.sessions()
    await place.pawl("run", "Another.")

    await place.pawl("session", "pin", String(id), "A note.")

    expect((await place.pawl("session", "pin", "--list", String(id))).stdout).toContain("A note.")
    expect((await place.pawl("session", "pin", "--list")).stdout).toBe("")
  })

  it.each([
    ["no note", [], 'missing note: pawl session pin "<note>"'],
    ["an empty one", [" "], "missing note"],
    ["a huge one", ["x".repeat(5000)], "The note has 5000 characters, and at most 4000 are kept"],
    ["two wishes", ["--list", "--remove", "pin_x"], "cannot be used together"],
    ["a note to list", ["--list", "x"], 'unexpected argument "x": not a session, and --list takes no note.'],
    ["a pin that is not there", ["--remove", "pin_x"], "has no pinned note pin_x. It has none."],
  ])("refuses %s", async (_what, args, message) => {
    await using place = await smallDesk({ drawers: 0 })
    await place.pawl("run", "Hi.")
    const before = await all(place)
    const { code, stderr } = await place.pawl("session", "pin", ...args)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(await all(place)).toBe(before)
  })
})

describe("--agent", () => {
  it("plans without changing anything, and the session keeps it", async () => {
    await using place = await smallDesk({ drawers: 0 })

    expect(await place.pawl("run", "--agent", "plan", "How?")).toMatchObject({ code: 0 })

    expect(said(place.server.requests[0]).join()).toContain("Plan mode: change nothing.")
    expect(await place.sessions()).toMatchObject([{ agent: "plan" }])
    expect(await place.pawl("run", "-c", "--agent", "build", "Do it.")).toMatchObject({ code: 0 })
    expect(said(place.server.requests[1]).join()).toContain("Plan mode is over")
  })

  it("is refused where nobody has it, and leaves no session", async () => {
    await using place = await smallDesk({ drawers: 0 }, { agent: { compaction: { model: "small/test" } } })
    const refused = await place.pawl("run", "--agent", "nobody", "How?")
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toContain('--agent is "nobody", and there is no such agent. To choose from: build, plan.')
    expect(await place.sessions()).toEqual([])
  })
})

describe("a run that clears old outputs", () => {
  async function largeDesk() {
    let opened = 0
    const command = () => `echo drawer ${opened}; head -c 28000 /dev/zero | tr '\\0' x | fold -w 80`
    const server = await modelServer({
      replies: () => reply(++opened <= 20 ? call("bash", { command: command() }) : text("All drawers are open.")),
    })
    const logged: string[] = []
    const place = await desk({ log: { ...noLog, write: (_level, event) => void logged.push(event) } })
    const run = (...args: string[]) => place.pawl("run", "--model", "large/test", "--base-url", server.url, ...args)
    await run("Open all drawers.")
    await run("-c", "And now?")
    logged.length = 0
    return { ...place, run, logged, [Symbol.asyncDispose]: () => server.close() }
  }

  it("shows and counts no call of earlier runs as its own", async () => {
    await using place = await largeDesk()

    const { stdout, stderr } = await place.run("-c", "And now?")

    expect(stdout).toBe("All drawers are open.\n")
    expect(stderr).toMatch(/^old outputs of tools cleared: \d+k → [\d.]+k tokens\n\n1 step · \d/)
  })

  it("prints, records and logs none of them", async () => {
    await using place = await largeDesk()
    const file = join(place.project, "run.jsonl")

    const { stdout } = await place.run("-c", "--format", "json", "--record", file, "And now?")

    const types = jsonLines(stdout).map(({ type }) => type)
    expect(types).toContain("compacted")
    expect(types).not.toContain("tool_use")
    expect(place.logged).toContain("compacted")
    expect(place.logged).not.toContain("tool")
    expect(jsonLines(await readFile(file, "utf8")).filter((line) => "result" in line)).toEqual([])

    const replayed = await place.pawl("replay", file)
    expect(replayed.stderr).toMatch(/^old outputs of tools cleared/m)
    expect(replayed.stderr).not.toContain("● bash")
  })
})
