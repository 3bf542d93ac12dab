import { join } from "node:path"
import { createEngine, type Engine, type Session } from "@pawl/core"
import type { FileHistory } from "@pawl/core/host"
import type { Storage } from "@pawl/core/storage"
import { createWorkspace } from "@pawl/workspace"
import { call, type Reply, scriptedModel, text as says } from "@pawl/provider-replay"
import { memoryStorage } from "@pawl/storage-memory"
import { builtinTools } from "@pawl/tools"
import { onTestFinished } from "vitest"
import { createFileHistory } from "../src/index.ts"
import { environment, testDirectory } from "./project.ts"

export interface Scene {
  readonly engine: Engine
  readonly session: Session
  readonly directory: string
  /** Prompts the session and waits for the end of its turn. */
  readonly prompt: (this: void, text: string) => Promise<void>
}

export interface SceneOptions {
  readonly wrap?: (history: FileHistory) => FileHistory
  /** Default: in memory */
  readonly storage?: Storage
}

/** An engine with the real tools and a real history, in a directory. Each reply is one answer of the model. */
export async function scene(
  directory: string,
  replies: readonly Reply[],
  { wrap = (history) => history, storage = memoryStorage() }: SceneOptions = {},
): Promise<Scene> {
  const model = scriptedModel(replies)
  const fileHistory = wrap(createFileHistory({ directory: join(await testDirectory(), "undo"), environment }))
  const engine = await createEngine({
    ...{ storage, fileHistory, tools: builtinTools(), environment, workspace: createWorkspace() },
    providers: [
      { id: model.ref.providerID, name: "scripted", models: async () => [model.info], model: async () => model },
    ],
    model: model.ref,
    permission: [{ name: "test", rules: [{ permission: "*", pattern: "*", action: "allow" }] }],
  })
  onTestFinished(async () => {
    await engine.close()
    await fileHistory.close()
  })
  const session = await engine.createSession({ directory })
  return {
    ...{ engine, session, directory },
    async prompt(text) {
      const result = await engine.prompt({ sessionID: session.id, parts: [{ type: "text", text }] })
      if (result.type !== "answered") throw new Error(`The turn ended with ${JSON.stringify(result)}.`)
    },
  }
}

/** The turn of a model that makes these calls one after another, and then says that it is done. */
export function turn(...calls: readonly (readonly [tool: string, input: object])[]): Reply[] {
  return [...calls.map(([name, input]): Reply => [call(name, input as never)]), [says("Done.")]]
}

export const bash = (command: string) => ["bash", { command }] as const
