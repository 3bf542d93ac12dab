import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, chatRequest, modelServer, type RecordedRequest, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { jsonLines, workplace } from "./workplace.ts"

const delegate = (prompt: string) => call("task", { description: prompt, prompt, subagent_type: "general" })
const saidIn = (request: RecordedRequest) => JSON.stringify(chatRequest(request).messages)

it("lists what works for a session with its id, agent and state, also while it works", async () => {
  const { start, pawl, configuration } = await workplace()
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ permission: { bash: "ask" } }))
  await using server = await modelServer({
    replies: (request) => {
      const said = saidIn(request)
      if (said.includes('"delegated"')) return reply(text("All done."))
      if (said.includes("the quick one")) return reply(text("Quick."))
      if (said.includes("the asking one"))
        return said.includes('"tool"') ? reply(text("Asked.")) : reply(call("bash", { command: "true" }))
      return said.includes("task_result")
        ? reply(text("All done."))
        : reply(delegate("Do the quick one"), delegate("Do the asking one"))
    },
  })

  const { said, finished } = start(["run", "--ask", "wait", "-m", "custom/test", "--base-url", server.url, "go"])
  await said("questions answer prt_")
  const [root] = jsonLines((await pawl(["session", "list", "--format", "json"])).stdout)
  const id = String(root?.["id"])
  const [question] = jsonLines((await pawl(["questions", "--format", "json"])).stdout)
  const before = jsonLines((await pawl(["session", "children", id, "--format", "json"])).stdout)
  await pawl(["questions", "answer", String(question?.["id"]), "yes"])
  const { code } = await finished
  const { stdout } = await pawl(["session", "children", id])

  expect(code).toBe(0)
  expect(before).toContainEqual(
    expect.objectContaining({ id: question?.["sessionID"], agent: "general", state: "asks" }),
  )
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .toSorted((a, b) => (a.slice(-16) < b.slice(-16) ? -1 : 1)),
  ).toEqual([
    expect.stringMatching(/^ses_\w+  general  answered  .*asking one/),
    expect.stringMatching(/^ses_\w+  general  answered  .*quick one/),
  ])
})
