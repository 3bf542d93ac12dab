import { chmod, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { canMount, inMountNamespace, workplace } from "./workplace.ts"

const commands = [
  ["--help"],
  ["--version"],
  ["session", "list"],
  ["models"],
  ["config", "show"],
  ["doctor"],
  ["run", "-m", "replay/hello", "hi"],
  ["run", "--storage", "memory:", "-m", "replay/hello", "hi"],
] as const

const isRoot = process.getuid?.() === 0
const own = { PAWL_DATA_DIR: "", PAWL_CONFIG_DIR: "", XDG_CACHE_HOME: "" }

describe("a home directory", () => {
  it("that is read-only stops what has to write there, with what to do, and nothing else", async ({ skip }) => {
    skip(isRoot && !canMount, "This user may not mount, and may write everywhere.")
    const { pawl, project } = await workplace()
    const home = join(project, "home")
    await mkdir(home)
    if (!isRoot) await chmod(home, 0o500)
    const prefix = isRoot ? inMountNamespace(`mount -t tmpfs -o ro tmpfs '${home}'`) : []
    const all = await Promise.all(commands.map((args) => pawl(args, { environment: { ...own, HOME: home }, prefix })))
    for (const [at, { code, stderr }] of all.entries()) {
      const [first] = commands[at] ?? []
      expect(stderr).not.toMatch(/^\s+at /m)
      if (code === 1 && first === "run") expect(stderr).toContain(home)
    }
    // What keeps nothing works; doctor says what is wrong.
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 1, 1, 0])
  })

  it.each([
    ["that is none", ""],
    ["that is not absolute", "somewhere"],
  ])("%s is asked for by what needs it, and by nothing else", async (_name, home) => {
    const { pawl } = await workplace()
    const environment = { ...own, HOME: home }
    const all = await Promise.all(commands.map(async (args) => ({ args, ...(await pawl(args, { environment })) })))
    for (const { args, code, stdout, stderr } of all) {
      expect(stderr).not.toMatch(/^\s+at /m)
      const isFree = args[0].startsWith("--")
      if (isFree) expect({ args, code }).toEqual({ args, code: 0 })
      else if (code !== 0) expect(`${stdout}${stderr}`).toMatch(/HOME|home|somewhere/)
    }
  })

  it("that is not named is no matter where the directories are", async () => {
    const { pawl } = await workplace()
    const run = await pawl(["run", "-m", "replay/hello", "hi"], { prefix: ["env", "-u", "HOME"] })

    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining("Hello!") })
  })

  it("that is a file is named in the error", async () => {
    const { pawl, project } = await workplace()
    const home = join(project, "home")
    await writeFile(home, "")
    const environment = { ...own, HOME: home }
    const all = await Promise.all(commands.map(async (args) => ({ args, ...(await pawl(args, { environment })) })))
    for (const { args, code, stderr } of all) {
      expect(stderr).not.toMatch(/^\s+at /m)
      if (code !== 0 && args[0] !== "doctor") expect(stderr).toContain(home)
    }
  })
})

it("in memory, a session is not gone on with", async () => {
  const { pawl } = await workplace()
  const { stderr } = await pawl(["run", "--storage", "memory:", "-m", "replay/hello", "hi"])

  expect(stderr).toMatch(/^session ses_\w+ in memory$/m)
  expect(stderr).not.toContain("go on:")
})

describe("a place that cannot be written", () => {
  it.each(["XDG_CACHE_HOME", "PAWL_CONFIG_DIR"])("%s costs no answer", async (name) => {
    const { pawl, project } = await workplace()
    const file = join(project, "file")
    await writeFile(file, "")
    const { code, stdout } = await pawl(["run", "-m", "replay/hello", "hi"], {
      environment: { [name]: join(file, "below") },
    })

    expect({ code, begin: stdout.slice(0, 6) }).toEqual({ code: 0, begin: "Hello!" })
  })

  it("for the log costs no answer", async () => {
    const { pawl, data } = await workplace()
    await mkdir(data)
    await writeFile(join(data, "log"), "")
    const { code, stderr } = await pawl(["run", "-m", "replay/hello", "hi"])

    expect({ code, told: stderr.includes("log") }).toEqual({ code: 0, told: false })
  })
})
