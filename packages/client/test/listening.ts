import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { builtinAgents, createEngine } from "@pawl/core"
import { finish, type Reply, scriptedModel, text } from "@pawl/provider-replay"
import { createServer, listen, type ListenOptions } from "@pawl/server"
import { memoryStorage } from "@pawl/storage-memory"
import { onTestFinished } from "vitest"

export const TOKEN = "t0ken_of-the-test"

export interface Listening {
  readonly address: string
  readonly directory: string
  readonly stop: () => Promise<void>
}

/** Starts a server with a scripted model. It stops with the test. */
export async function listening(
  options: { readonly replies?: readonly Reply[]; readonly target?: ListenOptions["target"] } = {},
): Promise<Listening> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-client-")))
  const storage = memoryStorage()
  const controller = new AbortController()
  const server = createServer({
    directory,
    version: "9.9.9",
    async open(path) {
      const model = scriptedModel(options.replies ?? Array.from({ length: 20 }, () => [text("Done."), finish("stop")]))
      const { info, ref } = model
      const provider = { id: ref.providerID, name: "Replay", models: async () => [info], model: async () => model }
      const engine = await createEngine({ storage, providers: [provider], model: ref })
      return {
        host: {
          engine,
          directory: path,
          worktree: path,
          version: "9.9.9",
          project: { id: "project-1", time: { created: 1 } },
          config: () => ({}),
          agents: () => builtinAgents,
          commands: () => [],
          providers: () => [provider],
          log: () => undefined,
          toast: () => undefined,
        },
        close: () => engine.close(),
      }
    },
  })
  const { promise, resolve } = Promise.withResolvers<string>()
  const done = listen(server, {
    target: options.target ?? { port: 0 },
    token: TOKEN,
    signal: controller.signal,
    onListening: resolve,
  })
  const address = await Promise.race([promise, done.then(() => "")])
  const stop = async () => {
    controller.abort()
    await done
  }
  onTestFinished(async () => {
    await stop()
    await storage.close()
    await rm(directory, { recursive: true, force: true })
  })
  return { address, directory, stop }
}
