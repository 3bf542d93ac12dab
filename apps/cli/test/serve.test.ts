import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createOpencodeClient } from "@opencode-ai/sdk"
import { expect, it, onTestFinished } from "vitest"
import { workplace, type Workplace } from "./workplace.ts"

async function serve(place: Workplace, ...args: readonly string[]) {
  const { child, finished, said } = place.start(["serve", "-m", "replay/hello", ...args])
  onTestFinished(() => void child.kill("SIGKILL"))
  let shown = ""
  child.stderr?.on("data", (chunk: string) => (shown += chunk))
  await said("oken")
  const url = /http:[^\s"]+/.exec(shown)?.[0] ?? ""
  return { child, finished, url, shown: () => shown }
}

async function clientOf(place: Workplace, url: string) {
  const token = (await readFile(join(place.data, "serve-token"), "utf8")).trim()
  const authorization = `Basic ${Buffer.from(`opencode:${token}`).toString("base64")}`
  return createOpencodeClient({ baseUrl: url, directory: place.project, headers: { authorization } })
}

it("serves OpenCode's clients until a signal, and keeps what they did", async () => {
  const place = await workplace()
  const first = await serve(place)
  const token = join(place.data, "serve-token")
  if (process.platform !== "win32") expect((await stat(token)).mode & 0o777).toBe(0o600)
  expect(first.shown()).not.toContain((await readFile(token, "utf8")).trim())
  expect(JSON.parse(await readFile(join(place.data, "serve.json"), "utf8"))).toMatchObject({ address: first.url })
  const client = await clientOf(place, first.url)
  const created = await client.session.create({ body: { title: "Kept" } })
  const id = created.data?.id ?? ""
  const answer = await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "Hi" }] } })
  expect(JSON.stringify(answer.data?.parts)).toContain("Hello!")
  first.child.kill("SIGTERM")
  expect(await first.finished).toMatchObject({ code: 0, stdout: "" })
  await expect(stat(join(place.data, "serve.json"))).rejects.toThrow("ENOENT")

  const second = await serve(place, "--port", new URL(first.url).port)
  expect(second.url).toBe(first.url)
  const messages = await (await clientOf(place, second.url)).session.messages({ path: { id } })
  expect(messages.data).toHaveLength(2)
  const taken = await place.pawl(["serve", "-m", "replay/hello", "--port", new URL(first.url).port])
  expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining("it is taken. Name another one, or none.") })
  second.child.kill("SIGINT")
  expect((await second.finished).code).toBe(0)
})

it("trusts its own directory with --trust, and no other one", async () => {
  const place = await workplace()
  const other = await realpath(await mkdtemp(join(tmpdir(), "pawl-other-")))
  onTestFinished(() => rm(other, { recursive: true, force: true }))
  const ran = (directory: string) => join(directory, "ran")
  for (const directory of [place.project, other]) {
    await mkdir(join(directory, ".pawl", "plugin"), { recursive: true })
    const plugin = `import { writeFileSync } from "node:fs"\nwriteFileSync(${JSON.stringify(ran(directory))}, "")\nexport default async () => ({})\n`
    await writeFile(join(directory, ".pawl", "plugin", "mark.js"), plugin)
  }
  const { url } = await serve(place, "--trust")
  const token = (await readFile(join(place.data, "serve-token"), "utf8")).trim()
  for (const directory of [place.project, other]) {
    const query = `directory=${encodeURIComponent(directory)}`
    const response = await fetch(`${url}/experimental/tool/ids?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(response.status).toBe(200)
  }
  await expect(stat(ran(place.project))).resolves.toBeDefined()
  await expect(stat(ran(other))).rejects.toThrow("ENOENT")
})

it.each([
  ["nope/x", 'Provider "nope" is not known. Known: openai, '],
  ["antropic/x", 'Provider "antropic" is not known; did you mean "anthropic"?'],
  ["replay/helo", "hello"],
  ["no-slash", "no-slash"],
])("announces no server with the model %s", async (model, words) => {
  const place = await workplace()
  const { code, stderr } = await place.pawl(["serve", "-m", model])
  expect(code).toBe(2)
  expect(stderr).toContain(words)
  expect(stderr).toContain(model)
  expect(stderr).not.toContain("Serving")
  await expect(stat(join(place.data, "serve.json"))).rejects.toThrow("ENOENT")
})

it("names the directory of positions that it cannot use", async () => {
  const place = await workplace()
  const path = join(place.data, "serve-positions")
  await mkdir(place.data, { recursive: true })
  await writeFile(path, "in the way")
  const { code, stderr } = await place.pawl(["serve", "-m", "replay/hello"])
  expect(code).toBe(1)
  expect(stderr).toContain(`cannot keep the positions of its clients in ${path}: `)
  expect(stderr).toContain("Make it a directory that your user can read and write, or remove it.")
  expect(stderr).not.toContain("    at ")
})

it.each([
  [["--port", "70000"], 'invalid value "70000" for --port'],
  [["--port", "1", "--socket", "x"], "--port and --socket exclude each other."],
  ...["*", "https://a.example/path", "example.com", "null"].map((origin): [readonly string[], string] => [
    [`--cors=${origin}`],
    `invalid value "${origin}" for --cors`,
  ]),
])("says what is wrong with %j", async (args, words) => {
  const place = await workplace()
  const { code, stderr } = await place.pawl(["serve", ...args])
  expect(code).toBe(2)
  expect(stderr).toContain(words)
})
