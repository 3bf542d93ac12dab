import { call, chatRequest, modelServer, type RecordedRequest, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { jsonLines, workplace } from "./workplace.ts"

it("refuses a second process on a session that one works on, and leaves the first alone", async () => {
  const { start, pawl } = await workplace()
  const refused = Promise.withResolvers<void>()
  await using server = await modelServer({
    async replies() {
      await refused.promise
      return reply(text("Done."))
    },
  })

  const first = start(["run", "-m", "custom/test", "--base-url", server.url, "first"])
  await server.received(1)
  const second = await pawl(["run", "--format", "json", "-c", "--base-url", server.url, "second"])
  refused.resolve()
  const { code, stdout } = await first.finished
  await pawl(["run", "-c", "--base-url", server.url, "third"])

  expect(second.code).toBe(1)
  expect(second.stderr).toMatch(/Session ses_\w+ is being worked on by another process\. Wait for it/)
  expect(jsonLines(second.stdout)).toMatchObject([{ type: "error" }])
  expect({ code, stdout }).toEqual({ code: 0, stdout: "Done.\n" })
  // What was refused is not in the session either.
  expect(tasksOf(server.requests.at(-1))).toEqual(["first", "third"])
})

it("lets two processes work side by side in one data directory, and in one project", async () => {
  const { pawl } = await workplace()
  await using server = await modelServer({
    replies(request) {
      const isDone = chatRequest(request).messages.some(({ role }) => role === "tool")
      const [task] = tasksOf(request)
      return isDone ? reply(text(`Answer to ${task}`)) : reply(call("bash", { command: `echo ${task} >> log` }))
    },
  })
  const model = ["-m", "custom/test", "--base-url", server.url]

  const runs = await Promise.all([pawl(["run", ...model, "one"]), pawl(["run", ...model, "two"])])
  const listed = jsonLines((await pawl(["session", "list", "--format", "json"])).stdout)

  expect(runs.map(({ code, stdout }) => [code, stdout])).toEqual([
    [0, "Answer to one\n"],
    [0, "Answer to two\n"],
  ])
  expect(listed.map(({ title }) => title)).toEqual(expect.arrayContaining(["one", "two"]))
})

/** What the user said, as a request has it. */
function tasksOf(request: RecordedRequest | undefined): string[] {
  const { messages } = chatRequest(request)
  return messages.filter(({ role }) => role === "user").map(({ content }) => content as string)
}
