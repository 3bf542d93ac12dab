import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { call, chatRequest, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { workplace, type Workplace } from "./workplace.ts"

/** Clients that follow the events, and how often the server is killed. `PAWL_RECONNECT=200` for all. */
const CLIENTS = Number(process.env["PAWL_RECONNECT"] ?? 6)
const KILLS = CLIENTS >= 100 ? 10 : 2
const SESSIONS = 3

interface Event {
  readonly id: string
  readonly type: string
  readonly properties: Readonly<Record<string, unknown>>
}

interface Stored {
  readonly info: { readonly id: string }
  readonly parts: readonly { readonly id: string }[]
}

it("brings each client that is cut, whose server is killed, to what is stored: nothing lost, twice or out of order", async () => {
  const place = await workplace()
  await using model = await modelServer({
    replies(request) {
      const { messages } = chatRequest(request)
      const isDone = messages.at(-1)?.role === "tool"
      const words = Array.from({ length: 40 }, (_, n) => text(`word${n} `))
      return isDone ? reply(...words) : reply(text("Looking. "), call("read", { filePath: "a.txt" }))
    },
  })
  const modelOptions = ["-m", "custom/test", "--base-url", model.url]
  const server = await killable(place, modelOptions)
  const sessions: string[] = []
  for (let n = 0; n < SESSIONS; n++) sessions.push(await server.create(`session ${n}`))
  const clients = Array.from({ length: CLIENTS }, (_, n) => reader(server, n))
  await Promise.all(clients.map(({ connected }) => connected))

  const work = new AbortController()
  const prompting = Promise.all(
    sessions.map(async (id, n) => {
      for (let turn = 0; !work.signal.aborted; turn++) {
        // By turns through the server and by a process of its own.
        if ((turn + n) % 2 === 0) await server.prompt(id, `prompt ${turn}`)
        else await place.pawl(["run", ...modelOptions, "-s", id, `prompt ${turn}`])
      }
    }),
  )
  for (let n = 0; n < KILLS; n++) {
    await delay(1500 + 311 * n)
    await server.kill()
  }
  await delay(500)
  work.abort()
  await prompting
  for (const id of sessions) {
    expect((await place.pawl(["run", ...modelOptions, "-s", id, "the end"])).code).toBe(0)
  }
  const ends = await Promise.all(sessions.map(async (id) => (await server.messages(id)).at(-1)?.info.id ?? ""))
  const seen = await Promise.all(clients.map((client) => client.readUntil(ends)))

  for (const { events, resyncs } of seen) {
    expect(resyncs).toBe(0)
    const { messages, parts, repeated } = assembled(events)
    expect(repeated).toEqual([])
    for (const id of sessions) {
      const stored = await server.messages(id)
      expect(stored.length).toBeGreaterThan(4)
      for (const { info, parts: storedParts } of stored) {
        expect(messages.get(info.id)).toEqual(info)
        for (const part of storedParts) expect(parts.get(part.id)).toEqual(part)
      }
    }
    const positions = events.map(({ id }) => id).filter((id) => id !== "")
    const twice = events.filter(({ id }, at) => id !== "" && events.findIndex((each) => each.id === id) < at)
    expect(twice).toEqual([])
    for (const epoch of new Set(positions.map((position) => position.split(".")[0]))) {
      const numbers = positions.filter((each) => each.startsWith(`${epoch}.`)).map((each) => Number(each.split(".")[1]))
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    }
  }
  const cuts = seen.reduce((sum, each) => sum + each.cuts, 0)
  const events = seen.reduce((sum, each) => sum + each.events.length, 0)
  console.log(`${CLIENTS} clients, ${KILLS} kills, ${cuts} cuts, ${events} events`)
}, 300_000)

type Server = Awaited<ReturnType<typeof killable>>

/** `pawl serve` on one port, which is killed and started again. */
async function killable(place: Workplace, modelOptions: readonly string[]) {
  async function start(port: string) {
    const { child, said } = place.start(["serve", ...modelOptions, "--port", port])
    let shown = ""
    child.stderr?.on("data", (chunk: string) => (shown += chunk))
    await said("oken")
    return { child, url: /http:[^\s"]+/.exec(shown)?.[0] ?? "" }
  }
  let running = await start("0")
  const { url } = running
  const { port } = new URL(url)
  const token = (await readFile(join(place.data, "serve-token"), "utf8")).trim()
  const headers = { authorization: `Bearer ${token}`, "x-opencode-directory": place.project }
  const json = { ...headers, "content-type": "application/json" }

  async function again<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch {
        await delay(50)
      }
    }
  }

  return {
    get: (path: string, more: Record<string, string> = {}, signal?: AbortSignal) =>
      fetch(`${url}${path}`, { headers: { ...headers, ...more }, ...(signal ? { signal } : {}) }),
    create: (title: string) =>
      again(async () => {
        const response = await fetch(`${url}/session`, {
          method: "POST",
          headers: json,
          body: JSON.stringify({ title }),
        })
        return ((await response.json()) as { id: string }).id
      }),
    async prompt(id: string, words: string) {
      const body = JSON.stringify({ parts: [{ type: "text", text: words }] })
      // The server may be killed meanwhile.
      const sent = fetch(`${url}/session/${id}/message`, { method: "POST", headers: json, body })
      await sent.then((response) => response.text()).catch(() => delay(50))
    },
    messages: (id: string) =>
      again(async () => (await (await fetch(`${url}/session/${id}/message`, { headers })).json()) as Stored[]),
    async kill() {
      running.child.kill("SIGKILL")
      running = await start(port)
    },
  }
}

/** A client that reads all events, and is cut at random. */
function reader(server: Server, seed: number) {
  const events: Event[] = []
  const connected = Promise.withResolvers<void>()
  let [cuts, resyncs, position] = [0, 0, ""]
  let state = seed + 1
  const random = (max: number) => (state = (state * 48_271) % 0x7fffffff) % max
  /** Answers that are still to come before it ends. It is not cut any more. */
  let ends: Set<string> | undefined

  let connection = new AbortController()
  const hasAll = () => ends?.size === 0

  async function connect(): Promise<void> {
    connection = new AbortController()
    const left = 5 + random(200)
    const headers: Record<string, string> = position === "" ? {} : { "last-event-id": position }
    const response = await server.get("/global/event", headers, connection.signal)
    const decoder = new TextDecoder()
    let text = ""
    let read = 0
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      connected.resolve()
      text += decoder.decode(chunk, { stream: true })
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      for (const block of blocks) {
        const id = /^id: (.*)$/m.exec(block)?.[1] ?? ""
        const { payload } = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "") as { payload: Omit<Event, "id"> }
        if (payload.type === "server.resync") resyncs++
        if (id !== "") position = id
        if (!payload.type.startsWith("server.")) events.push({ ...payload, id })
        if (isCompleted(payload)) ends?.delete(payload.properties.info.id)
        if (ends?.size === 0) return
        if (ends === undefined && ++read > left) {
          cuts++
          return
        }
      }
    }
  }

  const done = (async () => {
    while (!hasAll()) {
      await connect().catch(() => undefined)
      connection.abort()
      await delay(random(100))
    }
  })()
  return {
    connected: connected.promise,
    async readUntil(answers: readonly string[]) {
      const seen = new Set(events.filter((event) => isCompleted(event)).map(({ properties }) => isOf(properties)))
      ends = new Set(answers.filter((id) => !seen.has(id)))
      if (ends.size === 0) connection.abort()
      await done
      return { events, cuts, resyncs }
    },
  }
}

