import {
  COMPACT_COMMAND,
  compactionProblem,
  type Engine,
  type MessageWithParts,
  type ModelRef,
  type SessionID,
} from "@pawl/core"
import { newestMessage } from "../find-message.ts"
import type { ServerCommand, ServerHost } from "../host.ts"
import { NotCompactedError } from "../request-error.ts"
import { answerOf } from "./answer-of.ts"

const compactCommand: ServerCommand = { ...COMPACT_COMMAND, does: "compact", expand: async () => [] }

/** Returns the host's commands, with `compact` unless the host has a command of that name. */
export async function offeredCommands(host: ServerHost): Promise<readonly ServerCommand[]> {
  const commands = await host.commands()
  const hasOwn = commands.some(({ name }) => name === compactCommand.name)
  return hasOwn ? commands : [...commands, compactCommand]
}

/** Compacts a session and returns the summary. Rejects with NotCompactedError if nothing was compacted. */
export async function compacted(
  engine: Engine,
  sessionID: SessionID,
  options: { readonly focus?: string; readonly model?: ModelRef } = {},
): Promise<MessageWithParts> {
  const result = await engine.compact(sessionID, options)
  const problem = compactionProblem(result)
  if (problem !== undefined) throw new NotCompactedError(problem)
  const isSummary = ({ info }: MessageWithParts) => info.role === "assistant" && info.summary === true
  return (await newestMessage(engine, sessionID, isSummary)) ?? answerOf(engine, sessionID, result)
}
