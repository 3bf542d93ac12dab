import { existsSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { type Desk, desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** Runs the script, and returns the recording of that. */
async function recorded(here: Desk, script: readonly object[], ...rest: readonly string[]): Promise<string> {
  const file = join(here.project, "..", "run.jsonl")
  await writeFile(join(here.project, "..", "script.jsonl"), script.map((line) => JSON.stringify(line)).join("\n"))
  await here.pawl("run", "--script", "../script.jsonl", "--record", file, "--overwrite", ...rest)
  return file
}

/** The session as a recording that was made of what is stored. */
async function exported(here: Desk): Promise<string> {
  const [session] = await here.sessions()
  const { code } = await here.pawl("session", "export", "--recording", String(session?.["id"]), "-o", "later.jsonl")
  expect(code).toBe(0)
  return "later.jsonl"
}

async function written(here: Desk, lines: readonly object[]): Promise<string> {
  await writeFile(join(here.project, "written.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"))
  return "written.jsonl"
}

async function waitFor(path: string): Promise<void> {
  await expect.poll(() => existsSync(path)).toBe(true)
}

const task = (prompt: string, id?: string) => {
  return { tool: "task", input: { description: prompt, prompt, subagent_type: "explore", ...(id && { task_id: id }) } }
}
const bash = (command: string) => ({ tool: "bash", input: { command } })

it("replays a prompt with a text file and an image, and what was read of them", async () => {
  const here = await desk()
  await writeFile(join(here.project, "a.png"), Buffer.from(PIXEL, "base64"))
  await writeFile(join(here.project, "notes.txt"), "what is to be done\n")
  const script = [{ tool: "read", input: { filePath: "a.png" } }, { text: "Seen." }]
  const file = await recorded(here, script, "-f", "a.png", "look at @notes.txt")

  const replay = await here.pawl("replay", file)
  const later = await exported(here)

  expect(replay).toMatchObject({ code: 0 })
  expect(await readFile(join(here.project, later), "utf8")).toContain("what is to be done")
  expect(await here.pawl("replay", later)).toMatchObject({ code: 0 })
})

it("replays work that goes on in a subagent's session from before the recording", async () => {
  const here = await desk()
  const first = await recorded(
    here,
    [{ position: "sequence" }, task("one"), { text: "Child." }, { text: "Top." }],
    "go",
  )
  const id = /"session":"s2","id":"(?<id>ses_\w+)"/.exec(await readFile(first, "utf8"))?.groups?.["id"]
  const again = [{ position: "sequence" }, task("two", id), { text: "Child again." }, { text: "Top again." }]
  const file = await recorded(here, again, "-c", "again")

  const { code, stdout } = await here.pawl("replay", file)

  expect({ code, stdout: stdout.includes("3 steps, 1 tool call") }).toEqual({ code: 0, stdout: true })
})

it("replays a fork with the history that it shares", async () => {
  const here = await desk()
  const id = await here.talk("hello")
  await here.pawl("session", "fork", id)
  const [fork] = await here.sessions()
  const file = await recorded(here, [{ text: "One." }, { text: "Two." }], "-s", String(fork?.["id"]), "again")

  expect(fork?.["id"]).not.toBe(id)
  expect(await here.pawl("replay", file)).toMatchObject({ code: 0 })
})

it.each([
  ["failed", [{ reply: [{ text: "Half" }, { error: { kind: "auth", message: "no key" } }] }]],
  [
    "was tried again",
    [bash("echo a"), { error: { kind: "transient", message: "busy", retryAfter: 1 } }, { text: "Done." }],
  ],
  ["asked for a tool that is not there", [{ tool: "nothing", input: {} }, { text: "Done." }]],
])("makes a recording that replays to the same of a stored session that %s", async (_name, script) => {
  const here = await desk()
  const file = await recorded(here, script, "go")

  expect(await here.pawl("replay", file)).toMatchObject({ code: 0 })
  expect(await here.pawl("replay", await exported(here))).toMatchObject({ code: 0 })
})

it("makes one of a session that was compacted on its way, without the compaction", async () => {
  const here = await desk()
  const model = { limit: { context: 13_000, output: 1300 } }
  const full = { reply: [bash("echo two")], usage: { input: 12_000, output: 10 } }
  const script = [
    { position: "sequence", model },
    bash("echo one"),
    full,
    ...[1, 2, 3, 4].map(() => ({ text: "Said." })),
  ]
  const file = await recorded(here, script, "go")

  const replay = await here.pawl("replay", file)
  const later = await here.pawl("replay", await exported(here))

  expect([replay.code, replay.stderr.includes("compacted")]).toEqual([0, true])
  expect([later.code, later.stderr.includes("compacted")]).toEqual([0, false])
})

it("gives a prompt none of the replies to the next one when its own ended in the middle", async () => {
  const here = await desk()
  const file = await written(here, [
    ...[{ recording: 1 }, { prompt: "first" }, { tool: "x", id: "c1", input: {} }],
    ...[{ result: { call: "c1", tool: "x", input: {}, output: "o" } }, { end: { type: "aborted" } }],
    ...[{ prompt: "second" }, { text: "Second." }, { end: { type: "answered", answer: "Second." } }],
  ])

  const { code, stdout } = await here.pawl("replay", file)

  expect({ code, same: stdout.includes("2 steps, 1 tool call") }).toEqual({ code: 0, same: true })
})

it("replays subagents of two depths, which work beside each other", async () => {
  const here = await desk()
  const input = (prompt: string) => ({ description: prompt, prompt, subagent_type: "worker" })
  const work = (session: string, call: string, prompt: string) => {
    return { session, reply: [{ tool: "task", id: call, input: input(prompt) }] }
  }
  const result = (session: string, call: string, prompt: string, output: string) => {
    return { result: { session, call, tool: "task", input: input(prompt), output, metadata: { sessionId: "ses_x" } } }
  }
  const both = ["a", "b"].map((prompt, at) => ({ tool: "task", id: `c${at}`, input: input(prompt) }))
  const file = await written(here, [
    { recording: 1, agents: [{ name: "worker", mode: "subagent", prompt: "Work." }], settings: { subagentDepth: 2 } },
    ...[{ prompt: "go" }, { reply: both }],
    ...["s2", "s3"].map((session, at) => ({ session, parent: "s1", call: `c${at}`, agent: "worker" })),
    ...["s4", "s5"].map((session, at) => ({ session, parent: `s${at + 2}`, call: `d${at}`, agent: "worker" })),
    ...[work("s2", "d0", "aa"), work("s3", "d1", "bb"), { session: "s4", text: "AA" }, { session: "s5", text: "BB" }],
    ...[result("s3", "d1", "bb", "BB"), result("s2", "d0", "aa", "AA"), { session: "s3", text: "B" }],
    ...[{ session: "s2", text: "A" }, result("s1", "c1", "b", "B"), result("s1", "c0", "a", "A"), { text: "Done." }],
    { end: { type: "answered", answer: "Done." } },
  ])

  const { code, stdout } = await here.pawl("replay", file)

  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("8 steps, 4 tool calls") as string,
  })
})

