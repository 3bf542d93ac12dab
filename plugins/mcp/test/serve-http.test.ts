import { setTimeout as delay } from "node:timers/promises"
import { expect, it } from "vitest"
import { serveSessionsOverHTTP } from "../src/serve/index.ts"
import { serveScene, type TestClient, TOKEN } from "./serve-scene.ts"

const isAtWork = async ({ tool }: TestClient, sessionID: unknown) => {
  const { messages } = (await tool("session_messages", { sessionID })).structuredContent
  return JSON.stringify(messages).includes("assistant")
}

it("serves several clients at once, all with the same sessions", async () => {
  const { connect, opened } = await serveScene()
  const clients = await Promise.all([1, 2, 3, 4].map(() => connect()))
  const progress: (string | undefined)[] = []

  const answers = await Promise.all(
    clients.map(({ tool }, at) =>
      tool("session_prompt", { prompt: `hello ${at}` }, { onprogress: ({ message }) => progress.push(message) }),
    ),
  )
  const listed = await clients[0]?.tool("session_list")

  expect(answers.map(({ structuredContent }) => structuredContent["text"])).toEqual([
    ...["You said: hello 0", "You said: hello 1", "You said: hello 2", "You said: hello 3"],
  ])
  expect(progress).toContain("asking the model")
  expect(listed?.structuredContent["sessions"]).toHaveLength(4)
  expect(opened).toHaveLength(1)
})

it("asks the user of the client whose prompt it is, over the answer to the prompt", async () => {
  const { connect, opened } = await serveScene()
  const [willing, unwilling, mute] = await Promise.all([connect("once"), connect("reject"), connect()])

  const answers = await Promise.all(
    [willing, unwilling, mute].map(({ tool }) => tool("session_prompt", { prompt: "touch" })),
  )

  expect(answers.map(({ structuredContent }) => structuredContent["outcome"])).toEqual([
    "answered",
    "refused",
    "refused",
  ])
  for (const { asked } of [willing, unwilling])
    expect(asked).toEqual([expect.stringContaining('the permission "touch"')])
  // One for those who can ask, and one that knows that it cannot.
  expect(opened.map(({ people }) => Object.keys(people))).toEqual(expect.arrayContaining([["ask", "askChoice"], []]))
  expect(opened).toHaveLength(2)
})

it("keeps questions for any client where nobody can be asked and the policy is to wait", async () => {
  const { connect } = await serveScene("wait")
  const [asking, other] = await Promise.all([connect(), connect()])
  const { sessionID } = (await asking.tool("session_create")).structuredContent
  const working = asking.tool("session_prompt", { sessionID, prompt: "touch" })
  const questions = async () =>
    (await other.tool("question_list", { sessionID })).structuredContent["questions"] as readonly object[]
  while ((await questions()).length === 0) await delay(5)

  await other.tool("question_answer", { ...(await questions())[0], reply: "once" })

  expect((await working).structuredContent).toMatchObject({ outcome: "answered", text: "Touched." })
})

it("ends the runs of a client that says goodbye or cancels, and of no other", async () => {
  const { connect, opened } = await serveScene()
  const [leaving, cancelling, staying] = await Promise.all([connect(), connect(), connect()])
  const begin = async (client: TestClient, options?: Parameters<TestClient["tool"]>[2]) => {
    const { sessionID } = (await staying.tool("session_create")).structuredContent
    const working = client.tool("session_prompt", { sessionID, prompt: "wait" }, options).catch((error: Error) => error)
    while (!(await isAtWork(staying, sessionID))) await delay(5)
    return { sessionID, working }
  }
  const cancel = new AbortController()
  const first = await begin(leaving)
  const second = await begin(cancelling, { signal: cancel.signal })
  const third = await begin(staying)

  const idle: unknown[] = []
  opened[0]?.engine.subscribe((event) => {
    if (event.type === "session.idle") idle.push(event.properties.sessionID)
  })
  await leaving.transport.terminateSession()
  while (idle.length < 1) await delay(5)
  cancel.abort("enough")
  while (idle.length < 2) await delay(5)

  expect(idle).toEqual([first.sessionID, second.sessionID])
  await staying.tool("session_abort", { sessionID: third.sessionID })
  expect(await third.working).toMatchObject({ structuredContent: { outcome: "aborted" } })
})

it("lets a run go on whose client has lost its connection", async () => {
  const { connect, opened } = await serveScene()
  const [losing, staying] = await Promise.all([connect(), connect()])
  const { sessionID } = (await losing.tool("session_create")).structuredContent
  const working = losing.tool("session_prompt", { sessionID, prompt: "wait" }).catch(() => "lost")
  while (!(await isAtWork(staying, sessionID))) await delay(5)

  const idle: unknown[] = []
  opened[0]?.engine.subscribe((event) => {
    if (event.type === "session.idle") idle.push(event.properties.sessionID)
  })

  await losing.client.close()
  await working
  for (let round = 0; round < 5; round++) await staying.tool("session_list")

  expect(idle).toEqual([])
  await staying.tool("session_abort", { sessionID })
  while (idle.length === 0) await delay(5)
})

it("ends with its signal, with clients that listen and calls that are under way", async () => {
  const scene = await serveScene()
  const { tool } = await scene.connect()
  const { sessionID } = (await tool("session_create")).structuredContent
  const working = tool("session_prompt", { sessionID, prompt: "wait" }).catch(() => "ended")
  await delay(20)
  await scene.close()
  await expect(fetch(scene.url)).rejects.toThrow("fetch failed")
  await Promise.race([working, delay(100)])
})

it("says what to do where the port is taken", async () => {
  const { url } = await serveScene()
  const port = Number(new URL(url).port)
  const serving = serveSessionsOverHTTP(
    { version: "1", open: () => Promise.reject(new Error("not called")) },
    { port, token: TOKEN, signal: AbortSignal.timeout(100_000), onListening: () => undefined },
  )
  await expect(serving).rejects.toThrow(`Port ${port} of 127.0.0.1 cannot be listened on: it is taken.`)
})
