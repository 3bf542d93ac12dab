import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { inspect } from "node:util"
import { type Cell, type Feature } from "./features.ts"
import { answers, attachedFile, command, editedGreeting, greetingFile, hasAttachment } from "./model.ts"
import { permittedFile, prompts, writtenFile } from "./model.ts"
import type { World } from "./world.ts"

/** A text, or a file that goes with it. */
export type ProgramPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file"; readonly mime: string; readonly filename: string; readonly url: string }

export interface ProgramEvent {
  readonly type: string
  readonly properties: object
}

export interface ProgramMessage {
  readonly info: { readonly id: string; readonly role: string; readonly error?: { readonly name: string } | undefined }
  readonly parts: readonly object[]
}

/** Calls a server through a client library. Each function rejects if the server refuses. */
export interface Program {
  /** Returns the names of the agents. */
  agents(): Promise<readonly string[]>
  /** Returns the session's id. */
  create(title: string): Promise<string>
  /** Returns the answer when the turn has ended. */
  prompt(sessionID: string, parts: ProgramPart[]): Promise<{ readonly parts: readonly object[] }>
  messages(sessionID: string): Promise<readonly ProgramMessage[]>
  /** Follows the events, by the library's own means of coming back after a cut. Resolves when the stream is open. */
  follow(onEvent: (event: ProgramEvent) => void, signal: AbortSignal): Promise<void>
  /** Answers a question with "once". */
  allow(question: { readonly id: string; readonly sessionID: string }): Promise<unknown>
  abort(sessionID: string): Promise<unknown>
  titles(): Promise<readonly string[]>
  revert(sessionID: string, messageID: string): Promise<unknown>
}

export type OpenProgram = (world: World, token: string) => Promise<Program>

interface Turn {
  readonly program: Program
  readonly sessionID: string
  readonly events: readonly ProgramEvent[]
}

