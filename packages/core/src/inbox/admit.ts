import { type Agent, chooseAgent, type Chooser } from "../agents/agent.ts"
import { NotFoundError } from "../base/errors.ts"
import { isRequest } from "../record/request-order.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { HookInput, HookOutput } from "../contracts/hooks.ts"
import { isMessageID, type MessageID, messageTime, type PartID, type SessionID } from "../base/ids.ts"
import { mentionText } from "../reminders/mention.ts"
import { type Reminder, remindersFor } from "../reminders/reminders.ts"
import type { Model } from "../contracts/model.ts"
import type { SessionChanges, Write } from "../contracts/storage.ts"
import { publishWrites } from "../store/journal.ts"
import type { Message, ModelRef, Part, Session, UserMessage } from "../record/message.ts"
import { mediaFitter, type MediaFitterDeps } from "../media/media-fitter.ts"
import type { Store } from "../store/store.ts"
import { finalUndoWrites, undoPatch } from "../undo/final-undo.ts"
import { findPrompt } from "./find-prompt.ts"
import { requirePrompt } from "./require-prompt.ts"
import { storeWaiting } from "./store-waiting.ts"
import { type DeliveryMode, isWaitingInfo } from "../record/waiting.ts"
import type { PromptInput, PromptPart } from "../contracts/prompt.ts"

const MAX_TITLE_LENGTH = 60
const DEFAULT_TITLE = /^(New|Child) session - /

export interface AdmitDeps extends Pick<MediaFitterDeps, "requests"> {
  readonly hooks: Hooks
  readonly store: Store
  readonly models: { readonly findModel: (ref: ModelRef) => Promise<Model> }
  readonly settings: () => { readonly agents: ReadonlyMap<string, Agent> }
  readonly mask: (text: string) => string
}

export interface Admission {
  readonly signal: AbortSignal
  /** Set if the session is running. */
  readonly isQueued: boolean
  /** Set if the prompt is stored to wait for this kind of delivery. If missing, the prompt is read next. */
  readonly waits?: DeliveryMode
  /**
   * Set if the caller chose no agent: a waiting prompt goes to the session's agent at its delivery. Default: `false`
   */
  readonly isAgentOpen?: boolean
  /** Set if the prompt is only stored, and begins no run. Default: `false` */
  readonly isUnanswered?: boolean
  /** The sender of the prompt. Default: `user` */
  readonly by?: Chooser
  /** Writes for the same commit. Default: empty */
  readonly alongside?: readonly Write[]
}

/**
 * Stores a prompt. Resolves with the message's id, when the prompt is durable. Rejects, and stores nothing, if a part
 * or a hook chose an unknown agent or model, or if hooks leave nothing to answer.
 */
