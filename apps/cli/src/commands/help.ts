import { defineCommand } from "../arguments/command.ts"
import { showHelp } from "../arguments/show-help.ts"
import { UsageError } from "../arguments/usage-error.ts"
import { exitCodes } from "../exit-code.ts"

const helpOptions = {
  all: { summary: "list all commands, options and environment variables" },
} as const

export const command = defineCommand({
  usage: ["help [command]", "help --all"],
  words: { min: 0, max: 2 },
  options: helpOptions,
  examples: [
    ["pawl help run", "show the help of pawl run"],
    ["pawl help --all", "list all commands"],
  ],
  async run({ options, words }, host, commands) {
    const isNamed = words.length > 0
    if (isNamed && options.all) throw new UsageError("--all cannot be used with a command", "See: pawl help --help")
    await showHelp(commands, isNamed || options.all ? words : undefined, host.stdout, host.environment)
    return exitCodes.success
  },
})
