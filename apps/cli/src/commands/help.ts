import type { CommandInput, OptionSpecs } from "../arguments/command.ts"
import { showHelp } from "../arguments/show-help.ts"
import { commands } from "../command-table.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"

export async function help({ words }: CommandInput<OptionSpecs>, host: Host): Promise<ExitCode> {
  showHelp(commands, words, host.stdout, host.environment)
  return exitCodes.success
}
