import { access, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { inTerminal } from "./terminal.ts"
import { built, jsonLines, workplace } from "./workplace.ts"

const question = call("question", {
  questions: [
    {
      ...{ question: "Which database?", header: "Database" },
      options: [
        { label: "sqlite", description: "One file" },
        { label: "postgres", description: "A server" },
      ],
    },
  ],
})

/** A run that waits for an answer, and the id of its question. */
async function waiting(asked: ReturnType<typeof call>, files: Readonly<Record<string, string>> = {}) {
  const place = await workplace()
  for (const [name, content] of Object.entries(files)) await writeFile(join(place.project, name), content)
  await writeFile(join(place.configuration, "pawl.jsonc"), '{ "permission": { "bash": "ask" }, "ask": "wait" }')
  const server = await modelServer({ replies: [reply(asked), reply(text("Went on."))] })
  const run = place.start(["run", "-m", "custom/test", "--base-url", server.url, "go"])
  await run.said("questions answer prt_")
  const [open] = jsonLines((await place.pawl(["questions", "--format", "json"])).stdout)
  return { ...place, server, run, id: String(open?.["id"]), sessionID: String(open?.["sessionID"]) }
}

it("lists what waits, and answers a choice by its number; a second answer is told who came first", async () => {
  const { pawl, run, server, id, sessionID } = await waiting(question)

  const listed = await pawl(["questions"])
  const wrong = await pawl(["questions", "answer", id, "3"])
  const answered = await pawl(["questions", "answer", id.slice(0, 24), "2"])
  const { code, stderr } = await run.finished
  const late = await pawl(["questions", "answer", id, "1"])
  await server[Symbol.asyncDispose]()

  expect(listed.stdout).toContain(
    `${sessionID}  go\n  ${id}  question of build · now\n│   Which database?\n    1  sqlite\n    2  postgres\n`,
  )
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain("To choose from:\n  1  sqlite\n  2  postgres")
  expect(answered).toMatchObject({ code: 0, stdout: "Database: postgres\n" })
  expect(code).toBe(0)
  expect(stderr).toContain("Database: postgres, answered from elsewhere")
  expect(late.code).toBe(1)
  expect(late.stderr).toMatch(/is closed: already answered by prt_\w+: postgres/)
  expect(JSON.stringify(server.requests[1]?.body)).toContain("postgres")
})

it("allows a pattern of the user's own, if it matches the asked command", async () => {
  const { pawl, run, server, id } = await waiting(call("bash", { command: "echo one" }))

  const wrong = await pawl(["questions", "answer", id, "always", "--pattern", "ls *"])
  const misplaced = await pawl(["questions", "answer", id, "yes", "--pattern", "echo *"])
  const answered = await pawl(["questions", "answer", id, "always", "--pattern", "echo *", "--pattern", "date"])
  await run.finished
  await server[Symbol.asyncDispose]()

  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('The pattern "ls *" does not match bash "echo one"')
  expect(misplaced.stderr).toContain("--pattern goes with always.")
  expect(answered).toMatchObject({ code: 0, stdout: "bash echo one: allowed always: echo *, date\n" })
})

it("prints the stored texts without secrets, unless they are wanted", async () => {
  const token = `ghp_${"a1B2c3D4e5F6g7H8i9".repeat(2)}`
  const { pawl, run, server, id, sessionID } = await waiting(call("bash", { command: `echo ${token} && date` }))
  await pawl(["session", "rename", sessionID, `About ${token}`])

  for (const format of ["text", "json"]) {
    const [masked, raw] = [
      await pawl(["questions", "--format", format]),
      await pawl(["questions", "--raw", "--format", format]),
    ]
    expect(masked.stdout).toContain(id)
    expect(masked.stdout).not.toContain(token)
    expect(raw.stdout).toContain(token)
  }
  const answered = await pawl(["questions", "answer", id, "no", "--message", `not ${token}`])
  await run.finished
  await server[Symbol.asyncDispose]()

  expect(answered.stdout).toContain("refused: not [removed:")
  expect(answered.stdout).not.toContain(token)
})

it("shows no line of a private key that a call would change", async () => {
  const lines = Array.from({ length: 9 }, (_, at) => `MIIE${String.fromCodePoint(97 + at).repeat(60)}`)
  const pem = (...body: readonly string[]) =>
    [["-----BEGIN ", "PRIVATE KEY-----"].join(""), ...body, ["-----END ", "PRIVATE KEY-----"].join(""), ""].join("\n")
  const content = pem(...lines.with(4, `MIIE${"z".repeat(60)}`))
  const { pawl, run, server } = await waiting(call("write", { filePath: ".envrc", content }), {
    ".envrc": pem(...lines),
  })

  const outputs = [await pawl(["questions"]), await pawl(["questions", "--format", "json"])]
  const raw = await pawl(["questions", "--raw"])
  run.child.kill("SIGKILL")
  await run.finished
  await server[Symbol.asyncDispose]()

  expect(outputs[0]?.stdout).toContain("│ - [removed:secret.private-key]\n│ + [removed:secret.private-key]\n")
  for (const { stdout } of outputs) expect(stdout).not.toContain("MIIE")
  expect(raw.stdout).toContain(`│ + MIIE${"z".repeat(60)}`)
})

it("refuses with a hint that the model reads, and the run goes on", async () => {
  const { pawl, run, server, project, id } = await waiting(call("bash", { command: "touch made" }))

  const answered = await pawl(["questions", "answer", id, "no", "--message", "use the temporary directory"])
  const { code } = await run.finished
  await server[Symbol.asyncDispose]()

  expect(answered.stdout).toBe("bash touch made: refused: use the temporary directory\n")
  expect(code).toBe(0)
  expect(JSON.stringify(server.requests[1]?.body)).toContain("use the temporary directory")
  await expect(access(join(project, "made"))).rejects.toThrow("ENOENT")
})

it("keeps a question over the death of its process, and says how the session goes on", async () => {
  const { pawl, run, server, id, project } = await waiting(call("bash", { command: "touch made" }))
  run.child.kill("SIGKILL")
  await run.finished

  const answered = await pawl(["questions", "answer", id, "yes"])
  const resumed = await pawl(["run", "-c", "--base-url", server.url])
  await server[Symbol.asyncDispose]()

  expect(answered.code).toBe(0)
  expect(answered.stdout).toMatch(/^bash touch made: allowed once\n/)
  expect(resumed).toMatchObject({ code: 0, stdout: "Went on.\n" })
  await access(join(project, "made"))
})

it("ends with 3 and names the rule if what a dead process asked is refused when the session goes on", async () => {
  const { pawl, run, server, configuration } = await waiting(call("bash", { command: "touch made" }))
  run.child.kill("SIGKILL")
  await run.finished
  await writeFile(join(configuration, "pawl.jsonc"), '{ "permission": { "bash": "ask" } }')

  const resumed = await pawl(["run", "-c", "--format", "json", "--base-url", server.url])
  await server[Symbol.asyncDispose]()

  expect(resumed.code).toBe(3)
  expect(jsonLines(resumed.stdout).at(-1)).toMatchObject({
    type: "error",
    error: {
      name: "PermissionDeniedError",
      data: { permission: "bash", pattern: "touch made", tool: "bash", rule: { permission: "bash", line: 1 } },
    },
  })
})

it("lists with a question what would be written, and the command that names a file", async () => {
  const write = await waiting(call("write", { filePath: ".envrc", content: "rm -rf ~\n" }))
  const bash = await waiting(call("bash", { command: "cat /etc/hostname; true" }))

  const lists = [await write.pawl(["questions"]), await bash.pawl(["questions"])]
  for (const { run, server } of [write, bash]) {
    run.child.kill("SIGKILL")
    await run.finished
    await server[Symbol.asyncDispose]()
  }

  expect(lists[0]?.stdout).toContain("│   protected_file .envrc\n  to change\n│ + rm -rf ~\n")
  expect(lists[1]?.stdout).toContain("│   external_directory /etc/*\n  in the command\n│ cat /etc/hostname; true\n")
})

it("asks again at a terminal, with the command, what a dead process has asked", async () => {
  const { run, server, project, data, configuration } = await waiting(call("bash", { command: "cat /etc/hostname; :" }))
  run.child.kill("SIGKILL")
  await run.finished

  const terminal = inTerminal([...built, "run", "-c", "--base-url", server.url], {
    directory: project,
    environment: { HOME: project, PAWL_DATA_DIR: data, PAWL_CONFIG_DIR: configuration },
  })
  await terminal.shows("allow? ")
  await server[Symbol.asyncDispose]()

  expect(terminal.text()).toContain("  in the command\n│ cat /etc/hostname; :\n")
})

it("says where there is nothing, and what is no question", async () => {
  const { pawl } = await workplace()
  await pawl(["run", "-m", "replay/hello", "hi"])

  const none = await pawl(["questions"])
  const unknown = await pawl(["questions", "answer", "prt_0000", "yes"])

  expect(none).toMatchObject({ code: 0, stdout: "" })
  expect(none.stderr).toContain("No open questions")
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain("There is no question prt_0000")
})
