import type { Position, ScriptedModelInfo, ScriptHeader } from "./script.ts"
import { readBoolean, readChoice, readFields, readNumber, readRecord, readString } from "./script-fault.ts"

export const headerKeys = ["model", "pace", "position"] as const
const positions: readonly Position[] = ["history", "sequence"]

/** Throws ScriptFault. */
export function readHeader(line: unknown): ScriptHeader {
  // The header of a recording has more keys, which a script ignores.
  const isRecording = typeof line === "object" && line !== null && "recording" in line
  const fields = isRecording ? (line as Readonly<Record<string, unknown>>) : readFields(line, "The header", headerKeys)
  const { model, pace, position } = fields
  return {
    model: model === undefined ? undefined : readModel(model),
    pace: pace === undefined ? undefined : { charactersPerSecond: readPace(pace) },
    position: position === undefined ? undefined : readChoice(position, "position", positions),
  }
}

function readPace(value: unknown): number {
  return readNumber(
    readFields(value, "pace", ["charactersPerSecond"])["charactersPerSecond"],
    "pace.charactersPerSecond",
  )
}

function readModel(value: unknown): ScriptedModelInfo {
  const fields = readFields(value, "model", ["id", "name", "limit", "cost", "capabilities"])
  const { id, name, limit, cost, capabilities } = fields
  return {
    id: id === undefined ? undefined : readString(id, "model.id"),
    name: name === undefined ? undefined : readString(name, "model.name"),
    limit: readRecord(limit ?? {}, "model.limit", ["context", "input", "output"], readNumber),
    cost: readRecord(cost ?? {}, "model.cost", ["input", "output", "cacheRead", "cacheWrite"], readNumber),
    capabilities: readRecord(
      capabilities ?? {},
      "model.capabilities",
      ["reasoning", "attachment", "toolCall"],
      readBoolean,
    ),
  }
}
