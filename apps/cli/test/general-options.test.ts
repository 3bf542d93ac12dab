import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, modelServer, reply, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines, workplace } from "./workplace.ts"

describe("--json", () => {
  it("is --format json, wherever it stands", async () => {
    const { pawl, talk } = await desk()
    const id = await talk("hi")
    const asked = [
      ["--json", "session", "list"],
      ["session", "--json", "list"],
      ["session", "list", "--json"],
      ["session", "list", "--format", "json"],
    ]
    for (const args of asked) expect(jsonLines((await pawl(...args)).stdout)).toMatchObject([{ id }])
  })

  it("tells of a command that has no other form what it said, and how it ended", async () => {
    const { pawl, talk } = await desk()
    const id = await talk("hi")

    const renamed = await pawl("session", "rename", id, "Another", "--json")
    const failed = await pawl("session", "rename", "ses_none", "Another", "--json")

    expect(JSON.parse(renamed.stdout)).toEqual({
      ...{ command: "session rename", exitCode: 0, said: [`${id} is now called "Another".`] },
    })
    expect(JSON.parse(failed.stdout)).toMatchObject({
      exitCode: 2,
      said: [expect.stringContaining("no session ses_none"), expect.anything()],
    })
    expect(failed.code).toBe(2)
  })

  it("tells only what the command said, whatever is told of its work besides", async () => {
    const { pawl, talk } = await desk()
    const id = await talk("hi")
    const plain = await pawl("session", "rename", id, "Another", "--json")

    for (const more of ["--verbose", "--print-logs"])
      expect((await pawl("session", "rename", id, "Another", "--json", more)).stdout).toBe(plain.stdout)
  })

  it("and another format are refused", async () => {
    const { pawl } = await desk()
    expect(await pawl("session", "list", "--format", "text", "--json")).toMatchObject({ code: 2, stdout: "" })
  })
})

it.each([["-v"], ["--version"], ["--json", "--version"], ["-q", "--verbose", "-v"]])(
  "the version is printed: %s %s %s",
  async (...args) => {
    const { pawl } = await workplace()

    expect(await pawl(args.filter(Boolean))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
  },
)

describe("--quiet", () => {
  it("leaves the answer, and of a failure why", async () => {
    const { pawl } = await desk()
    const answered = await pawl("run", "-q", "-m", "replay/hello", "hi")
    const failed = await pawl("-q", "run", "-m", "none/none", "hi")

    expect(answered).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("Hello!") })
    expect(failed.code).not.toBe(0)
    expect(failed.stderr).toContain('"none"')
  })

  it("says of a run that failed on the way what ended it, and not what was done", async () => {
    const { pawl } = await desk()
    await using server = await modelServer({ replies: [reply(call("list", {})), reply(text("Done."))] })
    const { stderr } = await pawl("run", "-q", "-m", "custom/test", "--base-url", server.url, "--max-steps", "1", "hi")

    expect(stderr).toContain("step")
    expect(stderr).not.toContain("● list")
  })

  it("keeps back no log that is asked for", async () => {
    const { pawl } = await workplace()
    const { code, stderr } = await pawl(["-q", "run", "--print-logs", "-m", "replay/hello", "hi"])

    expect(code).toBe(0)
    expect(jsonLines(stderr)).toEqual(expect.arrayContaining([expect.objectContaining({ event: "start" })]))
  })

  it("says nothing where something was done", async () => {
    const { pawl, talk } = await desk()
    const id = await talk("hi")

    expect(await pawl("session", "rename", id, "x", "--quiet")).toEqual({ code: 0, stdout: "", stderr: "" })
    expect(await pawl("session", "delete", "--yes", id, "--quiet")).toEqual({ code: 0, stdout: "", stderr: "" })
    expect((await pawl("session", "list", "--quiet", "--verbose")).code).toBe(2)
  })
})

