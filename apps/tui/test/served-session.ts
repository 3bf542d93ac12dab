import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "@pawl/client"
import { processHost } from "@pawl/runtime"
import { openServedDirectory } from "@pawl/runtime/served-directory"
import { createServer, listen } from "@pawl/server"
import { expect, onTestFinished } from "vitest"
import { createShownSession, type ShownSession } from "../src/shown-session.ts"
import { createServerSource } from "../src/source/server-source.ts"
import type { Source } from "../src/source/source.ts"
import type { SessionView } from "../src/state/view.ts"
import type { Script } from "./playing-app.ts"

const TOKEN = "t0ken_of-the-test"

export interface ServedSession {
  readonly source: Source
  readonly shown: ShownSession
  readonly directory: string
  readonly view: () => SessionView
  /** Sends a prompt to the shown session. */
  readonly send: (text: string, delivery?: "steer" | "queue") => Promise<void>
  /** Returns the blocks as `type: text`. */
  readonly blocks: () => string[]
  readonly idle: () => Promise<void>
  readonly stop: () => Promise<void>
  /** Starts another server on the same port and storage. */
  readonly start: () => Promise<void>
}

/**
 * The shown session of a UI over a server that listens, with a scripted model. `keepsPositions`: false for a server that
 * does not know after a restart what its clients have missed.
 */
export async function servedSession(script: Script, { keepsPositions = true } = {}): Promise<ServedSession> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "pawl-tui-")))
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-tui-")))
  const file = join(home, "script.jsonl")
  await writeFile(file, script.map((line) => `${JSON.stringify(line)}\n`).join(""))
  const environment = { PATH: process.env["PATH"], HOME: home }
  let port = 0
  let controller = new AbortController()
  let done: Promise<unknown> = Promise.resolve()

  async function start(): Promise<void> {
    controller = new AbortController()
    const server = createServer({
      directory,
      version: "9.9.9",
      ...(keepsPositions ? { positionsDirectory: join(home, "positions") } : {}),
      open: (path) =>
        openServedDirectory({
          directory: path,
          host: processHost({ directory: path, home, environment }),
          storage: `sqlite:${join(home, "sessions.db")}`,
          model: { script: file, pace: 0 },
        }),
    })
    const { promise, resolve } = Promise.withResolvers<string>()
    done = listen(server, { target: { port }, token: TOKEN, signal: controller.signal, onListening: resolve })
    port = Number(new URL(await promise).port)
  }
  async function stop(): Promise<void> {
    controller.abort()
    await done
  }

  await start()
  const client = createClient({ url: `http://127.0.0.1:${port}`, token: TOKEN })
  const source = await createServerSource({ client, directory, mask: (text) => text })
  const shown = createShownSession({ source, now: Date.now, onChange: () => undefined, onModel: () => undefined })
  onTestFinished(async () => {
    shown.close()
    await source.close()
    await stop()
    for (const each of [home, directory]) await rm(each, { recursive: true, force: true })
  })
  await shown.begin()
  const { view } = shown.store
  return {
    ...{ source, shown, directory, view, stop, start },
    send(text, delivery) {
      return source.prompt({ sessionID: view().session?.id ?? "", text, delivery })
    },
    blocks: () =>
      view().blocks.map((block) => {
        if (block.type === "tool") return `tool: ${block.part.tool} ${block.part.state.status}`
        return `${block.type}: ${"text" in block ? block.text : "message" in block ? block.message : ""}`
      }),
    async idle() {
      await expect.poll(() => view().status, { timeout: 30_000 }).toBe("idle")
    },
  }
}
