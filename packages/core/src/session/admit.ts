import { type Agent, findAgent } from "../agent.ts"
import { NotFoundError } from "../errors.ts"
import { isRequest } from "../context/compaction/arrange.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { IDSource, PartID, SessionID } from "../ids.ts"
import { type Reminder, remindersFor } from "../prompt/reminders/reminders.ts"
import type { Model } from "../provider/model.ts"
import type { Storage, Write } from "../storage/storage.ts"
import { type JournalDeps, publishWrites } from "./journal.ts"
import type { Message, ModelRef, Part, Session, UserMessage } from "./message.ts"
import { mediaFitter, type MediaFitterDeps } from "./media-fitter.ts"
import { isMedia } from "./model-messages.ts"
import type { InTurn } from "./turns.ts"

const TITLE_LENGTH = 60
const DEFAULT_TITLE = /^(New|Child) session - /

export interface AdmitDeps extends JournalDeps, MediaFitterDeps {
  readonly storage: JournalDeps["storage"] & Pick<Storage, "readMessages" | "readContext">
  readonly agents: ReadonlyMap<string, Agent>
  readonly findModel: (ref: ModelRef) => Promise<Model>
  readonly hooks: Hooks
  readonly ids: IDSource
  readonly inTurn: InTurn
}

/** The text of a text file goes along as a synthetic text; its file part is for people. Other files reach the model. */
export type PromptPart =
  | { readonly type: "text"; readonly text: string; readonly synthetic?: boolean; readonly ignored?: boolean }
  | { readonly type: "file"; readonly mime: string; readonly filename?: string; readonly url: string }

export interface PromptInput {
  readonly sessionID: SessionID
  readonly parts: readonly PromptPart[]
  readonly agent: string
  readonly model: ModelRef
  /** Added to the system prompt while this message is the newest of the user's. */
  readonly system?: string
  /** `false` keeps a tool from the model. */
  readonly tools?: Readonly<Record<string, boolean>>
}

/** Stores what the user said. Durable when it resolves. Rejects before that when a hook chose what is not known. */
export async function admit(
  deps: AdmitDeps,
  input: PromptInput,
  { signal, isQueued }: { readonly signal: AbortSignal; readonly isQueued: boolean },
): Promise<void> {
  const { sessionID } = input
  const newest = await newestMessage(deps, sessionID)
  const id = deps.ids.message(newest?.id)
  const asked: UserMessage = {
    id,
    sessionID,
    role: "user",
    time: { created: deps.now() },
    agent: input.agent,
    model: input.model,
    ...(input.system === undefined ? {} : { system: input.system }),
    ...(input.tools === undefined ? {} : { tools: input.tools }),
  }
  const given = input.parts.map((part): Part => ({ ...part, id: deps.ids.part(), sessionID, messageID: id }))
  const about = { sessionID, messageID: id, agent: input.agent, model: input.model }
  const whole = { message: asked, parts: given }
  // An abort ends the waiting, and what the user said is stored as it was said.
  const draft = await deps.hooks.transform("chat.message", about, whole, signal).catch(() => whole)
  // What the message says is the hooks' to change, but not which message it is.
  const message: UserMessage = { ...draft.message, id, sessionID, role: "user", time: asked.time }
  const parts = draft.parts.map((part): Part => ({ ...part, sessionID, messageID: id }))
  const { agent, model } = message
  findAgent(deps.agents, agent)
  await deps.findModel(model)
  const fitted = await fitFiles(deps, model, parts)

  await deps.inTurn(sessionID, async () => {
    // While hooks were waited for the conversation may have gone on, and even have been compacted behind this id.
    const latest = await newestMessage(deps, sessionID)
    const own = latest && latest.id > id ? deps.ids.message(latest.id) : id
    const session = await deps.storage.getSession(sessionID)
    if (!session) throw new NotFoundError(`Session ${sessionID} does not exist.`)
    const time = { updated: deps.now() }
    const reminders = remindersFor({
      ...{ session, agent, since: session.pins?.length ? await lastAsked(deps, sessionID) : undefined },
      isQueued: isQueued && !isEnd(newest),
    })
    const all = [...fitted, ...reminderParts(deps, reminders, message, parts.at(-1)?.id)]
    const owned = all.map((part): Part => ({ ...part, messageID: own }))
    const writes: Write[] = [
      { type: "message.put", message: { ...message, id: own } },
      ...owned.map((part): Write => ({ type: "part.put", part })),
      { type: "session.patch", changes: { ...title(session, parts), agent, model, time } },
    ]
    await deps.storage.commit(sessionID, writes)
    await publishWrites(deps, sessionID, writes)
  })
}

async function newestMessage(
  { storage }: Pick<AdmitDeps, "storage">,
  sessionID: SessionID,
): Promise<Message | undefined> {
  for await (const { info } of storage.readMessages(sessionID, { limit: 1 })) return info
  return undefined
}

/** Looks into the history only where files come. */
async function fitFiles(deps: AdmitDeps, model: ModelRef, parts: readonly Part[]): Promise<readonly Part[]> {
  const [first] = parts
  if (!first || !parts.some((part) => part.type === "file" && isMedia(part))) return parts
  const { messages } = await deps.storage.readContext(first.sessionID)
  const fitted: Part[] = []
  for (const part of parts) {
    // Each counts towards what the provider takes of the next.
    const fit = mediaFitter(deps, model, [...messages, { parts: fitted }])
    fitted.push(part.type === "file" ? await fit(part) : part)
  }
  return fitted
}

/** Whether the answer to what was asked before has come to its end. */
function isEnd(newest: Message | undefined): boolean {
  return newest?.role === "assistant" && newest.finish !== undefined && newest.finish !== "tool-calls"
}

/** What the user said last. Looks back through a turn, which may be long: only where something is pinned. */
async function lastAsked(
  { storage }: Pick<AdmitDeps, "storage">,
  sessionID: SessionID,
): Promise<UserMessage | undefined> {
  for await (const message of storage.readMessages(sessionID)) {
    if (isRequest(message)) return message.info
  }
  return undefined
}

function reminderParts(
  { ids }: AdmitDeps,
  reminders: readonly Reminder[],
  { id: messageID, sessionID }: UserMessage,
  last: PartID | undefined,
): Part[] {
  let after = last
  return reminders.map(({ kind, text }): Part => {
    after = ids.part(after)
    return { id: after, sessionID, messageID, type: "text", text, synthetic: true, metadata: { reminder: kind } }
  })
}

/** Until a better one is made, a session is called by the first line that the user wrote. */
function title(session: Session, parts: readonly Part[]): { title?: string } {
  if (!DEFAULT_TITLE.test(session.title)) return {}
  const written = parts.find((part) => part.type === "text" && !part.synthetic)
  const line = written?.type === "text" ? firstLine(written.text) : ""
  return line === "" ? {} : { title: shortened(line) }
}

/** As much of the line as a title can need: prompts may be a single line of megabytes. */
function firstLine(text: string): string {
  const [line = ""] = text
    .trimStart()
    .slice(0, TITLE_LENGTH * 20)
    .split("\n", 1)
  return line.replaceAll(/\s+/g, " ").trim()
}

function shortened(line: string): string {
  // A character is one unit at least. Loading the segmenter takes longer than everything else here.
  if (line.length <= TITLE_LENGTH) return line
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment)
  return characters.length > TITLE_LENGTH ? `${characters.slice(0, TITLE_LENGTH - 1).join("")}…` : line
}
