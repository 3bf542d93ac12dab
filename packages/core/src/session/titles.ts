import type { Agent } from "../agent.ts"
import type { SessionID } from "../ids.ts"
import type { Model, ModelRequest } from "../provider/model.ts"
import { titlePrompt } from "../prompt/title-prompt.ts"
import type { Storage } from "../storage/storage.ts"
import { hasGivenTitle } from "./admit.ts"
import { type JournalDeps, publishWrites } from "./journal.ts"
import type { ModelRef } from "./message.ts"
import { withDeadlines } from "./stream-deadline.ts"
import { cleanTitle } from "./clean-title.ts"
import type { InTurn } from "./turns.ts"

export interface TitlesDeps extends JournalDeps {
  readonly storage: JournalDeps["storage"] & Pick<Storage, "getSession">
  readonly agents: ReadonlyMap<string, Agent>
  readonly findModel: (ref: ModelRef) => Promise<Model>
  readonly deadlines: { readonly firstEvent: number; readonly idle: number }
  readonly inTurn: InTurn
  /** Absent: that of the agent `title`. */
  readonly titleModel: ModelRef | undefined
}

/** Has new sessions named by a model, beside the work on their first prompt. */
export interface Titles {
  /** Whether a session that has this title would be named. */
  isWanted(session: { readonly parentID?: SessionID | undefined; readonly title: string }): boolean
  /** Nobody waits for it, and no failure shows: the title stays. `prompt`: what the user said. */
  begin(sessionID: SessionID, prompt: string): void
  /** Ends what is under way; resolves when it has ended. */
  close(): Promise<void>
}

/** Characters of a prompt that its title is made from. */
const READ = 4_000

export function createTitles(deps: TitlesDeps): Titles {
  const closing = new AbortController()
  const work = new Map<SessionID, Promise<void>>()
  const agent = deps.agents.get("title")
  const ref = deps.titleModel ?? agent?.model

  async function name(sessionID: SessionID, prompt: string, model: ModelRef): Promise<void> {
    const request = titleRequest(sessionID, prompt, agent)
    const made = cleanTitle(await textOf(deps, await deps.findModel(model), request, closing.signal))
    if (made === "") return
    await deps.inTurn(sessionID, async () => {
      const session = await deps.storage.getSession(sessionID)
      // One that somebody gave meanwhile stays.
      if (!session || hasGivenTitle(session, prompt)) return
      const writes = [{ type: "session.patch", changes: { title: made } }] as const
      await deps.storage.commit(sessionID, writes)
      await publishWrites(deps, sessionID, writes)
    })
  }

  return {
    isWanted: ({ parentID, title }) => ref !== undefined && parentID === undefined && !hasGivenTitle({ title }),
    begin(sessionID, prompt) {
      if (!ref || prompt.trim() === "" || closing.signal.aborted || work.has(sessionID)) return
      const naming = name(sessionID, prompt.slice(0, READ), ref)
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

function titleRequest(sessionID: SessionID, prompt: string, agent: Agent | undefined): ModelRequest {
  const { temperature } = agent ?? {}
  return {
    ...{ sessionID, system: [agent?.prompt ?? titlePrompt], tools: [], headers: {} },
    messages: [{ role: "user", content: [{ type: "text", text: prompt }] }],
    settings: { ...(temperature === undefined ? {} : { temperature }) },
  }
}

async function textOf(deps: TitlesDeps, model: Model, request: ModelRequest, signal: AbortSignal): Promise<string> {
  let text = ""
  for await (const event of withDeadlines((stop) => model.stream(request, stop), signal, deps.deadlines)) {
    if (event.type === "text-delta") text += event.text
    if (event.type === "error") throw event.error
  }
  return text
}
