import { ProviderError } from "@pawl/core/provider"
import { numberCalls, type Reply } from "../reply/reply.ts"
import { headerKeys, readHeader } from "./read-header.ts"
import { readReply } from "./read-reply.ts"
import { isAside, withoutMarks } from "./recording-marks.ts"
import type { Script, ScriptHeader } from "./script.ts"
import { ScriptFault } from "./script-fault.ts"

/**
 * Reads a script: JSON Lines, whose first line may be a header. Ignores blank lines and lines that begin with `//`.
 * Throws ProviderError "invalid-request" that names the script and the line.
 */
export function parseScript(text: string, name: string): Script {
  const replies: Reply[] = []
  const sessions = new Set<string>()
  let header: ScriptHeader | undefined
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "" || line.trimStart().startsWith("//")) continue
    try {
      const value = parseLine(line)
      if (isAside(value)) continue
      const { reply, session } = withoutMarks(value)
      if (session !== undefined) sessions.add(session)
      if (!isHeader(value)) replies.push(readReply(reply))
      else if (header === undefined && replies.length === 0) header = readHeader(value)
      else throw new ScriptFault("The header must be the first line, and there can be one only.")
    } catch (fault) {
      throw atLine(fault, name, index + 1)
    }
  }
  const position = header?.position ?? (sessions.size > 1 ? "sequence" : undefined)
  return { name, header: { ...header, position }, replies: numberCalls(replies) }
}

function parseLine(line: string): unknown {
  try {
    // `trim` also removes a byte order mark.
    return JSON.parse(line.trim())
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ScriptFault(`This is not JSON; a reply is one object on one line. ${reason}.`, { cause })
  }
}

function isHeader(value: unknown): boolean {
  return typeof value === "object" && value !== null && ["recording", ...headerKeys].some((key) => key in value)
}

function atLine(fault: unknown, name: string, line: number): unknown {
  if (!(fault instanceof ScriptFault)) return fault
  const message = `${name}:${line}: ${fault.message}`
  return new ProviderError("invalid-request", message, { providerID: "replay" }, { cause: fault })
}
