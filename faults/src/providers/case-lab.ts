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

/** Milliseconds that a silent model is waited for: long enough for a busy machine where it is not what is tested. */
const SHORT = 250
const LONG = 20_000

export interface CaseLabOptions {
  readonly wire: Wire
  /** In which it makes a directory of its own. */
  readonly directory: string
  /** Gives up a silent model soon. */
  readonly isHasty: boolean
  /** Takes a guard away. */
  readonly sabotage?: (provider: Provider) => Provider
}

/** An engine over a store of its own, a model server, and what spoils its answers. */
export interface CaseLab extends AsyncDisposable {
  readonly wire: Wire
  readonly engine: Engine
  readonly storage: MaintainedStorage
  readonly front: FaultyFront
  readonly directory: string
  /** Words that the tool was executed with, in order, since last asked. */
  takeRuns(): string[]
  /** What happens to the answer of the n-th request from now on, from 0. */
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
  const idle = isHasty ? SHORT : LONG
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
