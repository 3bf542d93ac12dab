import type * as SDK from "@opencode-ai/sdk/v2"
import type { ClientRow } from "../features.ts"
import { importPackage } from "../packages.ts"
import { type OpenProgram, type Program, type ProgramEvent, programCells } from "../program.ts"
import { read } from "./sdk.ts"

const open: OpenProgram = async ({ url, packages, project }, token) => {
  const { createOpencodeClient } = await importPackage<typeof SDK>(packages, "@opencode-ai/sdk/v2")
  const headers = { authorization: `Bearer ${token}` }
  const client = createOpencodeClient({ baseUrl: url, directory: project, headers, throwOnError: true })
  // With throwOnError there is always data, which the type does not say.
  const data = <T>({ data }: { data?: T }) => data as Exclude<T, undefined>
  return {
    agents: async () => data(await client.app.agents()).map(({ name }) => name),
    create: async (title) => data(await client.session.create({ title })).id,
    prompt: async (sessionID, parts) => data(await client.session.prompt({ sessionID, parts })),
    messages: async (sessionID) => data(await client.session.messages({ sessionID })),
    async follow(onEvent, signal) {
      const { stream } = await client.event.subscribe({}, { signal })
      await read(stream as AsyncIterable<ProgramEvent>, onEvent)
    },
    allow: ({ id }) => client.permission.reply({ requestID: id, reply: "once" }),
    abort: (sessionID) => client.session.abort({ sessionID }),
    titles: async () => data(await client.session.list()).map(({ title }) => title),
    revert: (sessionID, messageID) => client.session.revert({ sessionID, messageID }),
  } satisfies Program
}

export const sdkV2Row: ClientRow = { name: "sdk-v2", title: "`@opencode-ai/sdk/v2`", cells: programCells(open) }