describe("--color", () => {
  it.each([
    { args: ["--color", "always"], environment: { NO_COLOR: "1" }, isColoured: true },
    { args: ["--color=never"], environment: { FORCE_COLOR: "1" }, isColoured: false },
    { args: ["--color", "auto"], environment: {}, isColoured: false },
    { args: [], environment: { PAWL_COLOR: "always" }, isColoured: true },
    { args: [], environment: { CLICOLOR_FORCE: "1" }, isColoured: true },
    { args: [], environment: { CLICOLOR_FORCE: "1", NO_COLOR: "1" }, isColoured: true },
    { args: [], environment: { FORCE_COLOR: "0", CLICOLOR_FORCE: "1" }, isColoured: false },
  ])("$args with $environment: $isColoured", async ({ args, environment, isColoured }) => {
    const place = await desk()
    await place.talk("hi")
    Object.assign(place.environment, environment)

    expect((await place.pawl("session", "list", ...args)).stdout.includes("\u001B[")).toBe(isColoured)
  })
})

describe("the log", () => {
  it("tells of a run what happened and how long it took, and nothing of what was said", async () => {
    const { pawl, data, configuration } = await workplace()
    const key = "sk-live-0123456789abcdef"
    await writeFile(join(configuration, "pawl.jsonc"), '{ "title": false, "log": { "level": "debug" } }')
    await using server = await modelServer({ replies: [reply(call("list", {})), reply(text("An answer."))] })
    const environment = { PAWL_API_KEY: key }
    await pawl(["run", "-m", "custom/test", "--base-url", server.url, "a secret question"], { environment })

    const written = await readFile(join(data, "log/pawl.log"), "utf8")
    const lines = jsonLines(written)
    const events = lines.map(({ event }) => event)
    expect(events).toEqual(
      expect.arrayContaining(["start", "settings", "model", "session", "request", "step", "tool", "exit"]),
    )
    expect(lines.find(({ event }) => event === "tool")).toMatchObject({ tool: "list", outcome: "completed" })
    expect(lines.find(({ event }) => event === "request")).toMatchObject({
      ...{ method: "POST", status: 200, origin: new URL(server.url).origin, ms: expect.any(Number) },
    })
    expect(lines.at(-1)).toMatchObject({ event: "exit", command: "run", code: 0 })
    for (const kept of [key, "secret question", "An answer."]) expect(written).not.toContain(kept)
  })

  it("has what failed at a level that says so, and on stderr what is wanted there", async () => {
    const { pawl, data } = await workplace()
    const run = await pawl(["run", "-m", "replay/hello", "hi", "--print-logs"])
    expect(run.stderr.split("\n").filter((line) => line.startsWith('{"time"')).length).toBeGreaterThan(2)

    const failed = await pawl(["session", "show", "ses_none", "--log-level", "error"])
    expect(failed.code).toBe(2)
    const last = jsonLines(await readFile(join(data, "log/pawl.log"), "utf8")).at(-1)
    expect(last).toMatchObject({ level: "error", event: "failed", message: expect.stringContaining("ses_none") })
  })

  it.each([{ PAWL_LOG_LEVEL: "off" }, { PAWL_CONFIG_CONTENT: '{ "log": { "level": "off" } }' }])(
    "is not there with %j",
    async (environment) => {
      const { pawl, data } = await workplace()
      await pawl(["run", "-m", "replay/hello", "hi"], { environment })
      expect(await readdir(data)).not.toContain("log")
    },
  )

  it("is told at once with --verbose, for people", async () => {
    const { pawl } = await workplace()
    const { stdout, stderr } = await pawl(["run", "-m", "replay/hello", "hi", "--verbose"])

    expect(stdout).toContain("Hello!")
    for (const event of ["start", "settings", "model", "step", "exit"])
      expect(stderr).toMatch(new RegExp(`^\\+\\d+\\.\\d{3}s ${event} `, "m"))
  })
})
