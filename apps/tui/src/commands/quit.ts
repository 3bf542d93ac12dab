import type { Command } from "./command.ts"

export const quit: Command = {
  name: "quit",
  aliases: ["exit"],
  description: "Leave. The session is stored.",
  run: (ui) => ui.leave(),
}
