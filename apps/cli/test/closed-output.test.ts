import { existsSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { inShell, jsonLines, type Workplace, workplace } from "./workplace.ts"

/** A session with enough in it that no pipe holds all of it. */
async function withSession(): Promise<Workplace & { readonly id: string }> {
  const place = await workplace()
  const { stdout } = await place.pawl(["run", "-m", "replay/hello", "--format", "json", "-"], {
    stdin: "words ".repeat(60_000),
  })
  return { ...place, id: String(jsonLines(stdout)[0]?.["sessionID"]) }
}

const readers: readonly (readonly [name: string, args: (id: string) => readonly string[]])[] = [
  ["run", () => ["run", "-m", "replay/hello", "hi"]],
  ["session list", () => ["session", "list"]],
  ["session show", (id) => ["session", "show", id]],
  ["session show --json", (id) => ["session", "show", id, "--json"]],
  ["session export", (id) => ["session", "export", id]],
  ["stats", () => ["stats"]],
  ["help", () => ["--help"]],
]

describe("an output that is closed", () => {
  it("ends no command with anything but quiet: its reader had enough", async () => {
    const { start, id } = await withSession()
    const all = readers.map(async ([name, args]) => {
      const { child, finished } = start(args(id))
      child.stdout?.destroy()
      return { name, ...(await finished) }
    })
    for (const { name, code, stderr } of await Promise.all(all)) {
      // Work is broken off, unless it was done by then. What only prints has nothing to break off.
      const codes = name === "run" || name === "session export" ? [0, 130] : [0]
      expect({ name, code }).toEqual({ name, code: expect.toBeOneOf(codes) })
      expect(stderr).not.toMatch(/EPIPE|^\s+at /m)
    }
  })

  it("behind a pipe that takes one line, ends at once with what it had read", async () => {
    const { pawl, id } = await withSession()
    const prefix = ["sh", "-c", '{ "$@"; echo "code $?" >&2; } | head -c 10', "sh"]

    const all = await Promise.all([0, 1, 2].map(() => pawl(["session", "show", id, "--json"], { prefix })))
    for (const { stdout, stderr } of all)
      expect({ stdout, stderr }).toEqual({ stdout: '{"info":{"', stderr: "code 0\n" })
  })

  it("closed before the start, is no reason to crash", async () => {
    const { pawl, id } = await withSession()
    const prefix = inShell("exec >&-")
    const all = readers.map(async ([name, args]) => ({ name, ...(await pawl(args(id), { prefix })) }))
    for (const { name, code, stderr } of await Promise.all(all)) {
      // Node opens nothing in its place, so that what is written goes nowhere.
      expect({ name, code }).toEqual({ name, code: expect.toSatisfy((each) => [0, 1, 130].includes(each as number)) })
      expect(stderr).not.toMatch(/^\s+at /m)
    }
  })

  it.skipIf(!existsSync("/dev/full"))("on a full disk, is an error that is told", async () => {
    const { pawl } = await workplace()
    for (const args of [["--help"], ["help", "run"], ["config", "schema"]]) {
      expect(await pawl(args, { prefix: inShell("exec >/dev/full") })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^pawl: the output could not be written: ENOSPC/),
      })
    }
  })

  it("as stderr, closed before the start, takes nothing from the answer", async () => {
    const { pawl } = await workplace()
    const { code, stdout } = await pawl(["run", "-m", "replay/hello", "hi"], { prefix: inShell("exec 2>&-") })

    expect({ code, begin: stdout.slice(0, 6) }).toEqual({ code: 0, begin: "Hello!" })
  })
})