type Completed = Omit<Event, "id"> & { readonly properties: { readonly info: { readonly id: string } } }

function isCompleted(event: Omit<Event, "id">): event is Completed {
  const info = event.properties["info"] as { time?: { completed?: number } } | undefined
  return event.type === "message.updated" && info?.time?.completed !== undefined
}

function isOf(properties: Event["properties"]): string {
  return (properties["info"] as { id: string }).id
}

/** Puts messages and parts together as a client does. `repeated`: updates that said nothing new. */
function assembled(events: readonly Event[]) {
  const messages = new Map<string, object>()
  const parts = new Map<string, { text?: string }>()
  const repeated: string[] = []
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  for (const { type, properties } of events) {
    if (type === "message.updated") {
      const info = properties["info"] as { id: string }
      if (isSame(messages.get(info.id), info)) repeated.push(info.id)
      messages.set(info.id, info)
    } else if (type === "message.part.updated") {
      const part = properties["part"] as { id: string; text?: string }
      if (isSame(parts.get(part.id), part)) repeated.push(part.id)
      parts.set(part.id, { ...part })
    } else if (type === "message.part.delta") {
      const part = parts.get(String(properties["partID"]))
      if (part) part.text = `${part.text ?? ""}${String(properties["delta"])}`
      else throw new Error("A delta came before its part.")
    } else if (type === "message.removed") messages.delete(String(properties["messageID"]))
    else if (type === "message.part.removed") parts.delete(String(properties["partID"]))
  }
  return { messages, parts, repeated }
}
