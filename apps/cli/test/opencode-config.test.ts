import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"

const write = async (path: string, text: string) => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

async function place() {
  const there = await desk()
  // OpenCode's directory counts only where nobody names another one for pawl.
  delete there.environment["PAWL_CONFIG_DIR"]
  await mkdir(join(there.project, ".git"))
  return { ...there, home: dirname(there.project) }
}

it("says once what is left out of a file for OpenCode, and again when it is something else", async () => {
  const { pawl, project } = await place()
  const file = join(project, "opencode.json")
  const run = async () => (await pawl("run", "-m", "replay/hello", "hi")).stderr
  await write(file, '{ "theme": "dark",\n  "modle": "a/b",\n  "title": false }')

  const first = await run()
  expect(first).toContain(`opencode.json: pawl does not know modle (2:3); 1 key means nothing here.`)
  expect(first).toContain("pawl config files")
  expect(await run()).not.toContain("modle")

  await write(file, '{ "modle": "a/b", "other": 1 }')
  expect(await run()).toContain("modle (1:3), other (1:19)")
})

it("lists what is left out, and why, with the file", async () => {
  const { pawl, project } = await place()
  await write(join(project, ".opencode/opencode.jsonc"), '{ "theme": "dark", // mine\n "modle": "a/b" }')

  const { stdout } = await pawl("config", "files")

  expect(stdout).toContain(".opencode/opencode.jsonc · of the project\n")
  expect(stdout).toContain("  without theme (1:3): pawl has no such terminal interface\n")
  expect(stdout).toContain("  without modle (2:2): pawl does not know it\n")
  expect((await pawl("doctor")).stdout).toContain("without 2 keys that mean nothing here")
})

it("takes one's own from OpenCode's directory until there is a pawl.jsonc", async () => {
  const { pawl, home } = await place()
  await write(join(home, ".config/opencode/opencode.json"), '{ "model": "a/opencode" }')
  expect((await pawl("config", "show", "model")).stdout).toBe('"a/opencode"\n')

  await write(join(home, ".config/pawl/pawl.jsonc"), '{ "title": false }')
  expect(JSON.parse((await pawl("config", "show")).stdout)).toEqual({ title: false })
})

it("trusts a project's file for OpenCode no further than one for pawl", async () => {
  const { pawl, project } = await place()
  const file = join(project, "opencode.json")
  await write(file, '{ "model": "a/b", "plugin": ["./evil.ts"], "agents": { "a": { "prompt": "{env:HOME}" } } }')
  await write(join(project, "evil.ts"), "throw new Error('ran')")

  const { stdout, stderr } = await pawl("config", "show")
  expect(JSON.parse(stdout)).toEqual({ model: "a/b", agent: { a: { prompt: "{env:HOME}" } } })
  expect(stderr).toContain("plugin, a reference of opencode.json")

  expect((await pawl("trust", "--yes")).stderr).not.toContain("Error")
  expect((await pawl("config", "show", "plugin[0]")).stdout).toBe('"./evil.ts"\n')
  await write(join(project, "evil.ts"), "throw new Error('ran again')")
  expect((await pawl("config", "show")).stdout).not.toContain("evil")
})

it("names file, line and column where a known key is of the wrong type", async () => {
  const { pawl, project } = await place()
  await write(join(project, "opencode.json"), '{\n  "permission": { "bash": "alow" }\n}')

  const { code, stderr } = await pawl("config", "show")

  expect(code).toBe(2)
  expect(stderr).toContain("opencode.json:2:27")
  expect(stderr).toContain('Did you mean "allow"?')
})

it("gets servers written into it, which would hide it in a file of pawl's own", async () => {
  const { pawl, home } = await place()
  const file = join(home, ".config/opencode/opencode.json")
  await write(file, '{ // mine\n  "model": "a/b"\n}\n')

  expect((await pawl("mcp", "add", "files", "--", "files-server")).code).toBe(0)

  expect(await readFile(file, "utf8")).toContain("// mine")
  expect(JSON.parse((await pawl("config", "show")).stdout)).toMatchObject({
    model: "a/b",
    mcp: { files: { type: "local", command: ["files-server"] } },
  })
})
