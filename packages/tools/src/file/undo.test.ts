import { chmod, link, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { FileRecorder } from "@pawl/core/tool"
import { describe, expect, it } from "vitest"
import { testContext } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { testTools } from "../../test/tools.ts"
import type { BuiltinToolsOptions } from "../builtin-tools.ts"

interface Image {
  readonly bytes: Uint8Array | undefined
  readonly mode: number | undefined
}

/** What a call's record holds of each file: the first image before, the last one after. */
function createRecord() {
  const before = new Map<string, Image>()
  const after = new Map<string, Image>()
  const files: FileRecorder = {
    before: async (path, bytes, mode) => void (before.has(path) || before.set(path, { bytes, mode })),
    after: async (path, bytes, mode) => void after.set(path, { bytes, mode }),
  }
  return { before, after, files }
}

/** Every file of the directory: its bytes in hex, and its permission bits. */
async function snapshot(directory: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const told = files.toSorted().map(async (path) => {
    const [bytes, { mode }] = await Promise.all([readFile(path), stat(path)])
    return [path, `${(mode & 0o7777).toString(8)} ${bytes.toString("hex")}`] as const
  })
  return new Map(await Promise.all(told))
}

async function putBack(path: string, { bytes, mode }: Image): Promise<void> {
  if (!bytes) return rm(path, { force: true })
  await writeFile(path, bytes)
  if (mode !== undefined) await chmod(path, mode)
}

// Bytes that any detour through text would change.
const odd = Buffer.from("\uFEFFone\r\ntwo\nthr\u0000ee\r\ncafe\u0301", "utf8")
const latin = Buffer.from("one\ntwo\ncaf\xe9\xff\n", "latin1")

async function project(): Promise<string> {
  const directory = await testDirectory({
    "odd.txt": odd,
    "latin.txt": latin,
    "run.sh": "one\ntwo\n",
    "gone.txt": "one\n",
  })
  await chmod(join(directory, "run.sh"), 0o751)
  await symlink("odd.txt", join(directory, "soft"))
  return directory
}

const patch = [
  ...["*** Begin Patch", "*** Update File: odd.txt", "-two", "+2", "*** Add File: new/a.txt", "+x"],
  ...["*** Update File: run.sh", "*** Move to: new/run.sh", "-two", "+2", "*** Delete File: gone.txt", "*** End Patch"],
]

const calls: readonly (readonly [name: string, input: object])[] = [
  ["write", { filePath: "odd.txt", content: "new" }],
  ["write", { filePath: "new/deep/a.txt", content: "new\n" }],
  ["write", { filePath: "soft", content: "new" }],
  ["write", { filePath: "run.sh", content: "" }],
  ["edit", { filePath: "odd.txt", oldString: "two", newString: "2\n2" }],
  ["edit", { filePath: "latin.txt", oldString: "two", newString: "2" }],
  ["edit", { filePath: "new.txt", oldString: "", newString: "new" }],
  [
    "multiedit",
    {
      filePath: "run.sh",
      edits: [
        { oldString: "one", newString: "1" },
        { oldString: "two", newString: "2" },
      ],
    },
  ],
  ["apply_patch", { patchText: patch.join("\n") }],
]

/** A script of sh that is run for each file, `$0` there, as a formatter. */
function formatter(script: string, timeout = 20_000): BuiltinToolsOptions {
  const command = ["sh", "-c", script, "$FILE"]
  return { afterEdit: { formatters: [{ name: "format", command, extensions: [], timeout }] } }
}

interface Outcome {
  readonly options?: BuiltinToolsOptions
  /** Changes what a call gets before it runs. */
  readonly arrange?: (context: ReturnType<typeof testContext>) => void
}

/** Runs `happens` when the nth file's image is about to be stored. */
function atImage(
  { files }: ReturnType<typeof testContext>,
  nth: number,
  happens: (path: string) => void | Promise<void>,
) {
  const recorder = { ...files }
  let count = 0
  files.before = async (path, bytes, mode) => {
    await recorder.before(path, bytes, mode)
    if (++count === nth) await happens(path)
  }
}

const aborting = (nth: number): Outcome => ({
  arrange(context) {
    const controller = new AbortController()
    Object.assign(context, { signal: controller.signal })
    atImage(context, nth, () => controller.abort(new Error("The call was aborted.")))
  },
})

const failing = (side: "before" | "after"): Outcome => ({
  arrange({ files }) {
    files[side] = () => Promise.reject(new Error("The disk is full."))
  },
})

const outcomes: Readonly<Record<string, Outcome>> = {
  success: {},
  "a formatter that rewrites the file": { options: formatter('printf formatted >> "$0"') },
  "a formatter that fails half-way": { options: formatter('printf o > "$0"; exit 1') },
  "a formatter that removes the file": { options: formatter('rm "$0"') },
  "a formatter that changes the mode": { options: formatter('chmod 600 "$0"') },
  "a formatter that does not end": { options: formatter('printf o > "$0"; exec sleep 100', 100) },
  "an abort at the first file": aborting(1),
  "an abort at the third file": aborting(3),
  "an image that cannot be stored before": failing("before"),
  "an image that cannot be stored after": failing("after"),
}

function said({ bytes, mode }: Image): string | undefined {
  return bytes && `${(mode ?? 0).toString(8)} ${Buffer.from(bytes).toString("hex")}`
}

describe.each(Object.entries(outcomes))("after %s", (_, { options, arrange }) => {
  it.each(calls)("what %s has recorded is what there is, and gives every file back: %j", async (name, input) => {
    const directory = await project()
    const original = await snapshot(directory)
    const { before, after, files } = createRecord()
    const context = testContext(directory, { files: { ...files } })
    arrange?.(context)

    await testTools(directory, options)
      .run(name, input, context)
      .catch(() => undefined)

    const now = await snapshot(directory)
    for (const [path, image] of after) expect([path, now.get(path)]).toEqual([path, said(image)])
    for (const [path, image] of before) await putBack(path, image)
    expect(await snapshot(directory)).toEqual(original)
  })
})

it.each(calls)("what others write is no change of %s: %j", async (name, input) => {
  const directory = await project()
  const { before, after, files } = createRecord()
  const context = testContext(directory, { files: { ...files } })
  let taken = ""
  atImage(context, 1, async (path) => {
    taken = path
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, "by somebody else")
  })
  await expect(testTools(directory).run(name, input, context)).rejects.toThrow("changed by another process")
  expect(await readFile(taken, "utf8")).toBe("by somebody else")
  for (const [path, image] of before) expect(said(after.get(path) ?? { bytes: undefined, mode: 0 })).toBe(said(image))
})

it("gives a file with a further hard link back under both names", async () => {
  const directory = await project()
  await link(join(directory, "latin.txt"), join(directory, "hard.txt"))
  const original = await snapshot(directory)
  const { before, files } = createRecord()
  await testTools(directory).run("write", { filePath: "hard.txt", content: "new" }, testContext(directory, { files }))
  expect(await readFile(join(directory, "latin.txt"), "utf8")).toBe("new")
  for (const [path, image] of before) await putBack(path, image)
  expect(await snapshot(directory)).toEqual(original)
})
