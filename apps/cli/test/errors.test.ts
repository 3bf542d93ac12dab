import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { httpError, modelServer, reply, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { jsonLines, workplace } from "./workplace.ts"

const hello = ["--script", join(import.meta.dirname, "../demo/hello.jsonl")]

describe("what cannot be done is said in one message with the next step, and exit code", () => {
  it.each([
    { args: ["rnu", "hi"], code: 2, says: 'Did you mean "run"?' },
    { args: ["run", "--modle", "x", "hi"], code: 2, says: "Did you mean --model?" },
    { args: ["run"], code: 2, says: 'pawl run "<task>"' },
    { args: ["run", " "], code: 2, says: "The task is empty" },
    { args: ["run", "-"], code: 2, says: "nothing came from stdin" },
    { args: ["run", "hi"], code: 2, says: "export OPENAI_API_KEY=" },
    { args: ["run", "hi"], code: 2, says: "pawl demo" },
    { args: ["run", "-m", "nowhere/x", "hi"], code: 2, says: 'Provider "nowhere" is not known' },
    { args: ["run", "-m", "replay/nothing", "hi"], code: 2, says: 'There is no script "nothing"' },
    { args: ["run", "-m", "openai/gpt-5", "hi"], code: 2, says: "Set OPENAI_API_KEY" },
    { args: ["run", "-m", "openai/gpt-5", "--api-key-env", "NO_SUCH", "hi"], code: 2, says: "NO_SUCH" },
    { args: ["run", "-c", ...hello, "hi"], code: 2, says: "There is no session of" },
    { args: ["run", "-s", "ses_0", ...hello, "hi"], code: 2, says: "There is no session ses_0" },
    { args: ["run", "--dir", "nowhere", ...hello, "hi"], code: 2, says: "There is no directory" },
    { args: ["run", "-f", "nothing.txt", ...hello, "hi"], code: 2, says: "nothing.txt to attach" },
    { args: ["session", "show", "ses_0"], code: 2, says: "There is no session ses_0" },
  ])("pawl $args: $says", async ({ args, code, says }) => {
    const { pawl } = await workplace()

    const run = await pawl(args)

    expect(run).toMatchObject({ code, stdout: "" })
    expect(run.stderr).toContain(says)
    expect(run.stderr).not.toMatch(/^\s+at /m)
  })
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

it("uses a key from the environment and one from the configuration", async () => {
  const { pawl, configuration } = await workplace()
  await using server = await modelServer({ replies: [reply(text("One.")), reply(text("Two."))], apiKey: "right" })
  const options = { baseURL: server.url, apiKey: "{env:MY_KEY}" }
  await writeFile(
    join(configuration, "pawl.jsonc"),
    JSON.stringify({ model: "mine/test", provider: { mine: { options } } }),
  )

  const flags = await pawl(["run", "-m", "custom/test", "--base-url", server.url, "hi"], {
    environment: { PAWL_API_KEY: "right" },
  })
  const configured = await pawl(["run", "hi"], { environment: { MY_KEY: "right" } })

  expect([flags.stdout, configured.stdout]).toEqual(["One.\n", "Two.\n"])
})

it("does not send the user's key to an address that a project names", async () => {
  const { pawl, project } = await workplace()
  await using server = await modelServer({ replies: [reply(text("Thank you for the key."))] })
  const config = { provider: { "llama.cpp": { options: { baseURL: server.url } } } }
  await writeFile(join(project, "pawl.jsonc"), JSON.stringify(config))

  const run = await pawl(["run", "-m", "llama.cpp/x", "hi"], { environment: { PAWL_API_KEY: "secret" } })

  expect(run.code).toBe(2)
  expect(run.stderr).toContain("came with a project")
  expect(server.requests).toEqual([])
})

it("names file, line and column of a broken configuration", async () => {
  const { pawl, project } = await workplace()
  await writeFile(join(project, "pawl.jsonc"), '{\n  "modle": "a/b"\n}\n')

  const run = await pawl(["run", ...hello, "hi"])

  expect(run.code).toBe(2)
  expect(run.stderr).toContain('pawl.jsonc:2:3: Unknown key "modle". Did you mean "model"?')
})

it("names the file of a damaged database and of a data directory that cannot be made", async () => {
  const { pawl, data, project } = await workplace()
  await mkdir(data)
  await writeFile(join(data, "pawl.db"), "no database at all, but long enough to be looked at")
  await writeFile(join(project, "file"), "")

  const damaged = await pawl(["run", ...hello, "hi"])
  const impossible = await pawl(["run", ...hello, "hi"], { environment: { PAWL_DATA_DIR: join(project, "file/data") } })

  expect([damaged.code, impossible.code]).toEqual([1, 1])
  expect(damaged.stderr).toContain(`${join(data, "pawl.db")} is damaged`)
  expect(impossible.stderr).toContain(join(project, "file/data"))
  expect(damaged.stderr + impossible.stderr).not.toMatch(/^\s+at /m)
})

it("shows that it tries again", async () => {
  const { pawl } = await workplace()
  const busy = httpError(503, { headers: { "retry-after": "0" } })
  await using server = await modelServer({ replies: [busy, reply(text("There."))] })

  const run = await pawl(["run", "-m", "custom/test", "--base-url", server.url, "hi"])

  expect(run).toMatchObject({ code: 0, stdout: "There.\n" })
  expect(run.stderr).toMatch(/503.* trying again in \ds \(retry 1\)/)
})