export async function admit(
  deps: AdmitDeps,
  input: PromptInput,
  { signal, isQueued, waits, isAgentOpen = false, isUnanswered = false, by = "user", alongside = [] }: Admission,
): Promise<MessageID> {
  const { store, models } = deps
  const { sessionID, clientID } = input
  // A task of an agent must only run once, however long it takes, so search all messages.
  const among = by === "agent" ? { among: Infinity } : {}
  const findDuplicate = async () => {
    if (clientID === undefined || store.drafts.has(sessionID)) return undefined
    return findPrompt(store, sessionID, clientID, among)
  }
  const known = await findDuplicate()
  if (known) return known.id
  const newest = await newestMessage(store, sessionID)
  const id = waits ? store.ids.message(newest?.id) : ownID(store, newest?.id, input.messageID)
  const initial: UserMessage = {
    id,
    sessionID,
    role: "user",
    time: { created: store.now() },
    agent: input.agent,
    model: input.model,
    ...(input.variant === undefined ? {} : { variant: input.variant }),
    ...(input.system === undefined ? {} : { system: input.system }),
    ...(input.tools === undefined ? {} : { tools: input.tools }),
  }
  const about = {
    ...{ sessionID, rootSessionID: await rootFor(deps, sessionID) },
    ...{ messageID: id, agent: input.agent, model: input.model },
    ...(input.variant === undefined ? {} : { variant: input.variant }),
  }
  const asPrompted = await commandParts(deps, input, about, signal)
  await requireNamed(deps, asPrompted)
  const initialParts = [...asPrompted, ...mentions(asPrompted)].map((part): Part => {
    return { ...part, id: store.ids.part(), sessionID, messageID: id }
  })
  const whole = { message: initial, parts: initialParts }
  // If the hook is aborted or fails, the prompt is stored unchanged.
  const draft = await deps.hooks.transform("chat.message", about, whole, signal).catch(() => whole)
  // Hooks may change the contents of the message, but not its identity.
  const message: UserMessage = { ...draft.message, id, sessionID, role: "user", time: initial.time }
  const parts = draft.parts.map((part): Part => ({ ...part, sessionID, messageID: id }))
  // Tasks of agents may be empty.
  if (by === "user") requirePrompt(parts, { command: input.command, isUnanswered })
  const { agent, model } = message
  if (agent !== input.agent) chooseAgent(deps.settings().agents, agent, by)
  const fit = mediaFitter(deps, await models.findModel(model), signal)
  const fitted: Part[] = []
  for (const part of parts) fitted.push(part.type === "file" ? await fit(part) : part)

  return store.inTurn(sessionID, async () => {
    // Another prompt with the same `clientID` may have been stored meanwhile.
    const other = await findDuplicate()
    if (other) return other.id
    // A hook of the first prompt may have sent another prompt, which has stored the session.
    const draft = store.drafts.get(sessionID)
    if (waits && !draft) {
      const followed = isAgentOpen && agent === input.agent ? { agent: "session" as const } : {}
      return storeWaiting(store, { ...message, ...named(clientID) }, fitted, { mode: waits, ...followed })
    }
    // While hooks ran, the conversation may have continued, and even have been compacted behind this id.
    const latest = await newestMessage(store, sessionID)
    const own = latest && latest.id >= id ? store.ids.message(latest.id) : id
    const session = draft ?? (await store.storage.getSession(sessionID))
    if (!session) throw new NotFoundError(`Session ${sessionID} does not exist.`)
    const reminders = remindersFor({
      ...{ session, agent, since: session.pins?.length && !draft ? await lastAsked(store, sessionID) : undefined },
      isQueued: isQueued && !isEnd(newest),
    })
    const all = [...fitted, ...reminderParts(store, reminders, message, parts.at(-1)?.id)]
    const owned = all.map((part): Part => ({ ...part, messageID: own }))
    const writes: Write[] = [
      ...(draft ? [] : await finalUndoWrites(store, session)),
      { type: "message.put", message: { ...message, ...named(clientID), id: own } },
      ...undoPatch(session, { id: own, sessionID }, store.ids).map((part): Write => ({ type: "part.put", part })),
      ...owned.map((part): Write => ({ type: "part.put", part })),
      { type: "session.patch", changes: promptPatch({ now: store.now, mask: deps.mask }, session, message, parts) },
      ...alongside,
    ]
    const stored: Write[] = draft ? [{ type: "session.put", session: draft }, ...writes] : writes
    const revision = await store.storage.commit(sessionID, stored)
    if (draft) {
      store.drafts.delete(sessionID)
      store.bus.publish("session.created", { sessionID, info: draft })
    }
    await publishWrites(store, sessionID, { writes, revision })
    return own
  })
}

/** Milliseconds by which the clock of a client may be ahead. */
const MAX_AHEAD_MS = 60_000

/** Returns the id that the sender chose, if it is the newest one. */
function ownID(
  { ids, now }: Pick<AdmitDeps["store"], "ids" | "now">,
  newest: MessageID | undefined,
  wanted: MessageID | undefined,
): MessageID {
  // An id far ahead of the clock would push all later ids ahead of it.
  const isUsable =
    wanted !== undefined &&
    isMessageID(wanted) &&
    (newest === undefined || wanted > newest) &&
    messageTime(wanted) < now() + MAX_AHEAD_MS
  return isUsable ? wanted : ids.message(newest)
}

/** Returns the parts of a command after its hooks. */
async function commandParts(
  { hooks }: Pick<AdmitDeps, "hooks">,
  { command, parts }: PromptInput,
  about: Omit<HookInput<"command.execute.before">, "command" | "arguments">,
  signal: AbortSignal,
): Promise<readonly PromptPart[]> {
  if (!command || !hooks.has("command.execute.before")) return parts
  const info = { ...about, command: command.name, arguments: command.arguments }
  const draft = { parts: [...parts] as HookOutput<"command.execute.before">["parts"] }
  const changed = await hooks.transform("command.execute.before", info, draft, signal).catch(() => draft)
  return changed.parts as readonly PromptPart[]
}

/** Returns the id of the root session. Looks it up only if a hook reads it. */
async function rootFor({ hooks, store }: Pick<AdmitDeps, "hooks" | "store">, sessionID: SessionID): Promise<SessionID> {
  const isWanted = hooks.has("chat.message") || hooks.has("command.execute.before") || hooks.has("event")
  return isWanted ? store.roots.of(sessionID) : sessionID
}

