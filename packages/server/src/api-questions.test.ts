import type { ToolContext } from "@pawl/core/tool"
import type { MessageWithParts } from "@pawl/core"
import { call, finish, text } from "@pawl/provider-replay"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { failed, newerClient, serving } from "../test/serving.ts"
import { createServerApp, createServerEvents } from "./index.ts"

const tool = { description: "", inputSchema: { type: "object" }, parse: (input: unknown) => input }
const risky = {
  ...tool,
  ...{ name: "risky", effect: "unsafe" as const },
  execute: async () => ({ title: "", output: "went well" }),
}
const asking = {
  ...tool,
  ...{ name: "asking", effect: "pure" as const },
  async execute(_input: unknown, context: ToolContext) {
    const options = [{ label: "red", description: "" }]
    const answers = await context.ask([{ question: "Which?", header: "Colour", options }])
    return { title: "", output: JSON.stringify(answers) }
  },
}
const permission = [{ name: "test", rules: [{ permission: "risky", pattern: "*", action: "ask" as const }] }]

/** A session whose prompt waits for an answer to a call. `requestID`: the open request. */
async function waiting(name: "risky" | "asking") {
  const scene = await serving({
    replies: [
      [call(name, { command: "rm -rf build" }), finish("tool-calls")],
      [text("Done."), finish("stop")],
    ],
    storage: memoryStorage(),
    tools: [risky, asking],
    permission,
    askPolicy: "wait",
  })
  const { engine, directory, said } = scene
  const { id: sessionID } = await engine.createSession({ directory })
  const done = engine.prompt({ sessionID, parts: [{ type: "text", text: "Go" }] })
  const event = name === "risky" ? "permission.asked" : "question.asked"
  await expect.poll(() => said.some(({ type }) => type === event)).toBe(true)
  const requestID = String(said.find(({ type }) => type === event)?.properties["id"])
  const { v2 } = newerClient(scene)
  const output = async () => {
    await done
    const messages: MessageWithParts[] = []
    for await (const message of engine.readMessages(sessionID)) messages.push(message)
    return JSON.stringify(messages.flatMap(({ parts }) => parts.filter(({ type }) => type === "tool")))
  }
  return {
    ...scene,
    scene,
    sessionID,
    requestID,
    v2,
    output,
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  }
}

it("lists the permission requests of a directory and of a session, and returns one", async () => {
  await using opened = await waiting("risky")
  const { v2, engine, directory, sessionID, requestID } = opened
  const request = {
    id: requestID,
    sessionID,
    action: "risky",
    resources: ["*"],
    save: ["*"],
    // As in the event, with what the call would do.
    metadata: { command: "rm -rf build" },
    source: { type: "tool", messageID: expect.stringMatching(/^msg_/), callID: expect.any(String) },
  }
  expect((await v2.permission.request.list()).data).toEqual({
    location: { directory, project: { id: "project-1", directory } },
    data: [request],
  })
  expect((await v2.session.permission.list({ sessionID })).data).toEqual({ data: [request] })
  expect((await v2.session.permission.get({ sessionID, requestID })).data).toEqual({ data: request })
  // The message shows the call as running, under the id that the request names.
  const { data: messages = [] } = (await v2.session.messages({ sessionID })).data ?? {}
  const { callID = "" } = (await v2.session.permission.get({ sessionID, requestID })).data?.data.source ?? {}
  expect(messages.find(({ type }) => type === "assistant")).toMatchObject({
    content: [
      { type: "tool", id: callID, state: { status: "running", input: { command: "rm -rf build" }, structured: {} } },
    ],
  })
  // Another session has requests of its own.
  const { id: other } = await engine.createSession({ directory })
  expect((await v2.session.permission.list({ sessionID: other })).data).toEqual({ data: [] })
  expect(await failed(v2.session.permission.get({ sessionID: other, requestID }))).toEqual([
    404,
    expect.objectContaining({ _tag: "PermissionNotFoundError", requestID }),
  ])
})