it("does not compare what plugins made of system prompts, which is given", async () => {
  const here = await desk()
  const line = (turn: number) => [
    { system: `s${turn}`, blocks: [`turn ${turn}`] },
    { tool: "x", id: `c${turn}`, input: { turn }, request: { system: `s${turn}`, keep: 9, add: [] } },
    { result: { call: `c${turn}`, tool: "x", input: { turn }, output: "" } },
  ]
  const lines = [{ prompt: "go" }, ...line(1), ...line(2), { text: "Done." }, { end: { type: "answered" } }]

  const [without, given] = [
    await here.pawl("replay", await written(here, [{ recording: 1 }, ...lines])),
    await here.pawl("replay", await written(here, [{ recording: 1, plugins: ["turns"] }, ...lines])),
  ]

  expect(without.stdout).toContain("system block")
  expect(given.stdout).not.toContain("system block")
})

it("asks with the variant that was recorded, where the model has it", async () => {
  const here = await desk()
  const models = { "acme/large": { variants: { high: { effort: "high" } } } }
  const line = (variant: string) => [
    ...[
      { recording: 1, models },
      { prompt: "go", by: "acme/large", variant },
      { by: "acme/large", text: "Yes." },
    ],
    { end: { type: "answered", answer: "Yes." } },
  ]

  const known = await here.pawl("replay", "--format", "json", await written(here, line("high")))
  const unknown = await here.pawl("replay", "--format", "json", await written(here, line("__proto__")))

  expect([known.code, unknown.code]).toEqual([0, 0])
  expect(known.stdout).toContain('"variant":"high"')
  expect(unknown.stdout).not.toContain('"variant"')
})

it("tells which file cannot be replayed, and goes on with the others", async () => {
  const here = await desk()
  const good = [{ prompt: "go" }, { text: "Yes." }, { end: { type: "answered", answer: "Yes." } }]
  await writeFile(join(here.project, "hidden.jsonl"), '{"prompt":"go","agent":"title"}\n{"text":"x"}\n')
  await writeFile(
    join(here.project, "deep.jsonl"),
    `{"prompt":"go"}\n{"settings":${"[".repeat(9000)}${"]".repeat(9000)}}\n`,
  )

  const { code, stdout } = await here.pawl("replay", "hidden.jsonl", "deep.jsonl", await written(here, good))
  const json = await here.pawl("replay", "--format", "json", "hidden.jsonl", "deep.jsonl")

  expect(code).toBe(2)
  expect(stdout).toContain('unusable hidden.jsonl cannot be replayed: Agent "title" is internal')
  expect(stdout).toContain("unusable deep.jsonl:2: It is nested deeper than 500 levels.")
  expect(stdout).toContain("3 recordings: 1 same, 2 cannot be replayed")
  expect(jsonLines(json.stdout).map(({ error }) => String(error).slice(0, 6))).toEqual(["hidden", "deep.j"])
  expect(await here.pawl("replay", "hidden.jsonl")).toMatchObject({ code: 2 })
})

it.each(["--steer", "--queue"])("plays what was said meanwhile with %s where it was read", async (how) => {
  const here = await desk()
  const script = [bash("touch begun; while [ ! -e said ]; do sleep 0.02; done"), { text: "One." }, { text: "Two." }]
  const running = recorded(here, script, "go")
  await waitFor(join(here.project, "begun"))
  const [session] = await here.sessions()
  const said = await here.pawl(
    "run",
    "-s",
    String(session?.["id"]),
    "--script",
    "../script.jsonl",
    how,
    "And be quick.",
  )
  await writeFile(join(here.project, "said"), "")
  const file = await running

  const { code, stdout } = await here.pawl("replay", file)

  expect(said).toMatchObject({ code: 0 })
  expect(await readFile(file, "utf8")).toContain(`"delivery":"${how.slice(2)}"`)
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("1 tool call") as string })
  expect(await here.pawl("replay", await exported(here))).toMatchObject({ code: 0 })
})
