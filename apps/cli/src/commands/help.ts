import type { Command, CommandRow, OptionSpecs } from "../arguments/command.ts"
import { showHelp } from "../arguments/show-help.ts"
import { exitCodes } from "../exit-code.ts"

/** Explains the commands of a table. */
export function helpFor(commands: readonly CommandRow[]): Command<OptionSpecs> {
  return async ({ words }, host) => {
    await showHelp(commands, words, host.stdout, host.environment)
    return exitCodes.success
  }
}