/** Rejects if a part names an agent or a model that is not available. */
async function requireNamed({ settings, models }: AdmitDeps, parts: readonly PromptPart[]): Promise<void> {
  const { agents } = settings()
  for (const part of parts) {
    if (part.type === "agent") chooseAgent(agents, part.name, "agent")
    if (part.type !== "subtask") continue
    chooseAgent(agents, part.agent, "agent")
    if (part.model) await models.findModel(part.model)
  }
}

function mentions(parts: readonly PromptPart[]): PromptPart[] {
  const names = new Set(parts.flatMap((part) => (part.type === "agent" ? [part.name] : [])))
  return [...names].map((name) => ({ type: "text", text: mentionText(name), synthetic: true }))
}

function named(clientID: string | undefined): Pick<UserMessage, "clientID"> {
  return clientID === undefined ? {} : { clientID }
}

/** Returns the newest message. Skips waiting prompts, whose ids are ahead of the clock. */
async function newestMessage(
  { storage, drafts }: Pick<Store, "storage" | "drafts">,
  sessionID: SessionID,
): Promise<Message | undefined> {
  if (drafts.has(sessionID)) return undefined
  for await (const { info } of storage.readMessages(sessionID)) if (!isWaitingInfo(info)) return info
  return undefined
}

/** Returns whether the previous turn has ended. */
function isEnd(newest: Message | undefined): boolean {
  return newest?.role === "assistant" && newest.finish !== undefined && newest.finish !== "tool-calls"
}

/** Returns the user's last request. Reads a whole turn, which may be long, so call it only if something is pinned. */
async function lastAsked({ storage }: Pick<Store, "storage">, sessionID: SessionID): Promise<UserMessage | undefined> {
  for await (const message of storage.readMessages(sessionID)) {
    if (isRequest(message) && !isWaitingInfo(message.info)) return message.info
  }
  return undefined
}

/** Returns the changes of the session by a prompt that the model will read. */
export function promptPatch(
  { now, mask }: Pick<Store, "now"> & Pick<AdmitDeps, "mask">,
  session: Session,
  { agent, model, variant }: UserMessage,
  parts: readonly Part[],
): SessionChanges {
  const chosen = { agent, model, ...(variant === undefined ? {} : { variant }) }
  return { ...title(session, parts, mask), ...chosen, time: { updated: now() } }
}

export function reminderParts(
  { ids }: Pick<Store, "ids">,
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

/** Returns a title from the first line of the prompt, until a model makes a better one. */
function title(session: Session, parts: readonly Part[], mask: AdmitDeps["mask"]): { title?: string } {
  if (hasGivenTitle(session)) return {}
  const firstTitle = promptTitle(writtenText(parts), mask)
  return firstTitle === "" ? {} : { title: firstTitle }
}

/** Returns the first line of a prompt. Masks secrets before it cuts, because a cut secret would not be recognized. */
export function promptTitle(prompt: string, mask: AdmitDeps["mask"]): string {
  const line = firstLine(prompt)
  return line.length > MAX_TITLE_LENGTH ? shortened(mask(line)) : line
}

/** Returns the text that the user wrote. For a command that a subagent runs: the description or prompt of the task. */
export function writtenText(parts: readonly (PromptPart | Part)[]): string {
  for (const part of parts) {
    if (part.type === "text" && !part.synthetic) return part.text
    if (part.type === "subtask") return part.description || part.prompt
  }
  return ""
}

/** Returns whether the session's title differs from the title of a new session. */
export function hasGivenTitle({ title }: Pick<Session, "title">): boolean {
  return !DEFAULT_TITLE.test(title)
}

/**
 * Returns the first line, with `…` if it is cut far beyond a title's length, because a prompt may be a line of
 * megabytes.
 */
function firstLine(text: string): string {
  const start = text.trimStart()
  const [first = ""] = start.slice(0, MAX_TITLE_LENGTH * 20).split("\n", 1)
  const line = first.length < MAX_TITLE_LENGTH * 20 || first.length === start.length ? first : `${first}…`
  return line.replaceAll(/\s+/g, " ").trim()
}

function shortened(line: string): string {
  // A character has at least one code unit. Loading the segmenter takes longer than everything else here.
  if (line.length <= MAX_TITLE_LENGTH) return line
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment)
  return characters.length > MAX_TITLE_LENGTH ? `${characters.slice(0, MAX_TITLE_LENGTH - 1).join("")}…` : line
}
