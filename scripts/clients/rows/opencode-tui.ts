import { setTimeout as delay } from "node:timers/promises"
import type { ClientRow } from "../features.ts"
import { opencode } from "../opencode.ts"
import { keys, openTerminal, type Terminal } from "../terminal.ts"
import { submit, terminalCells, type TerminalUI } from "../terminal-cells.ts"

/** Two escapes interrupt, if the second one comes soon. */
async function interrupt(terminal: Terminal): Promise<void> {
  terminal.type(keys.escape)
  await terminal.shows("again to interrupt")
  terminal.type(keys.escape)
}

const shared = {
  question: "Permission required",
  allow: keys.enter,
  complete: keys.enter,
  interrupt,
} satisfies Partial<TerminalUI>

const tui: TerminalUI = {
  ...shared,
  start: (world, token) => openTerminal(world, [...opencode(world), "attach", world.url, "-p", token]),
  ready: "Ask anything",
  interrupted: "interrupted",
  async list(terminal) {
    await submit(terminal, "/sessions")
    await delay(500)
  },
  undo: (terminal) => submit(terminal, "/undo"),
}

const mini: TerminalUI = {
  ...shared,
  start: (world, token) => openTerminal(world, [...opencode(world), "attach", world.url, "-p", token, "--mini"]),
  ready: "Ask anything",
  interrupted: "aborted",
}

export const opencodeTuiRow: ClientRow = {
  name: "opencode-tui",
  title: "`opencode attach`",
  cells: terminalCells(tui),
}

export const opencodeMiniRow: ClientRow = {
  name: "opencode-mini",
  title: "`opencode attach --mini`",
  cells: terminalCells(mini, {
    list: "The client does not list sessions.",
    undo: "The client has no undo.",
  }),
}
