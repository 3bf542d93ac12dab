import { cp } from "node:fs/promises"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { expect, it, onTestFinished } from "vitest"
import { argumentsOf, endAll, processesIn } from "./processes.ts"
import { workplace } from "./workplace.ts"

const EXAMPLE = fileURLToPath(new URL("../../../examples/kill-and-continue", import.meta.url))

it.runIf(process.platform === "linux")(
  "examples/kill-and-continue continues after a kill as its README says",
  async () => {
    const { project, start, pawl } = await workplace()
    onTestFinished(() => endAll(processesIn(project)))
    await cp(`${EXAMPLE}/project`, project, { recursive: true })
    const run = ["run", "--script", `${EXAMPLE}/script.jsonl`]
    const { child, said } = start([...run, "fix the failing test"])
    const isSleeping = () => processesIn(project).some((id) => argumentsOf(id)[0] === "sleep")

    await said("edit greet.js")
    while (!isSleeping()) await delay(20)
    child.kill("SIGKILL")
    while (isSleeping()) await delay(20)
    const { code, stdout, stderr } = await pawl([...run, "-c"])

    expect({ code, stdout: stdout.split("\n").at(-2) }).toEqual({
      code: 0,
      stdout: "The greeting is fixed, and its test passes.",
    })
    expect(stderr).toContain("The call was stopped while it ran.")
    expect(stderr).toMatch(/● bash node --test/)
  },
)
