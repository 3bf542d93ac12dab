import { spawnSync } from "node:child_process"
import { access, open, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, chatRequest, modelServer, type RecordedRequest, reply, stall, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines, workplace } from "./workplace.ts"

const ASK = JSON.stringify({ permission: { bash: "ask" } })
const isChild = (request: RecordedRequest) => JSON.stringify(chatRequest(request).messages).includes("the child's task")
const delegate = call("task", { description: "A task", prompt: "Do the child's task.", subagent_type: "general" })

describe("where nobody sits at a terminal", () => {
  it("refuses what has to be asked, and names rule, tool, pattern, file and line", async () => {
    const { pawl, configuration } = await desk()
    await writeFile(join(configuration, "pawl.jsonc"), ASK)
    await using server = await modelServer({ replies: [reply(call("bash", { command: "touch x" }))] })

    const run = await pawl("run", "--format", "json", "-m", "custom/test", "--base-url", server.url, "go")

    expect(run.code).toBe(3)
    expect(jsonLines(run.stdout).at(-1)).toMatchObject({
      type: "error",
      error: {
        name: "PermissionDeniedError",
        data: {
          ...{ permission: "bash", pattern: "touch x", tool: "bash" },
          rule: { permission: "bash", pattern: "*", action: "ask", file: join(configuration, "pawl.jsonc"), line: 1 },
        },
      },
    })
  })

  it("ends with the same code where a subagent was refused, although the answer came", async () => {
    const { pawl, configuration } = await desk()
    await writeFile(join(configuration, "pawl.jsonc"), ASK)
    await using server = await modelServer({
      replies: (request) => {
        if (isChild(request) && !JSON.stringify(chatRequest(request).messages).includes("tool_calls")) {
          return reply(call("bash", { command: "touch x" }))
        }
        const isDone = JSON.stringify(chatRequest(request).messages).includes("task_error")
        return isDone ? reply(text("It could not be done.")) : reply(delegate)
      },
    })

    const run = await pawl("run", "--format", "json", "-m", "custom/test", "--base-url", server.url, "go")

    const lines = jsonLines(run.stdout)
    expect(run.code).toBe(3)
    const [root] = lines.map(({ sessionID }) => sessionID)
    const refused = lines.find(({ type }) => type === "permission_refused")
    expect(refused).toMatchObject({ tool: "bash", permission: "bash", pattern: "touch x" })
    expect(refused?.["sessionID"]).not.toBe(root)
    expect(lines.at(-1)).toMatchObject({ type: "error", sessionID: root, error: { data: { pattern: "touch x" } } })
  })

  it.each(["the run itself", "a subagent"])("says at once what it refuses %s, whatever else goes on", async (who) => {
    const { start, configuration, project } = await workplace()
    const rules = { bash: { "*": "ask", "head *": "allow" } }
    await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ permission: rules }))
    spawnSync("mkfifo", [join(project, "gate")])
    await using gate = await open(join(project, "gate"), "r+")
    const both = reply(call("bash", { command: "head -n 1 gate" }), call("bash", { command: "touch x" }))
    const isFirst = (request: RecordedRequest) => !JSON.stringify(chatRequest(request).messages).includes('"tool"')
    await using server = await modelServer({
      replies: (request) => {
        if (!isFirst(request)) return reply(text("It could not be done."))
        return who === "a subagent" && !isChild(request) ? reply(delegate) : both
      },
    })

    const { child, finished } = start(["run", "--format", "json", "-m", "custom/test", "--base-url", server.url, "go"])
    // It is said before the other call has ended, which waits for the gate to open.
    const asked = await lineOf(child.stdout, "permission_asked")
    await gate.write("open\n")
    const { code, stdout } = await finished

    const rule = { permission: "bash", pattern: "*", action: "ask", file: join(configuration, "pawl.jsonc"), line: 1 }
    expect(asked).toMatchObject({ refused: { tool: "bash", permission: "bash", pattern: "touch x", rule } })
    expect(code).toBe(3)
    const lines = jsonLines(stdout)
    const replied = lines.find(({ type }) => type === "permission_replied")
    expect(replied).toMatchObject({ requestID: asked["id"], reply: "reject" })
    const [root] = lines.map(({ sessionID }) => sessionID)
    expect(asked["rootSessionID"]).toBe(root)
    expect(asked["sessionID"] === root).toBe(who !== "a subagent")
  })

  it("waits with --ask wait until somebody elsewhere answers, and says how", async () => {
    const { start, pawl, project, configuration } = await workplace()
    await writeFile(join(configuration, "pawl.jsonc"), ASK)
    await using server = await modelServer({
      replies: [reply(call("bash", { command: "touch made" })), reply(text("Made."))],
    })

    const { said, finished } = start(["run", "--ask", "wait", "-m", "custom/test", "--base-url", server.url, "go"])
    await said("questions answer prt_")
    const [question] = jsonLines((await pawl(["questions", "--format", "json"])).stdout)
    const answered = await pawl(["questions", "answer", String(question?.["id"]), "yes"])
    const { code, stdout, stderr } = await finished

    expect(question).toMatchObject({
      tool: "bash",
      agent: "build",
      about: { permission: "bash", patterns: ["touch made"] },
    })
    expect(answered).toMatchObject({ code: 0, stdout: "bash touch made: allowed once\n" })
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Made.\n" })
    expect(stderr).toContain("bash touch made: allowed once, answered from elsewhere")
    await access(join(project, "made"))
  })

  it("has a line for what a subagent asks, with the session that all of it is for", async () => {
    const { start, pawl, configuration } = await workplace()
    await writeFile(join(configuration, "pawl.jsonc"), ASK)
    await using server = await modelServer({
      replies: (request) => {
        const said = JSON.stringify(chatRequest(request).messages)
        if (isChild(request))
          return said.includes('"tool"') ? reply(text("Child done.")) : reply(call("bash", { command: "touch x" }))
        return said.includes("task_result") ? reply(text("All done.")) : reply(delegate)
      },
    })

    const options = ["--ask", "wait", "--format", "json", "-m", "custom/test", "--base-url", server.url]
    const { child, finished } = start(["run", ...options, "go"])
    const asked = await lineOf(child.stdout, "permission_asked")
    await pawl(["questions", "answer", String(asked["id"]), "always"])
    const { code, stdout } = await finished

    const lines = jsonLines(stdout)
    const root = lines[0]?.["sessionID"]
    expect(code).toBe(0)
    expect(asked).toMatchObject({ rootSessionID: root, permission: "bash", patterns: ["touch x"] })
    expect(asked["sessionID"]).not.toBe(root)
    expect(lines.find(({ type }) => type === "permission_replied")).toMatchObject({
      rootSessionID: root,
      reply: "always",
    })
  })
})

