import type { Command, CommandRow } from "../arguments/command.ts"
import { showHelp } from "../arguments/show-help.ts"
import { UsageError } from "../arguments/usage-error.ts"
import { exitCodes } from "../exit-code.ts"
import type { helpOptions } from "./help.form.ts"

/** Creates the command `help` for a table of commands. */
export function helpFor(commands: readonly CommandRow[]): Command<typeof helpOptions> {
  return async ({ options, words }, host) => {
    const isNamed = words.length > 0
    if (isNamed && options.all) throw new UsageError("--all cannot be used with a command", "See: pawl help --help")
    await showHelp(commands, isNamed || options.all ? words : undefined, host.stdout, host.environment)
    return exitCodes.success
  }
}
