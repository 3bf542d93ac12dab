import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileStorage } from "@pawl/storage-file"
import { expect, it } from "vitest"
import { commitAll, testDirectory, treeOf } from "../test/project.ts"
import { bash, scene, turn } from "../test/scene.ts"

const FILES = Object.fromEntries(
  Array.from({ length: 120 }, (_, index) => [`dir${index % 7}/${index}.txt`, `${index}\n`]),
)
const COMMAND = [
  "for f in dir*/*.txt; do echo changed >> $f; done; rm dir1/1.txt dir1/8.txt; rm dir2/2.txt; mkdir dir2/2.txt",
  "echo in > dir2/2.txt/in; mkdir -p made/deep; for i in $(seq 20); do echo $i > made/deep/$i; done",
].join("; ")

/** Files that are restored early and late, in the order of their paths. */
const PROBES = ["dir0/105.txt", "dir3/101.txt", "dir6/13.txt"]

it("an undo that is killed anywhere is finished by the next command, and can be taken back", async () => {
  let killedInside = 0
  for (const probe of [undefined, "stored", ...PROBES]) {
    const directory = await testDirectory(FILES)
    commitAll(directory)
    const before = await treeOf(directory)
    const stored = await testDirectory()
    const storage = await fileStorage({ path: join(stored, "store") })
    const { engine, session, prompt } = await scene(directory, turn(bash(COMMAND)), { storage })
    await prompt("Change")
    const after = await treeOf(directory)

    const options = { storage: join(stored, "store"), history: join(stored, "undo"), sessionID: session.id }
    const script = join(import.meta.dirname, "../test/reverting.ts")
    const child = spawn(process.execPath, ["--conditions=@pawl/source", script, JSON.stringify(options)])
    await once(child.stdout, "data")
    const ended = once(child, "close")
    child.stdin.write("go")
    await reached(probe, {
      isStored: async () => (await engine.getSession(session.id)).undo !== undefined,
      isRestored: (name) => readFileSync(join(directory, name), "utf8") === FILES[name],
    })
    child.kill("SIGKILL")
    await ended

    const state = (await engine.getSession(session.id)).undo
    if (state?.at(-1)?.status === "applying") killedInside++
    if (state) {
      const { files } = await engine.unrevert({ sessionID: session.id })
      expect(files.filter(({ outcome }) => outcome === "conflict")).toEqual([])
      expect(await treeOf(directory)).toEqual(after)
    }
    const { files } = await engine.revert({ sessionID: session.id })
    expect(files.filter(({ outcome }) => outcome === "conflict")).toEqual([])
    expect(await treeOf(directory)).toEqual(before)
    await storage.close()
  }
  expect(killedInside).toBeGreaterThan(1)
})

interface Progress {
  readonly isStored: () => Promise<boolean>
  readonly isRestored: (name: string) => boolean
}

/** Waits until the undo is stored, and then until a file is restored, without a pause. */
async function reached(probe: string | undefined, { isStored, isRestored }: Progress): Promise<void> {
  if (probe === undefined) return
  while (!(await isStored())) await setTimeout(1)
  if (!(probe in FILES)) return
  while (!isRestored(probe)) continue
}