it("answers a permission request once", async () => {
  await using opened = await waiting("risky")
  const { v2, sessionID, requestID, output } = opened
  expect(await failed(v2.session.permission.reply({ sessionID, requestID, reply: "maybe" as "once" }))).toEqual([
    400,
    expect.objectContaining({ _tag: "InvalidRequestError", kind: "Body" }),
  ])
  const { response } = await v2.session.permission.reply({ sessionID, requestID, reply: "once" })
  expect(response?.status).toBe(204)
  expect(await output()).toContain("went well")
  expect((await v2.session.permission.list({ sessionID })).data).toEqual({ data: [] })
  expect(await failed(v2.session.permission.reply({ sessionID, requestID, reply: "once" }))).toEqual([
    404,
    expect.objectContaining({ _tag: "PermissionNotFoundError", requestID }),
  ])
})

it("refuses a permission request with words that the model reads", async () => {
  await using opened = await waiting("risky")
  const { v2, sessionID, requestID, output } = opened
  await v2.session.permission.reply({ sessionID, requestID, reply: "reject", message: "Use the safe one." })
  expect(await output()).toContain("Use the safe one.")
})

it("lists the questions of a directory and of a session, and answers one", async () => {
  await using opened = await waiting("asking")
  const { v2, sessionID, requestID, output } = opened
  const question = {
    id: requestID,
    sessionID,
    questions: [{ question: "Which?", header: "Colour", options: [{ label: "red", description: "" }] }],
    tool: { messageID: expect.stringMatching(/^msg_/), callID: expect.any(String) },
  }
  expect((await v2.question.request.list()).data?.data).toEqual([question])
  expect((await v2.session.question.list({ sessionID })).data).toEqual({ data: [question] })
  // A question is not a permission request.
  expect((await v2.session.permission.list({ sessionID })).data).toEqual({ data: [] })
  expect(await failed(v2.session.permission.reply({ sessionID, requestID, reply: "once" }))).toEqual([
    404,
    expect.objectContaining({ _tag: "PermissionNotFoundError" }),
  ])
  expect(await failed(v2.session.question.reply({ sessionID, requestID, questionV2Reply: { answers: [] } }))).toEqual([
    400,
    expect.objectContaining({ _tag: "InvalidRequestError" }),
  ])
  const { response } = await v2.session.question.reply({
    sessionID,
    requestID,
    questionV2Reply: { answers: [["red"]] },
  })
  expect(response?.status).toBe(204)
  expect(await output()).toContain("red")
})

it("dismisses a question", async () => {
  await using opened = await waiting("asking")
  const { v2, sessionID, requestID, output } = opened
  expect((await v2.session.question.reject({ sessionID, requestID })).response?.status).toBe(204)
  expect(await output()).toContain("dismissed")
  expect(await failed(v2.session.question.reject({ sessionID, requestID }))).toEqual([
    404,
    expect.objectContaining({
      _tag: "QuestionNotFoundError",
      requestID,
      message: expect.stringMatching(/no open question \S+\./),
    }),
  ])
})

it("lists and answers a request of a session from before the start of the app", async () => {
  await using opened = await waiting("risky")
  const { host, engine, sessionID, requestID, output } = opened
  const events = createServerEvents(engine, { directory: host.directory })
  const { v2 } = newerClient({ app: createServerApp(host, events) })
  expect((await v2.session.permission.list({ sessionID })).data?.data.map(({ id }) => id)).toEqual([requestID])
  await v2.session.permission.reply({ sessionID, requestID, reply: "once" })
  expect(await output()).toContain("went well")
  events.close()
})

it("refuses invalid and unknown sessions with the names of the newer interface", async () => {
  await using scene = await serving()
  const { v2 } = newerClient(scene)
  for (const [sessionID, status, error] of [
    ["other", 400, { _tag: "InvalidRequestError", kind: "Params" }],
    ["ses_unknown", 404, { _tag: "SessionNotFoundError", sessionID: "ses_unknown" }],
  ] as const) {
    const refused = [status, expect.objectContaining(error)]
    const requestID = "prt_unknown"
    expect(await failed(v2.session.permission.list({ sessionID }))).toEqual(refused)
    expect(await failed(v2.session.permission.get({ sessionID, requestID }))).toEqual(refused)
    expect(await failed(v2.session.permission.reply({ sessionID, requestID, reply: "once" }))).toEqual(refused)
    expect(await failed(v2.session.question.list({ sessionID }))).toEqual(refused)
    expect(await failed(v2.session.question.reject({ sessionID, requestID }))).toEqual(refused)
  }
})
