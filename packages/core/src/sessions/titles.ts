import type { Agent } from "../agents/agent.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { IDSource, MessageID, SessionID } from "../base/ids.ts"
import type { Model, ModelRequest } from "../contracts/model.ts"
import { titlePrompt } from "../agents/title-prompt.ts"
import type { Storage, Write } from "../contracts/storage.ts"
import { hasGivenTitle, promptTitle } from "../inbox/admit.ts"
import { askForText } from "../request/ask-for-text.ts"
import type { AskModel } from "../request/ask-model.ts"
import type { Budget } from "../budget/budget.ts"
import type { JournalDeps } from "../store/journal.ts"
import { writeSession } from "../store/write.ts"
import type { ModelRef, UserMessage } from "../record/message.ts"
import { cleanTitle } from "./clean-title.ts"
import { withRequestHooks } from "../request/request-hooks.ts"
import type { Spent } from "../record/spent.ts"
import type { InTurn } from "../store/turns.ts"
import { usagePart } from "../usage/usage-part.ts"

export interface TitlesDeps extends JournalDeps {
  readonly ids: IDSource
  readonly storage: JournalDeps["storage"] & Pick<Storage, "getSession" | "readMessages">
  readonly agents: ReadonlyMap<string, Agent>
  readonly findModel: (ref: ModelRef) => Promise<Model>
  readonly askModel: AskModel
  readonly inTurn: InTurn
  readonly hooks: Pick<Hooks, "has" | "transform">
  readonly mask: (text: string) => string
  /** Absent: that of the agent `title`. `false`: nothing is named. */
  readonly titleModel: ModelRef | false | undefined
}

/** Has new sessions named by a model, beside the work on their first prompt. */
export interface Titles {
  /** Whether a session that has this title would be named. */
  isWanted(session: { readonly parentID?: SessionID | undefined; readonly title: string }): boolean
  /**
   * Nobody waits for it, and no failure shows: the title stays. `prompt`: what the user said. Where the run's budget,
   * which pays for it, is used up nothing is asked.
   */
  begin(sessionID: SessionID, prompt: string, run: TitledRun): void
  /** Ends what is under way; resolves when it has ended. */
  close(): Promise<void>
}

export interface TitledRun {
  readonly budget: Budget
  /** That answers the prompt. */
  readonly model: ModelRef
  /** The prompt as it is stored. */
  readonly messageID: MessageID
}

/** Characters of a prompt that its title is made from. */
const READ = 4_000
/** The agent that names. */
const TITLER = "title"

export function createTitles(deps: TitlesDeps): Titles {
  const closing = new AbortController()
  const work = new Map<SessionID, Promise<void>>()
  const titleModel = () => deps.titleModel || deps.agents.get(TITLER)?.model

  async function smallModel(sessionID: SessionID, { providerID }: ModelRef, signal: AbortSignal) {
    const about = { sessionID, rootSessionID: sessionID, providerID }
    return (await deps.hooks.transform("provider.small_model", about, {}, signal)).model
  }

  async function name(sessionID: SessionID, prompt: string, { budget, model, messageID }: TitledRun) {
    const plain = titleRequest(sessionID, prompt, deps.agents.get(TITLER))
    const signal = AbortSignal.any([closing.signal, budget.signal])
    const ref = titleModel() ?? (await smallModel(sessionID, model, signal))
    if (!ref) return
    const namer = await deps.findModel(ref)
    const message = await promptOf(deps.storage, sessionID, messageID)
    const about = { sessionID, rootSessionID: sessionID, agent: TITLER, model: namer.ref }
    const request = message ? await withRequestHooks(deps.hooks, { ...about, message }, plain, signal) : plain
    const bills: Write[] = []
    const onSpent = (spent: Spent) => {
      const by = { purpose: "title", agent: TITLER, model: namer.ref } as const
      bills.push({ type: "part.put", part: usagePart(deps, { sessionID, messageID, ...by }, spent) })
    }
    const asked = { model: namer, request, budget, payer: messageID, onSpent }
    const made = await askForText(deps, asked, signal).then(
      ({ text }) => cleanTitle(text, deps.mask),
      () => "",
    )
    await deps.inTurn(sessionID, async () => {
      const session = await deps.storage.getSession(sessionID)
      // One that somebody gave meanwhile stays.
      const isOwn = session && (!hasGivenTitle(session) || session.title === promptTitle(prompt, deps.mask))
      const isOpen = isOwn && made !== ""
      const named: Write[] = isOpen ? [{ type: "session.patch", changes: { title: made } }] : []
      const writes = [...bills, ...named]
      if (!session || writes.length === 0) return
      await writeSession(deps, sessionID, writes)
    })
  }

  return {
    isWanted({ parentID, title }) {
      if (deps.titleModel === false) return false
      const canBe = titleModel() !== undefined || deps.hooks.has("provider.small_model")
      return canBe && parentID === undefined && !hasGivenTitle({ title })
    },
    begin(sessionID, prompt, run) {
      if (prompt.trim() === "" || closing.signal.aborted || work.has(sessionID) || run.budget.reached()) return
      const naming = name(sessionID, prompt.slice(0, READ), run)
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

/** The prompt's message; undefined once it is far back. */
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
