import type { Command } from "./command.ts"

export const newSession: Command = {
  name: "new",
  aliases: ["clear"],
  description: "Begin a new session.",
  run: (ui) => ui.newSession(),
}
