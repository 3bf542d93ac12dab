import type { ClientRow } from "../features.ts"
import { keys, openTerminal } from "../terminal.ts"
import { submit, terminalCells, type TerminalUI } from "../terminal-cells.ts"
import { cli } from "../world.ts"

const ui: TerminalUI = {
  start: (world, token) =>
    openTerminal(world, [process.execPath, cli, "--attach", world.url], { PAWL_SERVE_TOKEN: token }),
  ready: "build",
  question: "Allow once",
  allow: "1",
  complete: keys.tab,
  interrupted: /interrupted|aborted/i,
  async interrupt(terminal) {
    await terminal.shows("One two three")
    terminal.type(keys.escape)
  },
  list: (terminal) => submit(terminal, "/sessions"),
  undo: (terminal) => submit(terminal, "/undo"),
}

export const pawlTuiRow: ClientRow = { name: "pawl-tui", title: "`pawl --attach`", cells: terminalCells(ui) }