/** The cells of a library: each is a small program. */
export function programCells(open: OpenProgram): Record<Feature, Cell> {
  /** Opens a session and follows its events. */
  async function begin(world: World): Promise<Turn> {
    const program = await open(world, world.token)
    const sessionID = await program.create("Session of a program")
    const events: ProgramEvent[] = []
    const stop = new AbortController()
    world.atEnd(() => stop.abort())
    await program.follow((event) => events.push(event), AbortSignal.any([stop.signal, world.signal]))
    return { program, sessionID, events }
  }

  return {
    async boot(world) {
      const agents = await (await open(world, world.token)).agents()
      check(agents.includes("build"), `the agent build is missing in ${agents.join(", ")}`)
    },
    async prompt(world) {
      const { program, sessionID } = await begin(world)
      const answer = await program.prompt(sessionID, [words(prompts.hello)])
      check(has(answer, answers.hello), `the answer is ${JSON.stringify(answer)}`)
    },
    async stream(world) {
      const { program, sessionID, events } = await begin(world)
      const turn = settled(program.prompt(sessionID, [words(prompts.stall)]))
      await world.until("the words in an event", () => textOf(events).includes(answers.stall))
      check(!turn.isOver, "the turn ended before its text was seen")
    },
    async permission(world) {
      const { program, sessionID, events } = await begin(world)
      const allow = async (part: string) => {
        const question = await world.until(`a question that shows ${part}`, () => questionWith(events, part))
        await program.allow(question)
      }
      const [first] = await Promise.all([program.prompt(sessionID, [words(prompts.command)]), allow(command)])
      check(has(first, answers.command), `the answer is ${JSON.stringify(first)}`)
      check((await fileIn(world, permittedFile)) === "permitted\n", "the command has not run")
      const [second] = await Promise.all([program.prompt(sessionID, [words(prompts.edit)]), allow("+Good evening")])
      check(has(second, answers.edit), `the answer is ${JSON.stringify(second)}`)
      check((await fileIn(world, greetingFile)) === editedGreeting, "the file is not edited")
    },
    async abort(world) {
      const { program, sessionID, events } = await begin(world)
      const turn = settled(program.prompt(sessionID, [words(prompts.stall)]))
      await world.until("the words in an event", () => textOf(events).includes(answers.stall))
      await program.abort(sessionID)
      await world.until("the end of the prompt", () => turn.isOver)
      const last = (await program.messages(sessionID)).at(-1)
      check(last?.info.error?.name === "MessageAbortedError", `the last message is ${JSON.stringify(last)}`)
      check(has(last, answers.stall), "the text from before is gone")
    },
    async reconnect(world) {
      const { program, sessionID, events } = await begin(world)
      await program.prompt(sessionID, [words(prompts.hello)])
      await world.until("the first answer in an event", () => textOf(events).includes(answers.hello))
      await world.kill()
      await world.restart()
      const answer = await program.prompt(sessionID, [words(prompts.more)])
      check(has(answer, answers.more), `the answer is ${JSON.stringify(answer)}`)
      await world.until("the second answer in an event", () => textOf(events).includes(answers.more))
    },
    async list(world) {
      const program = await open(world, world.token)
      for (const title of ["First title", "Second title"]) await program.create(title)
      const titles = await program.titles()
      check(titles.includes("First title") && titles.includes("Second title"), `the titles are ${titles.join(", ")}`)
    },
    async undo(world) {
      const { program, sessionID } = await begin(world)
      await program.prompt(sessionID, [words(prompts.write)])
      check((await fileIn(world, writtenFile)) === "written\n", "the file is not written")
      const prompt = (await program.messages(sessionID)).find(({ info }) => info.role === "user")
      await program.revert(sessionID, prompt?.info.id ?? "")
      check((await fileIn(world, writtenFile)) === undefined, "the file is still there")
      await program.prompt(sessionID, [words(prompts.more)])
      const messages = await program.messages(sessionID)
      check(!has(messages, prompts.write), "the undone prompt is still a message")
    },
    async attach(world) {
      const { program, sessionID } = await begin(world)
      const url = pathToFileURL(join(world.project, attachedFile)).href
      const file = { type: "file", mime: "text/plain", filename: attachedFile, url } as const
      const answer = await program.prompt(sessionID, [words(prompts.attached), file])
      check(has(answer, answers.attached), `the answer is ${JSON.stringify(answer)}`)
      check(hasAttachment(world.model.requests), "the model has not read the file")
    },
    async auth(world) {
      const refused = settled(open(world, "wrong").then((program) => program.agents()))
      await world.until("a refusal of the wrong token", () => refused.isOver)
      check(refused.error !== undefined, "the wrong token was accepted")
      const refusal = inspect(refused.error)
      check(/401|Unauthorized|token/i.test(refusal), `the refusal is ${refusal}`)
      await (await open(world, world.token)).agents()
    },
  }
}

export function check(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Error(problem)
}

/** Returns the text of a file of the project. Undefined if it does not exist. */
export async function fileIn({ project }: World, name: string): Promise<string | undefined> {
  return readFile(join(project, name), "utf8").catch(() => undefined)
}

interface Settled {
  isOver: boolean
  error?: unknown
}

/** Tells if a promise has settled, and never rejects itself. */
export function settled(promise: Promise<unknown>): Settled {
  const state: Settled = { isOver: false }
  promise.then(
    () => (state.isOver = true),
    (error: unknown) => Object.assign(state, { isOver: true, error }),
  )
  return state
}

const words = (text: string): ProgramPart => ({ type: "text", text })

const has = (value: unknown, text: string) => (JSON.stringify(value) ?? "").includes(text)

/** The text that the events have brought, whole and in pieces. */
function textOf(events: readonly ProgramEvent[]): string {
  return events
    .map(({ properties }) => {
      const { delta, part } = properties as { delta?: string; part?: { text?: string } }
      return delta ?? part?.text ?? ""
    })
    .join("")
}

function questionWith(events: readonly ProgramEvent[], part: string): { id: string; sessionID: string } | undefined {
  const found = events.find(({ type, properties }) => type === "permission.asked" && has(properties, part))
  return found?.properties as { id: string; sessionID: string } | undefined
}
