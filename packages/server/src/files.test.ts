import { execFileSync } from "node:child_process"
import { mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { serving, type Serving } from "../test/serving.ts"

/** Status, and what is said. */
async function ask({ app }: Serving, path: string): Promise<[number, string]> {
  const answer = await app.request(path)
  return [answer.status, await answer.text()]
}

const rules = [{ permission: "read", pattern: "private/*", action: "deny" as const }]

async function withSecrets(): Promise<Serving> {
  const serve = await serving({ host: { permission: () => [{ name: "test", rules }] } })
  const { directory } = serve
  await mkdir(join(directory, "private"))
  await mkdir(join(directory, "sub"))
  const secrets = [".env", "sub/.ENV.local", "sub/.npmrc", "private/key.txt"]
  for (const name of [...secrets, ".env.example", "open.txt"]) await writeFile(join(directory, name), `TOKEN ${name}\n`)
  await symlink("../.env", join(directory, "sub/innocent.txt"))
  return serve
}

describe("rules of reading", () => {
  it.each([".env", "sub/.ENV.local", "sub/.npmrc", "private/key.txt", "sub/innocent.txt", "sub/../.env", "./.env"])(
    "keep %s from being read, whatever it is called",
    async (path) => {
      await using serve = await withSecrets()
      const [status, text] = await ask(serve, `/file/content?path=${encodeURIComponent(path)}`)
      expect([status, text]).toEqual([400, expect.stringContaining("may not be read")])
      expect(text).not.toContain("TOKEN")
    },
  )

  it("keep such files out of what is found in texts, and leave the others", async () => {
    await using serve = await withSecrets()
    const found = JSON.parse((await ask(serve, "/find?pattern=TOKEN"))[1]) as { path: { text: string } }[]
    expect(found.map(({ path }) => path.text).toSorted()).toEqual([".env.example", "open.txt"])
    expect((await ask(serve, "/file/content?path=.env.example"))[1]).toContain("TOKEN")
  })

  it("keep the names of what is denied out of lists, and not of what is asked about", async () => {
    await using serve = await withSecrets()
    const named = JSON.parse((await ask(serve, "/find/file?query=e&limit=200"))[1]) as string[]
    expect(named).toContain(".env")
    expect(named).not.toContain("private/key.txt")
    expect((await ask(serve, "/file?path=private"))[1]).toBe("[]")
  })
})

it("has nothing that is hidden in a home directory which the project is", async () => {
  await using serve = await serving()
  const { directory } = serve
  vi.stubEnv("HOME", directory)
  onTestFinished(() => void vi.unstubAllEnvs())
  await mkdir(join(directory, ".ssh"))
  for (const name of [".ssh/id", "open.txt"]) await writeFile(join(directory, name), "TOKEN\n")
  expect(await ask(serve, "/file/content?path=.ssh/id")).toEqual([400, expect.stringContaining("lies outside")])
  for (const path of ["/find?pattern=TOKEN", "/find/file?query=i&limit=200", "/file?path=."]) {
    const [status, text] = await ask(serve, path)
    expect([status, text]).toEqual([200, expect.not.stringContaining("ssh")])
  }
  expect((await ask(serve, "/file?path=.ssh"))[0]).toBe(400)
})

describe("a path", () => {
  it("that is of another kind than asked for is a bad request", async () => {
    await using serve = await serving()
    const { directory } = serve
    await mkdir(join(directory, "sub"))
    execFileSync("mkfifo", [join(directory, "pipe")])
    await writeFile(join(directory, "huge"), "")
    await truncate(join(directory, "huge"), 2 ** 40)
    for (const path of ["sub", "", "pipe", "huge"]) {
      expect(await ask(serve, `/file/content?path=${path}`)).toEqual([400, expect.stringContaining("BadRequest")])
    }
    expect(await ask(serve, "/file?path=read.me")).toEqual([400, expect.stringContaining("read.me is not a directory")])
  })

  it("may begin with two dots and lie inside all the same", async () => {
    await using serve = await serving()
    await writeFile(join(serve.directory, "..odd"), "odd")
    expect(await ask(serve, "/file/content?path=..odd")).toEqual([200, expect.stringContaining("odd")])
    for (const path of ["..", "../x", "..%2f..%2fetc%2fhostname", "/etc/hostname"]) {
      expect((await ask(serve, `/file/content?path=${path}`))[0]).toBe(400)
    }
  })
})

describe("changed files", () => {
  it("are counted without following links or waiting for devices", async () => {
    await using serve = await serving()
    await symlink("/dev/zero", join(serve.directory, "endless"))
    await symlink("read.me", join(serve.directory, "link"))
    const changed = JSON.parse((await ask(serve, "/file/status"))[1]) as object[]
    // A link to a place outside of the project is denied, and not named.
    expect(changed).toEqual([{ path: "link", added: 1, removed: 0, status: "added" }])
  })
})

describe("lines of untracked files", () => {
  it("are counted like those of git, for more files than are read at the same time", async () => {
    await using serve = await serving()
    const texts = { a: "", b: "\n", c: "1", d: "1\n2", e: "1\r\n2\n\n", f: "1\n\0\n", g: "1\n2\n3\n" }
    for (const [name, text] of Object.entries(texts)) await writeFile(join(serve.directory, name), text)
    const changed = JSON.parse((await ask(serve, "/file/status"))[1]) as { path: string; added: number }[]
    const counts = Object.fromEntries(changed.map(({ path, added }) => [path, added]))
    expect(counts).toEqual({ a: 0, b: 1, c: 1, d: 2, e: 3, f: 0, g: 3 })
  })
})

describe("texts", () => {
  it("are found among more lines than could be kept", async () => {
    await using serve = await serving()
    const line = `${"match ".repeat(20)}\n`
    await writeFile(join(serve.directory, "large.txt"), line.repeat(20_000))
    const found = JSON.parse((await ask(serve, "/find?pattern=match"))[1]) as object[]
    expect(found).toHaveLength(10)
  })
})

it("leaves denied files out of the differences from the last commit", async () => {
  const rules = [
    { permission: "read", pattern: "*.key", action: "deny" as const },
    { permission: "read", pattern: "*.ask", action: "ask" as const },
  ]
  await using scene = await serving({ host: { permission: () => [{ name: "configuration", rules }] } })
  for (const name of ["new.txt", "own.key", "own.ask"]) await writeFile(join(scene.directory, name), "x\n")
  await rm(join(scene.directory, "read.me"))
  const [, answer] = await ask(scene, "/file/status")
  const files = JSON.parse(answer) as { path: string; status: string }[]
  expect(files.map(({ path, status }) => `${status} ${path}`).toSorted()).toEqual([
    "added new.txt",
    "added own.ask",
    "deleted read.me",
  ])
})
