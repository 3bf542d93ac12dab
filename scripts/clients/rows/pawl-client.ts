import { createClient } from "@pawl/client"
import type { ClientRow } from "../features.ts"
import { type OpenProgram, type Program, programCells } from "../program.ts"

const open: OpenProgram = async ({ url, project }, token) => {
  const client = createClient({ url, token, directory: project })
  return {
    agents: async () => (await client.call("app.agents", {})).map(({ name }) => name),
    create: async (title) => (await client.call("session.create", { body: { title } })).id,
    prompt: (sessionID, parts) => client.call("session.prompt", { path: { sessionID }, body: { parts } }),
    messages: (sessionID) => client.call("session.messages", { path: { sessionID } }),
    async follow(onEvent, signal) {
      await new Promise<void>((onConnected, failed) => {
        const reading = (async () => {
          const events = client.events({ directory: project, signal, onConnected })
          for await (const { event } of events) onEvent(event)
        })()
        reading.catch(failed)
      })
    },
    allow: ({ id }) => client.call("permission.reply", { path: { requestID: id }, body: { reply: "once" } }),
    abort: (sessionID) => client.call("session.abort", { path: { sessionID } }),
    titles: async () => (await client.call("session.list", {})).map(({ title }) => title),
    revert: (sessionID, messageID) => client.call("session.revert", { path: { sessionID }, body: { messageID } }),
  } satisfies Program
}

export const pawlClientRow: ClientRow = { name: "pawl-client", title: "`@pawl/client`", cells: programCells(open) }
