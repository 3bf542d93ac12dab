import { expect, it, onTestFinished } from "vitest"
import { jsonLines, workplace, type Workplace } from "./workplace.ts"

async function watching(place: Workplace, ...args: readonly string[]) {
  const { child, finished, said } = place.start(["session", "watch", ...args])
  onTestFinished(() => void child.kill("SIGKILL"))
  let shown = ""
  child.stdout?.on("data", (chunk: string) => (shown += chunk))
  await said("Watching")
  return {
    child,
    finished,
    async until(words: string) {
      while (!shown.includes(words)) await new Promise((resolve) => child.stdout?.once("data", resolve))
    },
  }
}

it("shows the messages of a session as another process writes them, until the session is removed", async () => {
  const place = await workplace()
  await place.pawl(["run", "-m", "replay/hello", "first task"])
  const watch = await watching(place, "--format", "json", "-n", "1")
  await watch.until("Hello!")
  await place.pawl(["run", "-c", "-m", "replay/hello", "second task"])
  await watch.until("second task")
  const [{ id } = { id: "" }] = jsonLines((await place.pawl(["session", "list", "--format", "json"])).stdout)
  await place.pawl(["session", "remove", "--yes", String(id)])
  const { code, stdout, stderr } = await watch.finished
  expect(code).toBe(0)
  expect(stderr).toContain("The session was removed.")
  const roles = jsonLines(stdout).map(({ info }) => (info as { role: string }).role)
  expect(roles).toEqual(["assistant", "user", "assistant"])
})

it("shows text like session show, and ends with Ctrl-C", async () => {
  const place = await workplace()
  await place.pawl(["run", "-m", "replay/hello", "first task"])
  const watch = await watching(place)
  await watch.until("Hello!")
  watch.child.kill("SIGINT")
  const { code, stdout } = await watch.finished
  expect(code).toBe(0)
  const shown = await place.pawl(["session", "show"])
  expect(shown.stdout).toContain(stdout.trim())
})

it.each([
  [["-n", "x"], 2, "-n"],
  [["ses_none"], 2, "ses_none"],
])("says what is wrong with %j", async (args, code, words) => {
  const place = await workplace()
  const finished = await place.pawl(["session", "watch", ...args])
  expect(finished.code).toBe(code)
  expect(finished.stderr).toContain(words)
})
