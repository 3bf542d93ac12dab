import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { createEngine, type Engine } from "@pawl/core"
import type { Provider } from "@pawl/core/provider"
import type { MaintainedStorage } from "@pawl/core/storage"
import { defineTool } from "@pawl/core/tool"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { type FaultyFront, faultyFront, type Spoil } from "./faulty-front.ts"
import { answerTo, resultOf } from "./turn.ts"
import type { Wire } from "./wires.ts"

/** Milliseconds to wait for a silent model. The long limit suits a busy machine in cases that do not test silence. */
const SHORT_TIMEOUT_MS = 250
const LONG_TIMEOUT_MS = 20_000

export interface CaseLabOptions {
  readonly wire: Wire
  /** A new directory is created in it. */
  readonly directory: string
  /** Uses the short limit for a silent model. */
  readonly isHasty: boolean
  /** Removes a guard of the provider. */
  readonly sabotage?: (provider: Provider) => Provider
}

/** An engine with its own store, a model server, and a proxy that spoils its answers. */
export interface CaseLab extends AsyncDisposable {
  readonly wire: Wire
  readonly engine: Engine
  readonly storage: MaintainedStorage
  readonly front: FaultyFront
  readonly directory: string
  /** Returns the words with which the tool has been executed since the last call. */
  takeRuns(): string[]
  /** Decides about the answer of the n-th request from now on, counted from 0. */
  spoil(spoilOf: (index: number) => Spoil | undefined): void
}

export async function openCaseLab({ wire, directory, isHasty, sabotage }: CaseLabOptions): Promise<CaseLab> {
  const own = await mkdtemp(join(directory, `providers-${wire.name}-`))
  let spoilOf: (index: number) => Spoil | undefined = () => undefined
  let since = 0
  let runs: string[] = []
  const front = await faultyFront({ replies: answerTo, spoilOf: (index) => spoilOf(index - since) })
  const storage = await sqliteStorage({ path: join(own, "store.sqlite") })
  const provider = wire.open(front)
  const idle = isHasty ? SHORT_TIMEOUT_MS : LONG_TIMEOUT_MS
  const engine = await createEngine({
    storage,
    tools: [markTool((word) => runs.push(word))],
    providers: [sabotage ? sabotage(provider) : provider],
    model: { providerID: wire.providerID, modelID: wire.modelID },
    environment: {},
    retry: { delay: 0 },
    deadlines: { firstEvent: idle, idle },
  })
  return {
    ...{ wire, engine, storage, front, directory: own },
    takeRuns() {
      const taken = runs
      runs = []
      return taken
    },
    spoil(next) {
      since = front.requests
      spoilOf = next
    },
    async [Symbol.asyncDispose]() {
      await engine.close()
      await storage.close()
      await front[Symbol.asyncDispose]()
      await rm(own, { recursive: true, force: true })
    },
  }
}

/** Must not run twice for the same word. */
function markTool(onRun: (word: string) => void) {
  return defineTool<{ text: string }>({
    name: "mark",
    description: "Marks a word.",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    effect: "unsafe",
    parse: (input) => input as { text: string },
    execute({ text }) {
      onRun(text)
      return Promise.resolve({ title: text, output: resultOf(text) })
    },
  })
}
