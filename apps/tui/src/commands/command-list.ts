import { agent } from "./agent.ts"
import { attach } from "./attach.ts"
import { agents } from "./agents.ts"
import type { Command } from "./command.ts"
import { compact } from "./compact.ts"
import { context } from "./context.ts"
import { continueWork } from "./continue.ts"
import { copy } from "./copy.ts"
import { cost } from "./cost.ts"
import { diff } from "./diff.ts"
import { exportSession } from "./export.ts"
import { find } from "./find.ts"
import { fork } from "./fork.ts"
import { history } from "./history.ts"
import { help } from "./help.ts"
import { model } from "./model.ts"
import { newSession } from "./new.ts"
import { quit } from "./quit.ts"
import { sessions, tree } from "./sessions.ts"
import { shells } from "./shells.ts"
import { rename } from "./rename.ts"
import { rewind } from "./rewind.ts"
import { redo, undo } from "./undo.ts"
import { vim } from "./vim.ts"

/** All slash commands of the UI, in the order of `/help`. */
export function commandList(): readonly Command[] {
  return [
    ...[help, newSession, sessions, tree, fork, model, agent, agents, shells, continueWork],
    ...[undo, redo, rewind, diff, compact, context, cost, find, history, attach],
    ...[copy, exportSession, rename, vim, quit],
  ]
}

/** Returns the command that a prompt begins with, and its argument. Undefined for other prompts. */
export function commandIn(
  text: string,
  commands: readonly Command[],
): { readonly command: Command; readonly argument: string } | undefined {
  const [, name = "", argument = ""] = /^\/([\w-]+)(?:\s+([^]*))?$/.exec(text.trim()) ?? []
  const command = commands.find((each) => each.name === name || each.aliases?.includes(name))
  return command && { command, argument: argument.trim() }
}
