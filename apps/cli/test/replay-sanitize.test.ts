import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { workplace } from "./workplace.ts"

const KEY = `sk-ant-api03-${"a1B2c3D4e5".repeat(9)}-AA`
const TOKEN = "ghp_abcdefghij0123456789abcdefghij012345"
const MAIL = "ada.lovelace@analytical.engine"
const HOME = "/home/lovelace"

/** Secrets, an address and a home directory in every place that a recording has for a text. */
const INPUT = {
  ...{ id: `of ${MAIL}`, type: `as ${KEY}`, tool: TOKEN, session: KEY, system: `for ${MAIL}`, by: `${HOME}/b` },
  env: { GITHUB_TOKEN: "hunter2hunter2", [`${HOME}/f.ts`]: 1, [KEY]: "named by a key" },
  headers: { Authorization: "Bearer abcdefgh12345678", "x-api-key": "q1w2e3r4t5y6" },
  args: ["--token", "s3cr3tvalue99"],
}
const LINES = [
  {
    ...{ recording: 1, directory: `${HOME}/p`, worktree: `${HOME}/p`, plugins: [`plugin-${TOKEN}`] },
    agents: [{ name: "build", prompt: `with ${KEY}`, description: MAIL }],
    models: { "a/b": { headers: { authorization: "Bearer zzzzzzzzzzzzzzzz" }, options: { apiKey: "q1w2e3r4" } } },
  },
  { system: "s", blocks: [`with ${KEY}`] },
  {
    tools: "t",
    definitions: [{ name: "x", description: TOKEN, inputSchema: { properties: { id: { title: MAIL } } } }],
  },
  { session: "s1", title: `of ${TOKEN}`, id: "ses_1" },
  { prompt: [{ type: "text", text: `go ${KEY}` }] },
  {
    reply: [
      { reasoning: `so ${KEY}`, metadata: { signature: KEY } },
      { text: `now ${TOKEN}` },
      { tool: "x", id: "c1", input: INPUT },
      { tool: "x", id: "c2", arguments: `{"id":"${MAIL}","k":"${KEY}","p":"${HOME}/z",` },
      { event: { type: "tool-result", id: "c3", name: "search", output: { id: MAIL, type: KEY } } },
    ],
  },
  {
    result: {
      ...{ call: "c1", tool: "x", input: INPUT, output: `password=hunter2hunter2 ${KEY}`, title: `${HOME}/t ${TOKEN}` },
      metadata: { id: MAIL, diagnostics: { [`${HOME}/a.ts`]: ["x"], [`file://${HOME}/${TOKEN}`]: [] } },
      attachments: [{ mime: "text/plain", filename: `${TOKEN}.txt`, url: `data:text/plain,${KEY}` }],
    },
  },
  { result: { call: "c2", tool: "x", input: {}, error: `no ${KEY}` } },
  { permission: { session: "s1", patterns: [`x ${KEY}`], call: "c1" } },
  { text: "Done." },
  { end: { type: "answered", answer: "Done." } },
]
const HIDDEN = [KEY, TOKEN, MAIL, "lovelace", "hunter2", "abcdefgh12345678", "q1w2e3r4", "s3cr3tvalue", "zzzzzzzz"]

it.each([
  ["secrets", []],
  ["content", ["--without-content"]],
])(
  "finds what is secret in names of fields, arguments, results, metadata, titles and settings: %s",
  async (_level, options) => {
    const here = await desk()
    await writeFile(join(here.project, "bug.jsonl"), LINES.map((line) => JSON.stringify(line)).join("\n"))

    const { code, stderr } = await here.pawl("replay", "--sanitize", "clean.jsonl", ...options, "bug.jsonl")
    const clean = await readFile(join(here.project, "clean.jsonl"), "utf8")

    expect(code).toBe(0)
    expect(HIDDEN.filter((word) => clean.includes(word))).toEqual([])
    expect(HIDDEN.filter((word) => stderr.includes(word))).toEqual([])
    expect(stderr).toContain("The copy replays to the same verdict as the recording.")
  },
)

it("does not write over the recording itself", async () => {
  const here = await desk()
  const file = join(here.project, "bug.jsonl")
  await writeFile(file, '{"prompt":"go"}\n{"text":"Yes."}\n')

  const { code, stderr } = await here.pawl("replay", "--sanitize", "bug.jsonl", "--overwrite", "./bug.jsonl")

  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("another file") as string })
  expect(await readFile(file, "utf8")).toBe('{"prompt":"go"}\n{"text":"Yes."}\n')
})

it("that is broken off leaves what was there, and nothing half written", async () => {
  const { project, start } = await workplace()
  const long = ['{"prompt":"go"}', ...Array.from({ length: 50_000 }, () => `{"text":"of ${MAIL}"}`)]
  await writeFile(join(project, "bug.jsonl"), `${long.join("\n")}\n`)
  await writeFile(join(project, "clean.jsonl"), "before")

  const { child, finished } = start(["replay", "--sanitize", "clean.jsonl", "--overwrite", "bug.jsonl"])
  await expect.poll(async () => (await readdir(project)).length, { interval: 5 }).toBe(3)
  child.kill("SIGINT")

  expect((await finished).code).toBe(130)
  expect((await readdir(project)).toSorted(inOrder)).toEqual(["bug.jsonl", "clean.jsonl"])
  expect(await readFile(join(project, "clean.jsonl"), "utf8")).toBe("before")
})

function inOrder(a: string, b: string): number {
  return a < b ? -1 : 1
}
