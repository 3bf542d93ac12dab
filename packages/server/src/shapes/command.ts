import type { ServerCommand } from "../host.ts"

export function openCodeCommand(command: ServerCommand) {
  const { name, description, agent, model, source = "command", template = "", subtask, hints = [] } = command
  return {
    ...{ name, source, template, hints },
    ...(description === undefined ? {} : { description }),
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
    ...(subtask === undefined ? {} : { subtask }),
  }
}
