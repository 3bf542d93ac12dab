import type { ClientRow } from "../features.ts"
import { importPackage } from "../packages.ts"
import { type OpenProgram, type Program, type ProgramEvent, programCells } from "../program.ts"

interface EventSourceModule {
  readonly EventSource: new (url: string, options: { readonly fetch: typeof fetch }) => EventSourceLike
}

interface EventSourceLike extends EventTarget {
  close(): void
}

const open: OpenProgram = async ({ url, packages, project }, token) => {
  const { EventSource } = await importPackage<EventSourceModule>(packages, "eventsource")
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const search = `?directory=${encodeURIComponent(project)}`

  async function send<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${url}${path}${search}`, {
      ...{ method, headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  return {
    agents: async () => (await send<{ name: string }[]>("GET", "/agent")).map(({ name }) => name),
    create: async (title) => (await send<{ id: string }>("POST", "/session", { title })).id,
    prompt: (id, parts) => send("POST", `/session/${id}/message`, { parts }),
    messages: (id) => send("GET", `/session/${id}/message`),
    async follow(onEvent, signal) {
      const source = new EventSource(`${url}/event${search}`, {
        fetch: (input, init) => {
          const all = new Headers(init?.headers)
          all.set("authorization", headers.authorization)
          return fetch(input, { ...init, headers: all })
        },
      })
      signal.addEventListener("abort", () => source.close())
      source.addEventListener("message", (event) => {
        onEvent(JSON.parse((event as Event & { data: string }).data) as ProgramEvent)
      })
      await new Promise((resolve) => source.addEventListener("open", resolve))
    },
    allow: ({ id }) => send("POST", `/permission/${id}/reply`, { reply: "once" }),
    abort: (id) => send("POST", `/session/${id}/abort`),
    titles: async () => (await send<{ title: string }[]>("GET", "/session")).map(({ title }) => title),
    revert: (id, messageID) => send("POST", `/session/${id}/revert`, { messageID }),
  } satisfies Program
}

export const fetchRow: ClientRow = { name: "fetch", title: "fetch and EventSource", cells: programCells(open) }
