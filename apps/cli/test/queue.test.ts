import { call, chatRequest, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { jsonLines, workplace } from "./workplace.ts"

/** A session at work whose first answer waits until `goOn` is called. */
async function atWork() {
  const place = await workplace()
  const gate = Promise.withResolvers<void>()
  const server = await modelServer({
    async replies(_request, at) {
      if (at === 0) {
        await gate.promise
        return reply(call("bash", { command: "true" }))
      }
      return reply(text(`Answer ${at}.`))
    },
  })
  const options = ["-m", "custom/test", "--base-url", server.url]
  const first = place.start(["run", ...options, "first"])
  await server.received(1)
  const [session] = jsonLines((await place.pawl(["session", "list", "--format", "json"])).stdout)
  return {
    ...place,
    server,
    first,
    id: String(session?.["id"]),
    options: ["--base-url", server.url],
    goOn: () => gate.resolve(),
  }
}

const saidBy = (request: Parameters<typeof chatRequest>[0]) => {
  return chatRequest(request)
    .messages.filter(({ role }) => role === "user")
    .map(({ content }) => JSON.stringify(content))
    .join("\n")
}

it("hands a message to the process that works on the session: stored, told, and read at its next step", async () => {
  const { pawl, server, first, id, options, goOn } = await atWork()

  const sent = await pawl(["run", "-s", id, ...options, "--steer", "leave the tests alone"])
  const waiting = await pawl(["session", "queue", id])
  goOn()
  const { code, stdout, stderr } = await first.finished
  await server[Symbol.asyncDispose]()

  expect(sent).toMatchObject({ code: 0, stdout: "" })
  expect(sent.stderr).toMatch(/Queued as msg_\w+: the process that runs session ses_\w+ reads it at its next step\./)
  expect(waiting.stdout).toMatch(/^msg_\w+  steer  now  leave the tests alone\n$/)
  expect({ code, stdout }).toEqual({ code: 0, stdout: "Answer 1.\n" })
  expect(stderr).toContain("> leave the tests alone\n  came from elsewhere (steer)\n")
  expect(saidBy(server.requests[1])).toContain("leave the tests alone")
})

it("has a line for it, takes the same message once, and gives it back", async () => {
  const { pawl, server, first, id, options, goOn } = await atWork()
  const send = ["run", "-s", id, ...options, "--queue", "--format", "json", "--id", "mine", "and then this"]

  const [sent, again] = [await pawl(send), await pawl(send)]
  const listed = jsonLines((await pawl(["session", "queue", id, "--format", "json"])).stdout)
  const removed = await pawl(["session", "queue", id, "--remove", "mine"])
  const missing = await pawl(["session", "queue", id, "--remove", "mine"])
  goOn()
  const { stdout } = await first.finished
  await server[Symbol.asyncDispose]()

  const [line] = jsonLines(sent.stdout)
  expect(line).toMatchObject({
    type: "queued",
    sessionID: id,
    mode: "queue",
    messageID: expect.stringMatching(/^msg_/),
  })
  expect(jsonLines(again.stdout)[0]).toMatchObject({ type: "queued", messageID: line?.["messageID"] })
  expect(listed).toHaveLength(1)
  expect(removed).toMatchObject({ code: 0 })
  expect(missing).toMatchObject({ code: 2 })
  expect(stdout).toBe("Answer 1.\n")
})

it("names the ways when a session at work is given a task without one", async () => {
  const { pawl, server, first, id, options, goOn } = await atWork()

  const refused = await pawl(["run", "-s", id, ...options, "second"])
  goOn()
  await first.finished
  await server[Symbol.asyncDispose]()

  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(
    `run -s ${id} --queue "…" delivers it after the turn, --steer at the next step, --interrupt`,
  )
})

it("works here on a session that nobody works on", async () => {
  const { pawl } = await workplace()
  await using server = await modelServer({ replies: [reply(text("One.")), reply(text("Two."))] })
  await pawl(["run", "-m", "custom/test", "--base-url", server.url, "first"])

  const run = await pawl(["run", "-c", "--base-url", server.url, "--queue", "second"])

  expect(run).toMatchObject({ code: 0, stdout: "Two.\n" })
})
