import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { memoryStorage } from "@pawl/storage-memory"
import { commitAll, environment, runShell, testDirectory } from "../test/project.ts"
import { createFileHistory } from "./index.ts"

it("works without a place of its own: a file lies where the directory should be", async () => {
  const directory = await testDirectory({ "a.txt": "a\n" })
  commitAll(directory)
  const taken = join(await testDirectory(), "undo")
  await writeFile(taken, "not a directory")
  const history = createFileHistory({ directory: taken, environment })
  onTestFinished(() => history.close())
  const { blobs } = memoryStorage()
  const call = { directory, worktree: directory, blobs, signal: new AbortController().signal }
  history.prepare(call)
  const watch = await history.watch({ ...call, sessionID: "ses_1", key: "1", targets: [join(directory, "a.txt")] })
  runShell(directory, "echo x > a.txt")
  const { changes } = await watch.end()
  await history.apply(await history.plan(changes, blobs), blobs)
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("a\n")
})
