import { setTimeout as delay } from "node:timers/promises"
import type { Cell, Feature } from "./features.ts"
import { answers, command, editedGreeting, greetingFile, hasAttachment, permittedFile, prompts } from "./model.ts"
import { writtenFile } from "./model.ts"
import { check, fileIn } from "./program.ts"
import { keys, type Terminal } from "./terminal.ts"
import type { World } from "./world.ts"

/** How a user does things in a terminal UI. */
export interface TerminalUI {
  /** Starts it. */
  start(world: World, token: string): Terminal
  /** Shown when prompts can be typed. */
  readonly ready: string | RegExp
  /** Shown with a question for permission. */
  readonly question: string
  /** The key that allows a call once. */
  readonly allow: string
  /** Interrupts a turn. */
  interrupt(terminal: Terminal): Promise<void>
  /** Shown when a turn was interrupted. */
  readonly interrupted: string | RegExp
  /** Chooses the suggested file. */
  readonly complete: string
  /** Shown after a wrong token; undefined if it ends with an exit code other than 0. */
  readonly refused?: RegExp
  /** Shows the sessions. */
  list?(terminal: Terminal): Promise<void>
  undo?(terminal: Terminal): Promise<void>
}

const KEY_PAUSE_MS = 15
const SUBMIT_PAUSE_MS = 300
/** A suggestion or a dialog may be drawn before it takes keys. */
const DIALOG_PAUSE_MS = 500

/** Types as a user does: one key after the other. */
export async function typeSlowly(terminal: Terminal, text: string): Promise<void> {
  for (const key of text) {
    terminal.type(key)
    await delay(KEY_PAUSE_MS)
  }
  await delay(SUBMIT_PAUSE_MS)
}

export async function submit(terminal: Terminal, text: string): Promise<void> {
  await typeSlowly(terminal, text)
  terminal.type(keys.enter)
}

/** The cells of a terminal UI. `missing` has the reasons for those that it cannot play. */
export function terminalCells(
  ui: TerminalUI,
  missing: Readonly<Partial<Record<Feature, string>>> = {},
): Record<Feature, Cell> {
  async function open(world: World): Promise<Terminal> {
    const terminal = ui.start(world, world.token)
    await terminal.shows(ui.ready)
    await delay(DIALOG_PAUSE_MS)
    return terminal
  }

  /** Allows the call that is asked about, once the question shows the words. */
  async function allow(terminal: Terminal, words: string): Promise<void> {
    await terminal.shows(ui.question)
    await terminal.shows(words)
    await delay(DIALOG_PAUSE_MS)
    terminal.type(ui.allow)
  }

  const cells: Record<Feature, Cell> = {
    async boot(world) {
      await open(world)
    },
    async prompt(world) {
      const terminal = await open(world)
      await submit(terminal, prompts.hello)
      await terminal.shows(answers.hello)
    },
    async stream(world) {
      const terminal = await open(world)
      // OpenCode's mini UI shows the first answer of a session when it is complete.
      await submit(terminal, prompts.hello)
      await terminal.shows(answers.hello)
      await submit(terminal, prompts.stall)
      await terminal.shows(answers.stall)
    },
    async permission(world) {
      const terminal = await open(world)
      await submit(terminal, prompts.command)
      await allow(terminal, command)
      await terminal.shows(answers.command)
      check((await fileIn(world, permittedFile)) === "permitted\n", "the command has not run")
      await submit(terminal, prompts.edit)
      await allow(terminal, "Good evening")
      await terminal.shows(answers.edit)
      check((await fileIn(world, greetingFile)) === editedGreeting, "the file is not edited")
    },
    async abort(world) {
      const terminal = await open(world)
      await submit(terminal, prompts.stall)
      await world.until("a request of the model", () => world.model.requests.some(({ path }) => path.includes("chat")))
      await delay(DIALOG_PAUSE_MS)
      await ui.interrupt(terminal)
      await terminal.shows(ui.interrupted)
      const isIdle = async () => Object.keys((await world.get("/session/status")) as object).length === 0
      await world.until("an idle session", isIdle)
    },
    async reconnect(world) {
      const terminal = await open(world)
      await submit(terminal, prompts.hello)
      await terminal.shows(answers.hello)
      await world.kill()
      await world.restart()
      // Clients come back after a pause.
      await delay(RECONNECT_MS)
      await submit(terminal, prompts.more)
      await terminal.shows(answers.more)
    },
    async list(world) {
      for (const title of ["First title", "Second title"]) await world.post("/session", { title })
      const terminal = await open(world)
      await ui.list?.(terminal)
      await terminal.shows("First title")
      await terminal.shows("Second title")
    },
    async undo(world) {
      const terminal = await open(world)
      await submit(terminal, prompts.write)
      await terminal.shows(answers.write)
      check((await fileIn(world, writtenFile)) === "written\n", "the file is not written")
      await delay(DIALOG_PAUSE_MS)
      await ui.undo?.(terminal)
      await world.until("the undone file to be gone", async () => (await fileIn(world, writtenFile)) === undefined)
    },
    async attach(world) {
      const terminal = await open(world)
      await typeSlowly(terminal, `${prompts.attached} @attach`)
      await terminal.shows("attached.txt")
      await delay(DIALOG_PAUSE_MS)
      terminal.type(ui.complete)
      await terminal.shows("@attached.txt")
      await delay(DIALOG_PAUSE_MS)
      terminal.type(keys.enter)
      await terminal.shows(answers.attached)
      check(hasAttachment(world.model.requests), "the model has not read the file")
    },
    async auth(world) {
      const refused = ui.start(world, "wrong")
      await world.until("a refusal of the wrong token", () => {
        if (refused.exitCode !== undefined) return refused.exitCode !== 0
        return ui.refused?.test(refused.text())
      })
      refused.end()
      await open(world)
    },
  }
  return { ...cells, ...missing }
}

const RECONNECT_MS = 3000
