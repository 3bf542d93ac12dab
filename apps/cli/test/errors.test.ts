import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { httpError, modelServer, reply, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { inShell, jsonLines, workplace } from "./workplace.ts"

const hello = ["--script", join(import.meta.dirname, "../demo/hello.jsonl")]

describe("what cannot be done is said in one message with the next step, and exit code 2", () => {
  it.each([
    { args: ["run", "hi"], says: ["export OPENAI_API_KEY=", "start Ollama", "pawl demo"] },
    { args: ["run", "-m", "nowhere/x", "hi"], says: ['Provider "nowhere" is not known', "--base-url"] },
    { args: ["run", "-m", "replay/nothing", "hi"], says: ['There is no script "nothing". Known: demo, hello'] },
    { args: ["run", "-m", "openai/gpt-5", "hi"], says: ["Set OPENAI_API_KEY"] },
    { args: ["run", "-c", ...hello, "hi"], says: ["There is no session of", "session list --all"] },
    { args: ["run", "--dir", "nowhere", ...hello, "hi"], says: ["There is no directory"] },
    { args: ["run", "-f", "nothing.txt", ...hello, "hi"], says: ["nothing.txt to attach"] },
    { args: ["run", "--script", "nope.jsonl", "hi"], says: ["nope.jsonl cannot be read: there is no such file."] },
    { args: ["run", "-m", "custom/x", "--base-url", "ftp://x", "hi"], says: ['"ftp://x" is not a valid server URL'] },
    { args: ["session", "show", "ses_0"], says: ["There is no session ses_0"] },
  ])("pawl $args", async ({ args, says }) => {
    const { pawl } = await desk()

    const run = await pawl(...args)

    expect(run).toMatchObject({ code: 2, stdout: "" })
    for (const words of says) expect(run.stderr).toContain(words)
    expect(run.stderr).not.toMatch(/^\s+at /m)
  })
})

it("says that nothing came from stdin where the task was to come from there", async () => {
  const { pawl } = await workplace()

  const run = await pawl(["run", "-"])

  expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("nothing came from stdin") })
  expect(run.stderr).not.toMatch(/^\s+at /m)
})

it("fails with the server's reason when the key is wrong, at once", async () => {
  const { pawl } = await workplace()
  await using server = await modelServer({ replies: [], apiKey: "right" })
  const args = ["run", "--format", "json", "-m", "custom/test", "--base-url", server.url, "--api-key-env", "KEY", "hi"]

  const run = await pawl(args, { environment: { KEY: "wrong" } })

  expect(run.code).toBe(1)
  expect(server.requests).toHaveLength(1)
  const [, error] = jsonLines(run.stdout)
  expect(error).toMatchObject({ type: "error", error: { name: "ProviderAuthError" } })
  expect(run.stdout + run.stderr).not.toContain("wrong")
})

it("names the models there are when the one asked for is not configured, and keeps no empty session", async () => {
  const { pawl, configuration } = await desk()
  const mine = { options: { baseURL: "http://127.0.0.1:9/v1" }, models: { small: {}, medium: {} } }
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ provider: { mine } }))

  const run = await pawl("run", "-m", "mine/large", "hi")
  const sessions = await pawl("session", "list", "--all")

  expect(run).toMatchObject({ code: 2, stdout: "" })
  expect(run.stderr).toMatch(/large.* is not known.*small, medium/)
  expect(sessions.stdout).toBe("")
})

it("tells what the server says of a model that it does not have, at once", async () => {
  const { pawl } = await desk()
  const message = "The model `large` does not exist."
  await using server = await modelServer({ replies: [httpError(404, { message })] })

  const run = await pawl("run", "-m", "custom/large", "--base-url", server.url, "hi")

  expect(run).toMatchObject({ code: 1, stdout: "" })
  expect(run.stderr).toContain(message)
  // The second one is for the names of those that it has.
  expect(server.requests.map(({ path }) => path)).toEqual(["/v1/chat/completions", "/v1/models"])
})

it("says that no server is there while it tries again, and loses nothing of the task", async () => {
  const { start, pawl } = await workplace()
  const gone = await modelServer({ replies: [] })
  await gone.close()

  const { child, finished, said } = start(["run", "-m", "custom/test", "--base-url", gone.url, "hello there"])
  await said("connection refused. Is the server running? · trying again in")
  child.kill("SIGINT")
  expect((await finished).code).toBe(130)
  await using server = await modelServer({ replies: [reply(text("Here I am."))] })
  const next = await pawl(["run", "-c", "--base-url", server.url, "and now?"])

  expect(next).toMatchObject({ code: 0, stdout: "Here I am.\n" })
  expect(JSON.stringify(server.requests[0]?.body)).toContain("hello there")
})

it("uses a key from the environment and one from the configuration", async () => {
  const { pawl, configuration, environment } = await desk()
  await using server = await modelServer({ replies: [reply(text("One.")), reply(text("Two."))], apiKey: "right" })
  const options = { baseURL: server.url, apiKey: "{env:MY_KEY}" }
  await writeFile(
    join(configuration, "pawl.jsonc"),
    JSON.stringify({ model: "mine/test", provider: { mine: { options } } }),
  )

  environment["PAWL_API_KEY"] = "right"
  const flags = await pawl("run", "-m", "custom/test", "--base-url", server.url, "hi")
  delete environment["PAWL_API_KEY"]
  environment["MY_KEY"] = "right"
  const configured = await pawl("run", "hi")

  expect([flags.stdout, configured.stdout]).toEqual(["One.\n", "Two.\n"])
})

