import type { ClientRow } from "../features.ts"
import { answers, attachedFile, command, editedGreeting, greetingFile, hasAttachment } from "../model.ts"
import { permittedFile, prompts } from "../model.ts"
import { startProgram } from "../process.ts"
import { check, fileIn } from "../program.ts"
import { keys, openTerminal, type Terminal } from "../terminal.ts"
import { cli, type World } from "../world.ts"

const commandOf = ({ url }: World) => [process.execPath, cli, "run", `--attach=${url}`]

const start = (world: World, token: string, ...args: readonly string[]) =>
  startProgram(world, [...commandOf(world), ...args], { PAWL_SERVE_TOKEN: token })

const run = (world: World, ...args: readonly string[]) => start(world, world.token, ...args).ended

/** With a terminal, which questions need. */
const inTerminal = (world: World, ...args: readonly string[]): Terminal =>
  openTerminal(world, [...commandOf(world), ...args], { PAWL_SERVE_TOKEN: world.token })

const STORAGE = "The command for it, of `pawl session` or `pawl undo`, reads the storage and needs no server."

export const pawlRunRow: ClientRow = {
  name: "pawl-run",
  title: "`pawl run --attach`",
  cells: {
    async boot(world) {
      const { code, output } = await run(world, "--title", "Booted", prompts.hello)
      check(code === 0, `it ended with ${code}: ${output}`)
      const sessions = (await world.get("/session")) as { title: string }[]
      check(sessions[0]?.title === "Booted", `the sessions are ${JSON.stringify(sessions)}`)
    },
    async prompt(world) {
      const { code, output } = await run(world, prompts.hello)
      check(code === 0 && output.includes(answers.hello), `it ended with ${code}: ${output}`)
    },
    async stream(world) {
      await inTerminal(world, prompts.stall).shows(answers.stall)
    },
    async permission(world) {
      const terminal = inTerminal(world, prompts.command)
      await terminal.shows(command)
      await terminal.shows(/allow/i)
      terminal.type("y\r")
      await terminal.shows(answers.command)
      check((await fileIn(world, permittedFile)) === "permitted\n", "the command has not run")
      const second = inTerminal(world, prompts.edit)
      await second.shows("Good evening")
      await second.shows(/allow/i)
      second.type("y\r")
      await second.shows(answers.edit)
      check((await fileIn(world, greetingFile)) === editedGreeting, "the file is not edited")
    },
    async abort(world) {
      const terminal = inTerminal(world, prompts.stall)
      await terminal.shows(answers.stall)
      terminal.type(keys.ctrlC)
      await world.until("the end of the client", () => terminal.exitCode === 130)
      check(Object.keys((await world.get("/session/status")) as object).length === 0, "the session is still at work")
    },
    reconnect: "The client ends with its turn.",
    list: STORAGE,
    undo: STORAGE,
    async attach(world) {
      const { code, output } = await run(world, prompts.attached, "-f", attachedFile)
      check(code === 0 && output.includes(answers.attached), `it ended with ${code}: ${output}`)
      check(hasAttachment(world.model.requests), "the model has not read the file")
    },
    async auth(world) {
      const refused = await start(world, "wrong", prompts.hello).ended
      check(refused.output.includes("refuses the token"), `it ended with ${refused.code}: ${refused.output}`)
      const accepted = await run(world, prompts.hello)
      check(accepted.code === 0, `it ended with ${accepted.code}: ${accepted.output}`)
    },
  },
}
