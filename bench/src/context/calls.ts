import type { JSONObject } from "@pawl/core/record"
import { type Call, type Moment, PROJECT } from "./conversation.ts"
import type { FactList } from "./fact-list.ts"
import { createOutputs, type Outputs } from "./outputs.ts"
import type { Prose } from "./prose.ts"
import type { Random } from "./random.ts"
import { createTestRun, type TestRun } from "./test-output.ts"

/** Creates the agent's tool calls. Facts in them count as known from the given moment. */
export interface Calls {
  readonly outputs: Outputs
  /** A call without facts. */
  ordinary(): Call
  edit(from: Moment): Call
  /** `turn` is the number of the turn. Most of these tests run again some turns later and pass. */
  failingTest(from: Moment, turn: number): Call
  /** The test runs that pass from this turn on. */
  mendedTests(from: Moment, turn: number): readonly Call[]
  error(from: Moment): Call
  /** Replaces the list of tasks. */
  tasks(from: Moment): Call
}

const TASKS = 5
/** Share of failing tests that are fixed later. */
const FIXED_SHARE = 0.6
const MAX_EDIT_BYTES = 3000

export function createCalls(random: Random, prose: Prose, { name, plant, end }: FactList): Calls {
  const outputs = createOutputs(random, prose)
  const broken: { readonly run: TestRun; readonly title: string; readonly mendedIn: number }[] = []
  let count = 0
  const call = (tool: string, input: JSONObject, result: Call["result"]): Call => {
    return { id: `call_${++count}`, tool, input, result }
  }
  const run = (command: string, output: string, exit: number) => {
    return call("bash", { command }, { output, metadata: { exit } })
  }

  return {
    outputs,
    ordinary() {
      const size = outputs.size()
      const path = `${PROJECT}/lib/${prose.noun()}/${prose.adjective()}-${prose.noun()}.ts`
      const kind = random.next()
      if (kind < 0.45) {
        return call("read", { filePath: path }, { output: outputs.file(size), metadata: { filepath: path } })
      }
      if (kind < 0.7) {
        return call("grep", { pattern: prose.identifier() }, { output: outputs.matches(size), metadata: {} })
      }
      const command = random.pick(["pnpm build", "git log --stat", "pnpm vitest run", "docker compose logs"])
      const output = command.includes("vitest") ? outputs.passing(size) : outputs.log(size)
      return run(`${command} ${prose.noun()}`, output, 0)
    },
    edit(from) {
      const [directory, base] = [`src/${prose.noun()}/`, `${name(prose.noun())}.ts`]
      // A list of the files in a directory contains the path as well.
      const equivalent = `${directory}: [^\\\\]*${base}`
      const file = `${PROJECT}/${plant("path", directory + base, from, { equivalent })}`
      const bytes = Math.min(MAX_EDIT_BYTES, outputs.size())
      const input = { filePath: file, oldString: prose.sentence(), newString: outputs.file(bytes / 2) }
      const metadata = { diff: "…", filediff: { file, additions: random.whole(1, 60), deletions: random.whole(0, 30) } }
      return call("edit", input, { output: `Edited.\n${outputs.diff("file", bytes)}`, metadata })
    },
    failingTest(from, turn) {
      const tests = createTestRun(random, prose)
      const title = plant("failing test", `${name(prose.verb())}_the_${prose.noun()}`, from)
      if (random.chance(FIXED_SHARE)) broken.push({ run: tests, title, mendedIn: turn + random.whole(2, 8) })
      return run(tests.command, tests.failing(title, outputs.file(outputs.size())), 1)
    },
    mendedTests(from, turn) {
      const mended = broken.filter(({ mendedIn }) => mendedIn === turn)
      end(from, ({ key }) => mended.some(({ title }) => title === key))
      return mended.map(({ run: tests }) => run(tests.command, tests.passing(), 0))
    },
    error(from) {
      const code = plant("error", name(`ERR_${prose.noun().toUpperCase()}`), from)
      const trace = outputs.trace(`Error: ${code}: ${prose.sentence()}`)
      if (random.chance(0.4)) return call("read", { filePath: `${PROJECT}/${prose.noun()}.ts` }, { error: trace })
      const around = () => outputs.log(outputs.size() / 2)
      return run(`node ${prose.noun()}.js`, `${around()}\n${trace}\n${around()}`, 1)
    },
    tasks(from) {
      end(from, ({ kind, until }) => kind === "open task" && until === undefined)
      const todos = Array.from({ length: TASKS }, () => {
        const key = plant("open task", name(prose.noun()), from)
        return { status: "pending", content: `${prose.verb()} the ${prose.adjective()} ${key}` }
      })
      return call("todowrite", { todos }, { output: `${TASKS} tasks`, metadata: {} })
    },
  }
}