it("does not send the user's key to an address that a project names", async () => {
  const { pawl, project } = await workplace()
  await using server = await modelServer({ replies: [reply(text("Thank you for the key."))] })
  const config = { provider: { "llama.cpp": { options: { baseURL: server.url } } } }
  await writeFile(join(project, "pawl.jsonc"), JSON.stringify(config))

  const run = await pawl(["run", "--trust", "-m", "llama.cpp/x", "hi"], { environment: { PAWL_API_KEY: "secret" } })

  expect(run.code).toBe(2)
  expect(run.stderr).toContain("pawl does not send your keys or headers")
  expect(server.requests).toEqual([])
})

it("does not send what the user wrote for one address to another that a project names", async () => {
  const { pawl, project, configuration } = await desk()
  await using server = await modelServer({ replies: [reply(text("Thank you for the key."))] })
  const user = { baseURL: "http://127.0.0.1:9/v1", apiKey: "secret", headers: { "x-secret": "secret" } }
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ provider: { acme: { options: user } } }))
  const theirs = { provider: { acme: { options: { baseURL: server.url } } } }
  await writeFile(join(project, "pawl.jsonc"), JSON.stringify(theirs))

  const run = await pawl("run", "--trust", "-m", "acme/x", "hi")

  expect(run.code).toBe(2)
  expect(run.stderr).toContain("--api-key-env")
  expect(server.requests).toEqual([])
})

it.each(["text", "json"])(
  "says on stderr that a project chose the model's server, with --format %s",
  async (format) => {
    const { pawl, project } = await desk()
    await using server = await modelServer({ replies: [reply(text("Hi."))] })
    const config = { provider: { theirs: { options: { baseURL: server.url } } } }
    await writeFile(join(project, "pawl.jsonc"), JSON.stringify(config))

    const run = await pawl("run", "--trust", "--format", format, "-m", "theirs/x", "hi")

    expect(run.code).toBe(0)
    expect(run.stderr.split("\n")[0]).toBe(`model server ${server.url} comes from ./pawl.jsonc`)
    expect(run.stdout).not.toContain("comes from")
  },
)

describe("a configuration that counts on what is not there", () => {
  it.each([
    [
      { default_agent: "nobody" },
      2,
      '"default_agent" is "nobody", and there is no such agent. To choose from: build, plan.',
    ],
    [{ shell: "fish" }, 2, '"shell": fish is not a supported shell. Use bash, zsh, dash or sh, or an absolute path'],
    [{ shell: "/nowhere/bash" }, 2, '"shell": /nowhere/bash: no such shell is there that can be run.'],
  ])("%j ends with %i, and leaves no empty session", async (config, code, says) => {
    const { pawl, configuration } = await desk()
    const file = join(configuration, "pawl.jsonc")
    await writeFile(file, JSON.stringify(config))

    const run = await pawl("run", ...hello, "hi")
    const sessions = await pawl("session", "list")

    expect(run.code).toBe(code)
    expect(run.stderr).toContain(`${file}: ${says}`)
    expect(sessions.stdout !== "").toBe(code === 0)
  })
})

it("asks the model of the agent's own configuration", async () => {
  const { pawl, configuration } = await desk()
  const agent = { build: { model: "replay/hello" } }
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ model: "nowhere/x", agent }))

  expect(await pawl("run", "hi")).toMatchObject({ code: 0 })
})

it("works nowhere else when the directory was removed, but where it is told to", async () => {
  const { pawl, project, configuration } = await workplace()
  const prefix = inShell("mkdir gone && cd gone && rmdir ../gone")

  const here = await pawl(["run", ...hello, "hi"], { prefix })
  const there = await pawl(["run", "--dir", configuration, ...hello, "hi"], { prefix })

  expect(here.code).toBe(2)
  expect(here.stderr).toContain(`There is no directory ${join(project, "gone")} (removed)`)
  expect(there).toMatchObject({ code: 0 })
})

it("does not read a task from a directory", async () => {
  const { pawl } = await workplace()

  const run = await pawl(["run", ...hello, "-"], { prefix: inShell("exec < /") })

  expect(run.code).toBe(2)
  expect(run.stderr).toContain("stdin is a directory")
})

it("lists sessions though the project's configuration is broken", async () => {
  const { pawl, project } = await desk()
  await pawl("run", ...hello, "hi")
  await writeFile(join(project, "pawl.jsonc"), "{")

  const list = await pawl("session", "list", "--all")

  expect(list).toMatchObject({ code: 0, stdout: expect.stringContaining(project) })
})

it("names file, line and column of every mistake in a configuration, as JSON too", async () => {
  const { pawl, project, configuration } = await desk()
  await writeFile(join(project, "pawl.jsonc"), '{\n  "modle": "a/b"\n}\n')
  await writeFile(join(configuration, "pawl.jsonc"), '{\n  // a comment\n  "model": "a/b",,\n}\n')

  const run = await pawl("run", "--format", "json", ...hello, "hi")

  expect(run.code).toBe(2)
  expect(run.stderr).toContain('\npawl.jsonc:2:3: Unknown key "modle". Did you mean "model"?\n')
  expect(run.stderr).toContain("pawl: ~/configuration/pawl.jsonc:3:18: ")
  const [error, ...others] = jsonLines(run.stdout)
  expect(others).toEqual([])
  expect(error).toMatchObject({ type: "error", error: { data: { message: expect.stringContaining(":3:18: ") } } })
})

it("shows that it tries again", async () => {
  const { pawl } = await desk()
  const busy = httpError(503, { headers: { "retry-after": "0" } })
  await using server = await modelServer({ replies: [busy, reply(text("There."))] })

  const run = await pawl("run", "-m", "custom/test", "--base-url", server.url, "hi")

  expect(run).toMatchObject({ code: 0, stdout: "There.\n" })
  expect(run.stderr).toMatch(/503.* trying again in \ds \(attempt 2 of 5\)/)
})
