import { type Client, type Input, type Output, ServerError } from "@pawl/client"
import type { ContextReport, ModelRef, Session, UndoReport } from "@pawl/core"
import { proposedChange } from "@pawl/terminal-text/proposed-change"
import type { OpenQuestion, QueuedPrompt } from "../state/view.ts"
import { openQuestion } from "./open-question.ts"
import { clock, createServerEvents } from "./server-source-events.ts"
import { createSendOrder } from "./send-order.ts"
import { preparePrompt } from "./server-source-prompt.ts"
import { toMessage, toSession } from "./server-source-shapes.ts"
import type { OpenedSession, QuestionDetails, Source } from "./source.ts"

export interface ServerSourceOptions {
  readonly client: Client
  /** Absolute. */
  readonly directory: string
  readonly mask: (text: string) => string
  /** The user's choices for new sessions. Default: those of the server */
  readonly agent?: string | undefined
  readonly model?: ModelRef | undefined
  readonly variant?: string | undefined
  /** Default: `Date.now` */
  readonly now?: () => number
}

const NO_NOTES = "Over a server, notes cannot be added: the files are on its machine. Edit AGENTS.md there."
/** Messages of an opened session that are read. */
const MAX_OPENED = 200
/** Milliseconds that a server has to remove a session without prompts when the user leaves. */
const MAX_CLOSE_MS = 2000