async function lineOf(stdout: NodeJS.ReadableStream | null, type: string): Promise<Record<string, unknown>> {
  let buffered = ""
  return new Promise((resolve) => {
    stdout?.on("data", (piece: string) => {
      buffered += piece
      const whole = buffered.slice(0, buffered.lastIndexOf("\n") + 1)
      const found = jsonLines(whole).find((line) => line["type"] === type)
      if (found) resolve(found)
    })
  })
}

describe("a limit", () => {
  it("of steps ends the run with a code and a line of its own", async () => {
    const { pawl } = await desk()
    await using server = await modelServer({ replies: () => reply(call("list", { path: "." })) })
    const options = ["--format", "json", "-m", "custom/test", "--base-url", server.url]

    const run = await pawl("run", ...options, "--max-steps", "2", "go")

    expect(run.code).toBe(4)
    expect(server.requests).toHaveLength(2)
    expect(jsonLines(run.stdout).at(-1)).toMatchObject({
      ...{ type: "error", error: { name: "LimitReachedError", data: { reached: "steps", steps: 2 } } },
    })
  })

  it("of time ends what is under way, and what is stored can be gone on with", async () => {
    const { pawl } = await desk()
    await using server = await modelServer({
      // On a slow machine the time is over before the first request.
      replies: (request) => (request.raw.includes("Continue, heron.") ? reply(text("Later.")) : reply(stall())),
    })
    const options = ["-m", "custom/test", "--base-url", server.url]

    const run = await pawl("run", ...options, "--deadline", "1s", "go")
    const again = await pawl("run", "-c", "--base-url", server.url, "Continue, heron.")

    expect(run.code).toBe(4)
    expect(run.stderr).toContain("The run may take 1.0s, and the work is not finished.")
    expect(again).toMatchObject({ code: 0, stdout: "Later.\n" })
  })

  it.each([
    [["--deadline", "soon"], 'invalid value "soon" for --deadline: expected a time'],
    [["--max-steps", "none"], 'invalid value "none" for --max-steps: expected a whole number'],
    [["--max-cost", "a lot"], 'invalid value "a lot" for --max-cost: expected US dollars'],
    [["--steer"], "--steer needs a running session"],
    [["-c", "--steer", "--queue"], "--steer and --queue cannot be used together"],
  ])("%j is refused", async (options, says) => {
    const { pawl } = await desk()

    const run = await pawl("run", ...options, "go")

    expect(run.code).toBe(2)
    expect(run.stderr).toContain(says)
  })
})
