import type { Engine, MessageWithParts } from "@pawl/core"
import type { SessionID } from "@pawl/core/record"
import { createUsageTable, type Usage } from "@pawl/reports/usage/usage"
import type { SessionSpending } from "./source.ts"

export interface SpendingQuery {
  readonly engine: Pick<Engine, "children" | "readMessages">
  readonly sessionID: SessionID
}

/** Adds up what a session and all sessions below it have used. Copies in a fork are not counted. */
export async function readSpending({ engine, sessionID }: SpendingQuery): Promise<SessionSpending> {
  const total = createTotal()
  const own = createTotal()
  const turns: { prompt: string; total: Total }[] = []
  for (const message of await messagesOf(engine, sessionID)) {
    if (message.info.role === "user") turns.push({ prompt: textOf(message), total: createTotal() })
    for (const each of [total, own, turns.at(-1)?.total]) each?.add(message)
  }
  const subagents: { title: string; agent: string; usage: Usage }[] = []
  const waiting = [...(await engine.children(sessionID))]
  for (let session = waiting.shift(); session; session = waiting.shift()) {
    const used = createTotal()
    for (const message of await messagesOf(engine, session.id)) for (const each of [total, used]) each.add(message)
    subagents.push({ title: session.title, agent: session.agent ?? "", usage: used.usage() })
    waiting.push(...(await engine.children(session.id)))
  }
  return {
    turns: turns.map((turn) => ({ prompt: turn.prompt, usage: turn.total.usage() })),
    ...{ own: own.usage(), subagents, total: total.usage() },
  }
}

interface Total {
  readonly add: (message: MessageWithParts) => void
  readonly usage: () => Usage
}

function createTotal(): Total {
  const table = createUsageTable({ day: () => "", hour: () => "" })
  return { add: (message) => table.add(message, { directory: "" }), usage: () => table.total() }
}

async function messagesOf(engine: SpendingQuery["engine"], id: SessionID): Promise<MessageWithParts[]> {
  const newest: MessageWithParts[] = []
  for await (const message of engine.readMessages(id)) newest.push(message)
  return newest.toReversed()
}

function textOf({ parts }: MessageWithParts): string {
  return parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])).join(" ")
}
