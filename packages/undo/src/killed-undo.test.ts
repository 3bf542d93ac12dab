import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
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

/** The content whose reading kills the process. The command changed or removed all 120 files. */
const DEADLY = [0, 1, 2, 60, 120]

it.each(DEADLY)(
  "an undo that is killed at content %i is finished by the next command, and can be taken back",
  async (deadly) => {
    const directory = await testDirectory(FILES)
    commitAll(directory)
    const before = await treeOf(directory)
    const stored = await testDirectory()
    const storage = await fileStorage({ path: join(stored, "store") })
    const { engine, session, prompt } = await scene(directory, turn(bash(COMMAND)), { storage })
    await prompt("Change")
    const after = await treeOf(directory)

    const options = { storage: join(stored, "store"), history: join(stored, "undo"), sessionID: session.id, deadly }
    const script = join(import.meta.dirname, "../test/reverting.ts")
    const child = spawn(process.execPath, ["--conditions=@pawl/source", script, JSON.stringify(options)])
    const [, signal] = (await once(child, "close")) as [number | null, string | null]
    expect(signal).toBe("SIGKILL")
    expect((await engine.getSession(session.id)).undo?.at(-1)?.status).toBe("applying")
    const halfway = await treeOf(directory)
    expect(halfway).not.toEqual(before)

    const redone = await engine.unrevert({ sessionID: session.id })
    expect(redone.files.filter(({ outcome }) => outcome === "conflict")).toEqual([])
    expect(await treeOf(directory)).toEqual(after)
    const undone = await engine.revert({ sessionID: session.id })
    expect(undone.files.filter(({ outcome }) => outcome === "conflict")).toEqual([])
    expect(await treeOf(directory)).toEqual(before)
    await storage.close()
  },
)