/** Sessions of a server. Resolves when its events are followed; rejects if it does not answer. */
export async function createServerSource(options: ServerSourceOptions): Promise<Source> {
  const { client, directory, mask, now = Date.now } = options
  const events = createServerEvents({ client, now, read: readSession })
  /** Directories of known sessions, by id. */
  const directories = new Map<string, string>()
  /** The session that was begun and has no prompt yet: the server has stored it already. */
  let unused: string | undefined

  /** Turns errors of the connection into sentences. */
  async function asked<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      if (!isConnectionError(error)) throw error
      const since = events.awaySince()
      const when = since === undefined ? "" : ` since ${clock(since)}`
      throw new Error(`The server does not answer${when}.`, { cause: error })
    }
  }

  const call: Client["call"] = (id, input, given) => asked(client.call(id, input, { directory, ...given }))
  const placeOf = (sessionID: string) => ({ directory: directories.get(sessionID) ?? directory })

  function known(session: Output<"session.get">): Session {
    directories.set(session.id, session.directory)
    return toSession(session)
  }

  async function readQuestions(sessionID: string) {
    return call("session.questions", { path: { sessionID } }, placeOf(sessionID))
  }

  async function readSession(sessionID: string): Promise<OpenedSession> {
    const path = { sessionID }
    const session = known(await call("session.get", { path }))
    const query = { limit: MAX_OPENED + 1 }
    const all = (await call("session.messages", { path, query }, placeOf(sessionID))).map((each) => toMessage(each))
    const questions = await readQuestions(sessionID)
    return {
      session,
      messages: all.slice(-MAX_OPENED),
      hasMore: all.length > MAX_OPENED,
      queue: all.flatMap(({ info, parts }): QueuedPrompt[] => {
        if (info.role !== "user" || info.delivery?.state !== "waiting") return []
        const text = parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])).join("\n")
        return [{ id: info.id, text, mode: info.delivery.mode }]
      }),
      questions: questions.map((each) => openQuestion(each as Parameters<typeof openQuestion>[0])),
    }
  }

  /** Removes a session that was begun and never used. */
  async function removeUnused(): Promise<void> {
    const sessionID = unused
    unused = undefined
    if (sessionID === undefined) return
    const messages = await client.call("session.messages", { path: { sessionID }, query: { limit: 1 } }, { directory })
    if (messages.length === 0) await client.call("session.delete", { path: { sessionID } }, { directory })
  }

  async function details({ type, request }: OpenQuestion): Promise<QuestionDetails> {
    const question = (await readQuestions(request.sessionID)).find(({ id }) => id === request.id)
    if (!question) return {}
    const { input, tool } = question
    if (type === "choice") return { input }
    const change = await proposedChange({ tool, input }, request.metadata["filepath"], mask)
    return { input, ...(change ? { change } : {}) }
  }

  function undone({ undone: outcomes, ...session }: Output<"session.revert">): UndoReport {
    const { files = [], uncovered = [] } = outcomes ?? {}
    return { session: toSession(session), undone: {}, files, uncovered }
  }

  async function providers() {
    return (await call("config.providers", {})).providers
  }

  async function usual(): Promise<Source["usual"]> {
    const { agent, model, variant } = options
    const config = await call("config.get", {})
    const agents = await call("app.agents", {})
    const main = agents.find(({ mode, hidden }) => mode !== "subagent" && !hidden)?.name ?? "build"
    const configured = config["default_agent"]
    return {
      agent: agent ?? (typeof configured === "string" ? configured : main),
      model: model ?? configuredModel(config["model"]),
      variant,
    }
  }

  const sending = createSendOrder()
  try {
    await asked(events.connected)
    return await source()
  } catch (error) {
    events.close()
    throw error
  }

  async function source(): Promise<Source> {
    return {
      directory,
      mask,
      usual: await usual(),
      subscribe: (listener) => events.subscribe(listener),
      async newSession() {
        await removeUnused().catch(() => undefined)
        const session = known(await call("session.create", { body: {} }))
        unused = session.id
        events.reported.show(session.id, [])
        return session
      },
      async openSession(sessionID) {
        const opened = await readSession(sessionID)
        if (sessionID !== unused) await removeUnused().catch(() => undefined)
        events.reported.show(sessionID, opened.messages)
        await asked(events.reportState(sessionID, opened))
        return opened
      },
      async sessions({ text, limit }) {
        const query = { roots: "true", limit, ...(text ? { search: text } : {}) } as const
        const found = await call("session.list", { query })
        return found.filter(({ id, time }) => id !== unused && time.archived === undefined).map(known)
      },
      async children(sessionID) {
        return (await call("session.children", { path: { sessionID } }, placeOf(sessionID))).map(known)
      },
      async messages(sessionID, limit) {
        return (await readSession(sessionID)).messages.slice(-limit)
      },
      // The server offers no search in texts, so lists find titles only.
      search: async () => [],
      async spending() {
        throw new Error("Costs of turns are not shown over a server. See pawl stats on its machine.")
      },
      async export(sessionID) {
        throw new Error(`Sessions are not exported over a server. On its machine: pawl session export ${sessionID}`)
      },
      async shell({ sessionID, command, agent, model }) {
        const body = { command, ...(agent === undefined ? {} : { agent }), ...(model ? { model } : {}) }
        await call("session.shell", { path: { sessionID }, body }, placeOf(sessionID))
      },
      async subagents() {
        const all = await call("app.agents", {})
        return all
          .filter(({ mode, hidden }) => mode !== "primary" && !hidden)
          .map(({ name, description }) => ({ name, ...(description === undefined ? {} : { description }) }))
      },
      async prompt(prompt) {
        const before = events.prompts()
        try {
          const prepared = preparePrompt(client, prompt, placeOf(prompt.sessionID).directory)
          await sending.next(prepared, (send) => send())
        } catch (error) {
          if (!isConnectionError(error)) throw error
          // The server has stored the prompt, and events report the rest.
          if (events.prompts() > before) return
          const since = events.awaySince()
          const when = since === undefined ? "" : ` since ${clock(since)}`
          throw new Error(`The server does not answer${when}, so the prompt was not sent.`, { cause: error })
        } finally {
          if (events.prompts() > before && prompt.sessionID === unused) unused = undefined
        }
      },
      async shells(sessionID) {
        const listed = await call("session.shells", { path: { sessionID } }, placeOf(sessionID))
        return listed.map((each) => {
          return { ...each, sessionID, command: mask(each.command), lastLine: mask(each.lastLine) }
        })
      },
      async shellOutput({ sessionID, id }) {
        const path = { sessionID, shellID: id }
        const { text, omitted } = await call("session.shellOutput", { path }, placeOf(sessionID))
        return { text: mask(text), omitted }
      },
      stopShell: ({ sessionID, id }) =>
        call("session.stopShell", { path: { sessionID, shellID: id } }, placeOf(sessionID)),
      async resume(sessionID) {
        await call("session.resume", { path: { sessionID } }, placeOf(sessionID))
      },
      async abort(sessionID) {
        await call("session.abort", { path: { sessionID } }, placeOf(sessionID))
      },
      async answer({ request: { id, sessionID } }, answer) {
        const path = { sessionID, questionID: id }
        await call("session.answer", { path, body: answerBody(answer) }, placeOf(sessionID))
      },
      details,
      withdraw(sessionID, messageID) {
        return call("session.withdraw", { path: { sessionID, messageID } }, placeOf(sessionID))
      },
      async agents() {
        const all = await call("app.agents", {})
        return all.flatMap(({ name, description, mode, hidden, color }) => {
          if (mode === "subagent" || hidden) return []
          const shown = typeof color === "string" ? { color } : {}
          return [{ name, ...(description === undefined ? {} : { description }), ...shown }]
        })
      },
      async models() {
        return (await providers()).flatMap(({ id: providerID, models }) =>
          Object.values(models).map(({ id, name, limit, variants }) => ({
            ...{ ref: { providerID, modelID: id }, name, context: limit.context, variants: Object.keys(variants) },
          })),
        )
      },
      async commands() {
        return (await call("command.list", {})).map(({ name, description }) => {
          return { name, ...(description === undefined ? {} : { description }) }
        })
      },
      findFiles: (query, limit) => call("find.files", { query: { query, limit, type: "file" } }),
      async undo(sessionID, { messageID, chat, files } = {}) {
        const body = {
          ...(messageID === undefined ? {} : { messageID }),
          ...(chat === undefined ? {} : { chat }),
          ...(files === undefined ? {} : { files }),
        }
        return undone(await call("session.revert", { path: { sessionID }, body }, placeOf(sessionID)))
      },
      async redo(sessionID) {
        const { revert } = await call("session.get", { path: { sessionID } }, placeOf(sessionID))
        if (!revert) throw new Error("Nothing is undone.")
        return undone(await call("session.unrevert", { path: { sessionID }, body: { last: true } }, placeOf(sessionID)))
      },
      async diff(sessionID) {
        const files = await call("session.diff", { path: { sessionID } }, placeOf(sessionID))
        // The route does not report files whose old content was not kept.
        return { files, uncovered: [] }
      },
      noteFiles: () => Promise.reject(new Error(NO_NOTES)),
      addNote: () => Promise.reject(new Error(NO_NOTES)),
      async compact(sessionID, focus) {
        await call("session.summarize", { path: { sessionID }, body: focus ? { focus } : {} }, placeOf(sessionID))
      },
      async context(sessionID) {
        const report: unknown = await call("session.context", { path: { sessionID } }, placeOf(sessionID))
        return report as ContextReport
      },
      async fork(sessionID, messageID) {
        const body = messageID === undefined ? {} : { messageID }
        return known(await call("session.fork", { path: { sessionID }, body }, placeOf(sessionID)))
      },
      async rename(sessionID, title) {
        await call("session.update", { path: { sessionID }, body: { title } }, placeOf(sessionID))
      },
      async remove(sessionID) {
        await call("session.delete", { path: { sessionID } }, placeOf(sessionID))
        if (unused === sessionID) unused = undefined
      },
      async close() {
        const late = new Promise<void>((resolve) => void setTimeout(resolve, MAX_CLOSE_MS).unref())
        if (events.awaySince() === undefined) await Promise.race([removeUnused().catch(() => undefined), late])
        events.close()
      },
    }
  }
}

function configuredModel(text: unknown): ModelRef | undefined {
  const [providerID = "", ...rest] = typeof text === "string" ? text.split("/") : []
  return rest.length === 0 ? undefined : { providerID, modelID: rest.join("/") }
}

type SentAnswer = Parameters<Source["answer"]>[1]

function answerBody(answer: SentAnswer): Input<"session.answer">["body"] {
  if (answer.type !== "permission") return answer
  const { type, reply, message, patterns } = answer
  return { type, reply, ...(message === undefined ? {} : { message }), ...(patterns === undefined ? {} : { patterns }) }
}

/** Returns true for an error of the connection. */
function isConnectionError(error: unknown): boolean {
  return error instanceof Error && !(error instanceof ServerError) && "code" in error
}
