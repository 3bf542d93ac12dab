import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { ClientRow } from "../features.ts"
import { answers, attachedFile, command, hasAttachment, permittedFile, prompts } from "../model.ts"
import { importPackage } from "../packages.ts"
import { check, fileIn, settled } from "../program.ts"
import type { World } from "../world.ts"

/** A message of the AI SDK. */
interface Message {
  readonly role: "user" | "assistant" | "tool"
  readonly content: readonly object[]
}

/** The part of the provider's model that is called without the AI SDK. */
interface Model {
  doStream(options: { readonly prompt: readonly Message[] }): Promise<{ readonly stream: ReadableStream<StreamPart> }>
}

interface StreamPart {
  readonly type: string
  readonly delta?: string
  readonly approvalId?: string
  readonly toolCallId?: string
}

interface Provider {
  readonly OpencodeClientManager: {
    createInstance(options: {
      readonly baseUrl: string
      readonly autoStartServer: boolean
      readonly clientOptions: { readonly headers: Readonly<Record<string, string>> }
    }): Manager
  }
  readonly createOpencode: (settings: {
    readonly clientManager: Manager
    readonly defaultSettings: { readonly directory: string; readonly sessionTitle: string; readonly logger: false }
  }) => (model: string) => Model
}

interface Manager {
  dispose(): Promise<void>
}

interface AI {
  generateText(options: Options): Promise<{ readonly text: string }>
  streamText(options: Options): { readonly textStream: AsyncIterable<string> }
}

interface Options {
  readonly model: Model
  readonly messages: readonly Message[]
  readonly abortSignal?: AbortSignal
  readonly maxRetries?: number
  readonly onError?: () => void
}

async function open(world: World, password = world.token) {
  const { packages, url, project } = world
  const [{ createOpencode, OpencodeClientManager }, ai] = await Promise.all([
    importPackage<Provider>(packages, "ai-sdk-provider-opencode-sdk"),
    importPackage<AI>(packages, "ai"),
  ])
  // The provider would keep the server of the first cell.
  const clientManager = OpencodeClientManager.createInstance({
    ...{ baseUrl: url, autoStartServer: false },
    clientOptions: { headers: { authorization: `Bearer ${password}` } },
  })
  world.atEnd(() => clientManager.dispose())
  const provider = createOpencode({
    clientManager,
    defaultSettings: { directory: project, sessionTitle: "AI SDK", logger: false },
  })
  return { ai, model: provider("local/scripted") }
}

const user = (text: string, ...more: readonly object[]): Message[] => [
  { role: "user", content: [{ type: "text", text }, ...more] },
]

async function generate(world: World, messages: readonly Message[], password = world.token): Promise<string> {
  const { ai, model } = await open(world, password)
  return (await ai.generateText({ model, messages, abortSignal: world.signal, maxRetries: 0 })).text
}

const NONE = "The library takes one prompt after the other, and has no such call."

export const aiSdkRow: ClientRow = {
  name: "ai-sdk",
  title: "`ai-sdk-provider-opencode-sdk`",
  cells: {
    async boot(world) {
      await generate(world, user(prompts.hello))
      const sessions = (await world.get("/session")) as { title: string }[]
      check(sessions[0]?.title === "AI SDK", `the sessions are ${JSON.stringify(sessions)}`)
    },
    async prompt(world) {
      const text = await generate(world, user(prompts.hello))
      check(text === answers.hello, `the answer is ${text}`)
    },
    async stream(world) {
      const { ai, model } = await open(world)
      const stop = new AbortController()
      world.atEnd(() => stop.abort())
      let text = ""
      for await (const piece of ai.streamText({ model, messages: user(prompts.stall), abortSignal: stop.signal })
        .textStream) {
        text += piece
        if (text.includes(answers.stall)) return
      }
      throw new Error(`the stream ended with ${text}`)
    },
    async permission(world) {
      const { model } = await open(world)
      const asked: StreamPart[] = []
      const first = readAll(await model.doStream({ prompt: user(prompts.command) }), asked)
      const request = await world.until("an approval request", () =>
        asked.find(({ type }) => type === "tool-approval-request"),
      )
      check(JSON.stringify(asked).includes(command), `the command is not in ${JSON.stringify(asked)}`)
      const response = { type: "tool-approval-response", approvalId: request.approvalId, approved: true }
      const prompt: Message[] = [...user(prompts.more), { role: "tool", content: [response] }]
      const answered: StreamPart[] = []
      await readAll(await model.doStream({ prompt }), answered)
      await first
      check((await fileIn(world, permittedFile)) === "permitted\n", "the command has not run")
      // The prompt that carries the answer is the next one of the same turn.
      check(textOf(answered).includes(answers.more), `the answer is ${JSON.stringify(answered)}`)
    },
    async abort(world) {
      const { ai, model } = await open(world)
      const stop = new AbortController()
      const turn = settled(
        ai.generateText({ model, messages: user(prompts.stall), abortSignal: stop.signal, maxRetries: 0 }),
      )
      await world.until("a request of the model", () => world.model.requests.some(({ path }) => path.includes("chat")))
      stop.abort()
      await world.until("the end of the call", () => turn.isOver)
      const isIdle = async () => Object.keys((await world.get("/session/status")) as object).length === 0
      await world.until("an idle session", isIdle)
    },
    async reconnect(world) {
      const { ai, model } = await open(world)
      const ask = async (text: string) => {
        let answer = ""
        for await (const piece of ai.streamText({ model, messages: user(text) }).textStream) answer += piece
        return answer
      }
      check((await ask(prompts.hello)) === answers.hello, "the first answer is another one")
      await world.kill()
      await world.restart()
      const answer = await ask(prompts.more)
      check(answer === answers.more, `the answer is ${answer}`)
    },
    list: NONE,
    undo: NONE,
    async attach(world) {
      const path = join(world.project, attachedFile)
      const file = {
        ...{ type: "file", mediaType: "text/plain", filename: attachedFile },
        data: await readFile(path),
      }
      const text = await generate(world, user(prompts.attached, file))
      check(text === answers.attached, `the answer is ${text}`)
      check(hasAttachment(world.model.requests), "the model has not read the file")
    },
    async auth(world) {
      const refused = settled(generate(world, user(prompts.hello), "wrong"))
      await world.until("a refusal of the wrong token", () => refused.isOver)
      check(refused.error !== undefined, "the wrong token was accepted")
      check((await generate(world, user(prompts.hello))) === answers.hello, "the right token was refused")
    },
  },
}

async function readAll({ stream }: { readonly stream: ReadableStream<StreamPart> }, into: StreamPart[]): Promise<void> {
  for await (const part of stream) into.push(part)
}

function textOf(parts: readonly StreamPart[]): string {
  return parts.map(({ type, delta }) => (type === "text-delta" ? delta : "")).join("")
}
