import type { ClientRow } from "../features.ts"
import { answers, attachedFile, command, editedGreeting, greetingFile, hasAttachment } from "../model.ts"
import { permittedFile, prompts } from "../model.ts"
import { opencode } from "../opencode.ts"
import { type Ended, startProgram } from "../process.ts"
import { check, fileIn } from "../program.ts"
import type { World } from "../world.ts"

const begin = (world: World, token: string, ...args: readonly string[]) =>
  startProgram(world, [...opencode(world), "run", "--attach", world.url, "-p", token, ...args])

const run = async (world: World, ...args: readonly string[]): Promise<Ended> => begin(world, world.token, ...args).ended

export const opencodeRunRow: ClientRow = {
  name: "opencode-run",
  title: "`opencode run --attach`",
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
    stream: "The client prints a text when it is complete.",
    async permission(world) {
      const denied = await run(world, prompts.command)
      check(denied.output.includes(command), `the command is not shown: ${denied.output}`)
      check((await fileIn(world, permittedFile)) === undefined, "the command has run without a permission")
      const allowed = await run(world, "--auto", prompts.command)
      check(allowed.output.includes(answers.command), `it ended with ${allowed.code}: ${allowed.output}`)
      check((await fileIn(world, permittedFile)) === "permitted\n", "the command has not run")
      const edited = await run(world, "--auto", prompts.edit)
      check(edited.output.includes("Good evening"), `the difference is not shown: ${edited.output}`)
      check((await fileIn(world, greetingFile)) === editedGreeting, "the file is not edited")
    },
    abort: "Ctrl-C ends the client, and the turn continues.",
    reconnect: "The client ends with its turn.",
    list: "The client does not list sessions of a server.",
    undo: "The client has no undo.",
    async attach(world) {
      const { code, output } = await run(world, prompts.attached, "-f", attachedFile)
      check(code === 0 && output.includes(answers.attached), `it ended with ${code}: ${output}`)
      check(hasAttachment(world.model.requests), "the model has not read the file")
    },
    async auth(world) {
      const refused = await begin(world, "wrong", prompts.hello).ended
      check(refused.code !== 0, `the wrong token was accepted: ${refused.output}`)
      const accepted = await run(world, prompts.hello)
      check(accepted.code === 0, `it ended with ${accepted.code}: ${accepted.output}`)
    },
  },
}
