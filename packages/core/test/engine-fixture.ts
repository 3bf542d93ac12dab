import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { memoryStorage } from "@pawl/storage-memory"
import {
  createEngine,
  type Engine,
  type EngineEvent,
  type EngineOptions,
  type MessageWithParts,
  type Part,
  type RunResult,
  type Session,
} from "../src/index.ts"
import type { Model, Provider } from "../src/provider.ts"
import type { Storage } from "../src/storage.ts"
import { defineTool, type Tool, type ToolContext } from "../src/tool.ts"
// By their places: core must not depend on them.
import { outputFacts } from "../../tools/src/output-facts/output-facts.ts"
import { createWorkspace } from "../../workspace/src/index.ts"

export interface TestEngine extends AsyncDisposable {
  readonly engine: Engine
  readonly storage: Storage
  readonly session: Session
  readonly events: EngineEvent[]
  ask(text: string): Promise<RunResult>
  messages(): Promise<readonly MessageWithParts[]>
  parts<T extends Part["type"]>(type: T): Promise<Extract<Part, { type: T }>[]>
}

export interface TestEngineOptions extends Partial<Omit<EngineOptions, "providers" | "model">> {
  readonly model: Model
  /** Continues this session instead of a new one. */
  readonly session?: Session
}

/** An engine over memory storage in a directory of its own, with no delays between attempts. Further models are for its agents. */
export async function testEngine(
  { model, session: given, ...options }: TestEngineOptions,
  ...others: readonly Model[]
): Promise<TestEngine> {
  const storage = options.storage ?? memoryStorage()
  const engine = await createEngine({
    random: () => 0,
    workspace: createWorkspace(),
    outputFacts,
    ...options,
    storage,
    providers: [model, ...others].map((each) => only(each)),
    model: model.ref,
  })
  const directory = given?.directory ?? (await mkdtemp(join(tmpdir(), "pawl-engine-")))
  const session = given ?? (await engine.createSession({ directory }))
  const events: EngineEvent[] = []
  engine.subscribe((event) => events.push(event))
  const messages = async () => (await storage.readContext(session.id)).messages
  return {
    ...{ engine, storage, session, events, messages },
    ask: (text) => engine.prompt({ sessionID: session.id, parts: [{ type: "text", text }] }),
    async parts(type) {
      const all = (await messages()).flatMap((message) => message.parts)
      return all.filter((part) => part.type === type) as never
    },
    async [Symbol.asyncDispose]() {
      await engine.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function only(model: Model): Provider {
  return { id: model.ref.providerID, name: "test", models: async () => [model.info], model: async () => model }
}

/** A tool that takes any object. */
export function testTool(
  name: string,
  execute: (input: Record<string, unknown>, context: ToolContext) => Promise<string>,
  more: Partial<Tool<Record<string, unknown>>> = {},
): Tool {
  return defineTool<Record<string, unknown>>({
    name,
    description: name,
    inputSchema: { type: "object", properties: {} },
    effect: "unsafe",
    parse: (input) => input as Record<string, unknown>,
    execute: async (input, context) => ({ title: name, output: await execute(input, context) }),
    ...more,
  })
}
