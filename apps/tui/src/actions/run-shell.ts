import type { UI } from "../commands/command.ts"
import type { OwnCommands } from "../own-commands.ts"

export const SHELL_BUSY = "pawl is working: a command behind ! has to wait for the end of the turn, or for Esc."

/** Returns the command of a prompt that begins with `!`. Undefined for other prompts. */
export function shellCommand(text: string): string | undefined {
  const command = text.startsWith("!") ? text.slice(1).trim() : ""
  return command === "" ? undefined : command
}

/** Runs a command of the user in the session. */
export function runShell(
  { source, view, notice, fail }: Pick<UI, "source" | "view" | "notice" | "fail">,
  own: Pick<OwnCommands, "sent">,
  command: string,
): void {
  const { session, agent, model, status } = view()
  if (!session) return
  if (status === "busy") return notice(SHELL_BUSY)
  const ended = own.sent(command)
  void source.shell({ sessionID: session.id, command, agent, model }).catch(fail).finally(ended)
}
