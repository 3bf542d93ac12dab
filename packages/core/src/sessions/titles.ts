import type { Agent } from "../agents/agent.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { MessageID, SessionID } from "../base/ids.ts"
import type { ModelRequest } from "../contracts/model.ts"
import { titlePrompt } from "../agents/title-prompt.ts"
import type { Storage, Write } from "../contracts/storage.ts"
import { hasGivenTitle, promptTitle } from "../inbox/admit.ts"
import { askForText } from "../request/ask-for-text.ts"
import type { Models } from "../request/request-deps.ts"
import type { Budget } from "../budget/budget.ts"
import type { Store } from "../store/store.ts"
import { writeSession } from "../store/write.ts"
import type { ModelRef, UserMessage } from "../record/message.ts"
import { cleanTitle } from "./clean-title.ts"
import { withRequestHooks } from "../request/request-hooks.ts"
import type { Spent } from "../record/spent.ts"
import { usagePart } from "../usage/usage-part.ts"

export interface TitlesDeps {
  readonly store: Pick<Store, "storage" | "bus" | "now" | "ids" | "inTurn">
  readonly models: Pick<Models, "findModel" | "askModel">
  readonly hooks: Pick<Hooks, "has" | "transform">
  readonly mask: (text: string) => string
  readonly settings: () => {
    readonly agents: ReadonlyMap<string, Agent>
    /** The model that names sessions. Default: the model of the agent `title`. `false`: sessions are not named. */
    readonly titleModel: ModelRef | false | undefined
  }
}

/** Names new sessions with a model, during the work on their first prompt. */
export interface Titles {
  /** Returns whether a session with this title would be named. */
  isWanted(session: { readonly parentID?: SessionID | undefined; readonly title: string }): boolean
  /**
   * Names the session in the background. If this fails, the title stays. `prompt`: the text of the user. Asks no model
   * if the run's budget, which is charged for it, is used up.
   */
  begin(sessionID: SessionID, prompt: string, run: TitledRun): void
  /** Aborts running requests. Resolves when they have ended. */
  close(): Promise<void>
}

export interface TitledRun {
  readonly budget: Budget
  /** The model that answers the prompt. */
  readonly model: ModelRef
  /** Id of the stored prompt. */
  readonly messageID: MessageID
}

/** Maximum characters of a prompt in the request for its title. */
const MAX_PROMPT_LENGTH = 4_000
/** The agent that names sessions. */
const TITLER = "title"

export function createTitles(deps: TitlesDeps): Titles {
  const { store, models } = deps
  const closing = new AbortController()
  const work = new Map<SessionID, Promise<void>>()
  const titleModel = () => {
    const { titleModel: chosen, agents } = deps.settings()
    return chosen || agents.get(TITLER)?.model
  }

  async function smallModel(sessionID: SessionID, { providerID }: ModelRef, signal: AbortSignal) {
    const about = { sessionID, rootSessionID: sessionID, providerID }
    return (await deps.hooks.transform("provider.small_model", about, {}, signal)).model
  }

  async function name(sessionID: SessionID, prompt: string, { budget, model, messageID }: TitledRun) {
    const plain = titleRequest(sessionID, prompt, deps.settings().agents.get(TITLER))
    const signal = AbortSignal.any([closing.signal, budget.signal])
    const ref = titleModel() ?? (await smallModel(sessionID, model, signal))
    if (!ref) return
    const namer = await models.findModel(ref)
    const message = await promptOf(store.storage, sessionID, messageID)
    const about = { sessionID, rootSessionID: sessionID, agent: TITLER, model: namer.ref }
    const request = message ? await withRequestHooks(deps.hooks, { ...about, message }, plain, signal) : plain
    const bills: Write[] = []
    const onSpent = (spent: Spent) => {
      const by = { purpose: "title", agent: TITLER, model: namer.ref } as const
      bills.push({ type: "part.put", part: usagePart(store, { sessionID, messageID, ...by }, spent) })
    }
    const question = { model: namer, request, budget, payer: messageID, onSpent }
    const newTitle = await askForText(models, question, signal).then(
      ({ text }) => cleanTitle(text, deps.mask),
      () => "",
    )
    await store.inTurn(sessionID, async () => {
      const session = await store.storage.getSession(sessionID)
      // Keep a title that a user or plugin has set meanwhile.
      const isOwn = session && (!hasGivenTitle(session) || session.title === promptTitle(prompt, deps.mask))
      const isOpen = isOwn && newTitle !== ""
      const named: Write[] = isOpen ? [{ type: "session.patch", changes: { title: newTitle } }] : []
      const writes = [...bills, ...named]
      if (!session || writes.length === 0) return
      await writeSession(store, sessionID, writes)
    })
  }

  return {
    isWanted({ parentID, title }) {
      if (deps.settings().titleModel === false) return false
      const canBe = titleModel() !== undefined || deps.hooks.has("provider.small_model")
      return canBe && parentID === undefined && !hasGivenTitle({ title })
    },
    begin(sessionID, prompt, run) {
      if (prompt.trim() === "" || closing.signal.aborted || work.has(sessionID) || run.budget.reached()) return
      const naming = name(sessionID, prompt.slice(0, MAX_PROMPT_LENGTH), run)
        .catch(() => undefined)
        .finally(() => work.delete(sessionID))
      work.set(sessionID, naming)
    },
    async close() {
      closing.abort()
      await Promise.all(work.values())
    },
  }
}

/** Returns the prompt's message, or undefined if it is not among the newest ten. */
async function promptOf(
  storage: Pick<Storage, "readMessages">,
  sessionID: SessionID,
  id: MessageID,
): Promise<UserMessage | undefined> {
  for await (const { info } of storage.readMessages(sessionID, { limit: 10 })) {
    if (info.id === id && info.role === "user") return info
  }
  return undefined
}

function titleRequest(sessionID: SessionID, prompt: string, agent: Agent | undefined): ModelRequest {
  const { temperature } = agent ?? {}
  return {
    ...{ sessionID, system: [agent?.prompt ?? titlePrompt], tools: [], headers: {} },
    messages: [{ role: "user", content: [{ type: "text", text: prompt }] }],
    settings: { ...(temperature === undefined ? {} : { temperature }) },
  }
}
