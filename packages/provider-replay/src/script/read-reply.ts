import type { FinishReason } from "@pawl/core/provider"
import type { Reply, ReplyStep, ScriptedUsage } from "../reply/reply.ts"
import { itemKeys, readItem } from "./read-item.ts"
import { readChoice, readFields, readNumber, readRecord, ScriptFault } from "./script-fault.ts"

const usageKeys = ["input", "output", "reasoning", "cacheRead", "cacheWrite"] as const
const endingKeys = ["usage", "finish"] as const
const reasons: readonly FinishReason[] = ["stop", "length", "content-filter", "tool-calls", "error", "unknown"]

/** Reads a line of a script: `{"reply": [item, …]}`, or a single item. Throws ScriptFault. */
export function readReply(line: unknown): Reply {
  const { reply, usage, finish, ...item } = readFields(line, "A reply", ["reply", ...endingKeys, ...itemKeys])
  return [...readItems(reply, item), ...readEnding(usage, finish)]
}

function readItems(reply: unknown, item: Readonly<Record<string, unknown>>): readonly ReplyStep[] {
  if (reply === undefined) return [readItem(item)]
  const [key] = Object.keys(item)
  if (key !== undefined) throw new ScriptFault(`"${key}" cannot stand beside "reply": put it into the list.`)
  if (!Array.isArray(reply)) throw new ScriptFault(`"reply" must be a list, got ${JSON.stringify(reply)}.`)
  const steps = reply.map((element) => readItem(element))
  const last = steps.findIndex(({ type }) => type === "stall" || type === "fail")
  if (last === -1 || last === steps.length - 1) return steps
  const word = steps[last]?.type === "stall" ? "stall" : "error"
  throw new ScriptFault(`Nothing is said after "${word}": make it the last item of its reply.`)
}

function readEnding(usage: unknown, finish: unknown): readonly ReplyStep[] {
  if (usage === undefined && finish === undefined) return []
  const counts: ScriptedUsage | undefined =
    usage === undefined ? undefined : readRecord(usage, "usage", usageKeys, readNumber)
  const reason = finish === undefined ? undefined : readChoice(finish, "finish", reasons)
  return [{ type: "ending", reason, usage: counts }]
}
