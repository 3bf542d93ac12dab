import type * as SDK from "@opencode-ai/sdk"
import type { ClientRow } from "../features.ts"
import { importPackage } from "../packages.ts"
import { type OpenProgram, type Program, type ProgramEvent, programCells } from "../program.ts"

const open: OpenProgram = async ({ url, packages, project }, token) => {
  const { createOpencodeClient } = await importPackage<typeof SDK>(packages, "@opencode-ai/sdk")
  const headers = { authorization: `Bearer ${token}` }
  const client = createOpencodeClient({ baseUrl: url, directory: project, headers, throwOnError: true })
  // With throwOnError there is always data, which the type does not say.
  const data = <T>({ data }: { data?: T }) => data as Exclude<T, undefined>
  return {
    agents: async () => data(await client.app.agents()).map(({ name }) => name),
    create: async (title) => data(await client.session.create({ body: { title } })).id,
    prompt: async (id, parts) => data(await client.session.prompt({ path: { id }, body: { parts } })),
    messages: async (id) => data(await client.session.messages({ path: { id } })),
    async follow(onEvent, signal) {
      const { stream } = await client.event.subscribe({ signal })
      await read(stream as AsyncIterable<ProgramEvent>, onEvent)
    },
    allow: ({ id, sessionID }) =>
      client.postSessionIdPermissionsPermissionId({
        path: { id: sessionID, permissionID: id },
        body: { response: "once" },
      }),
    abort: (id) => client.session.abort({ path: { id } }),
    titles: async () => data(await client.session.list()).map(({ title }) => title),
    revert: (id, messageID) => client.session.revert({ path: { id }, body: { messageID } }),
  } satisfies Program
}

/** Reads a stream in the background. Resolves with its first event. */
export function read(stream: AsyncIterable<ProgramEvent>, onEvent: (event: ProgramEvent) => void): Promise<void> {
  return new Promise((opened, failed) => {
    const reading = (async () => {
      for await (const event of stream) {
        onEvent(event)
        opened()
      }
    })()
    // An aborted stream may end with an error, when nothing waits for it any more.
    reading.catch(failed)
  })
}

export const sdkRow: ClientRow = { name: "sdk", title: "`@opencode-ai/sdk`", cells: programCells(open) }
