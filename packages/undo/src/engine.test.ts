import { chmod, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Engine, MessageWithParts, SessionID } from "@pawl/core"
import { limitImages } from "@pawl/core/storage"
import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { commitAll, runShell, testDirectory, treeOf } from "../test/project.ts"
import { bash, scene, turn } from "../test/scene.ts"

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

async function project(isGit: boolean): Promise<string> {
  const directory = await testDirectory({
    "a.txt": "one\ntwo\nthree\nfour\nfive\n",
    "b.txt": "b\n",
    "run.sh": "echo hello\n",
    "src/c.txt": "c\r\nd\r\n",
    "src/data.bin": Buffer.from([0, 1, 2, 255, 254]),
    ".gitignore": "ignored/\n",
    "ignored/big.txt": "kept\n",
  })
  await chmod(join(directory, "run.sh"), 0o751)
  await symlink("a.txt", join(directory, "link"))
  if (isGit) commitAll(directory)
  // Dirty and untracked files.
  await writeFile(join(directory, "b.txt"), "b, changed by the user\n")
  await writeFile(join(directory, "notes.md"), "mine\n")
  return directory
}

const CALLS = [
  ["edit", { filePath: "a.txt", oldString: "two", newString: "2" }],
  bash("sed -i s/one/1/ a.txt && echo more >> b.txt && rm notes.md && mkdir -p new/deep && echo x > new/deep/x.txt"),
  bash(
    "python3 -c \"open('src/c.txt','w').write('rewritten')\"; chmod 600 run.sh; ln -sf b.txt link; mv src/data.bin moved.bin",
  ),
  ["write", { filePath: "new/y.txt", content: "y\n" }],
] as const

describe.each([
  ["in a git repository", true],
  ["without git", false],
])("%s", (_, isGit) => {
  it("undoes and redoes a turn byte for byte, whatever changed the files", async () => {
    const directory = await project(isGit)
    const before = await treeOf(directory)
    const gitBefore = isGit ? await treeOf(join(directory, ".git"), { withGit: true }) : undefined
    const { engine, session, prompt } = await scene(directory, turn(...CALLS))
    await prompt("Change everything")
    const after = await treeOf(directory)
    expect(after).not.toEqual(before)

    const undone = await engine.revert({ sessionID: session.id })
    expect(undone.uncovered).toEqual([])
    expect(undone.files.filter(({ outcome }) => outcome === "conflict")).toEqual([])
    expect(await treeOf(directory)).toEqual(before)

    const redone = await engine.unrevert({ sessionID: session.id })
    expect(redone.session).not.toHaveProperty("undo")
    expect(await treeOf(directory)).toEqual(after)
    if (gitBefore) expect(await treeOf(join(directory, ".git"), { withGit: true })).toEqual(gitBefore)
  })

  it("keeps what the user changed meanwhile, and leaves alone what overlaps", async () => {
    const directory = await project(isGit)
    const { engine, session, prompt } = await scene(directory, turn(...CALLS))
    await prompt("Change everything")
    const a = join(directory, "a.txt")
    await writeFile(a, (await readFile(a, "utf8")).replace("five", "five and the user"))
    await writeFile(join(directory, "src/c.txt"), "the user's own\n")

    const { files } = await engine.revert({ sessionID: session.id })
    expect(await readFile(a, "utf8")).toBe("one\ntwo\nthree\nfour\nfive and the user\n")
    expect(await readFile(join(directory, "src/c.txt"), "utf8")).toBe("the user's own\n")
    const byName = new Map(files.map(({ path, outcome }) => [path.slice(directory.length + 1), outcome]))
    expect(byName.get("a.txt")).toBe("merged")
    expect(byName.get("src/c.txt")).toBe("conflict")
  })
})

it("never takes a user's change between two calls for the session's", async () => {
  const directory = await project(true)
  const { engine, session, prompt } = await scene(directory, [
    ...turn(bash("echo 1 >> a.txt")),
    ...turn(bash("echo 2 >> a.txt")),
  ])
  await prompt("First")
  await writeFile(join(directory, "b.txt"), "the user again\n")
  await prompt("Second")
  await rm(join(directory, "src/c.txt"))

  const first = await engine.revert({ sessionID: session.id })
  expect(first.files.map(({ path }) => path)).toEqual([join(directory, "a.txt")])
  const second = await engine.revert({ sessionID: session.id })
  expect(second.files.map(({ path }) => path)).toEqual([join(directory, "a.txt")])
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("one\ntwo\nthree\nfour\nfive\n")
  expect(await readFile(join(directory, "b.txt"), "utf8")).toBe("the user again\n")
  await expect(engine.revert({ sessionID: session.id })).rejects.toThrow("Nothing is left to undo")
  await engine.unrevert({ sessionID: session.id, last: true })
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("one\ntwo\nthree\nfour\nfive\n1\n")
})

it("covers commands that change git itself: checkout, commit, stash", async () => {
  const directory = await project(true)
  runShell(
    directory,
    "git checkout -q -b other && echo other > a.txt && git commit -qam other && git checkout -q main 2>/dev/null",
  )
  const before = await treeOf(directory)
  const { engine, session, prompt } = await scene(
    directory,
    turn(
      bash("git stash -q -u"),
      bash("git checkout -q other"),
      bash("echo z > z.txt && git add -A && git commit -qm z"),
    ),
  )
  await prompt("Switch")
  expect(await treeOf(directory)).not.toEqual(before)
  const { uncovered } = await engine.revert({ sessionID: session.id })
  expect(uncovered).toEqual([])
  expect(await treeOf(directory)).toEqual(before)
})

it("removes what was undone with the next prompt, and tells the model once", async () => {
  const directory = await project(true)
  const replies = [...turn(bash("echo 1 >> a.txt")), ...turn(), ...turn()]
  const { engine, session, prompt } = await scene(directory, replies)
  await prompt("First")
  await engine.revert({ sessionID: session.id, chat: false })
  await prompt("Second")
  const messages = await collected(engine.readMessages(session.id))
  const texts = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))
  expect(texts.filter((text) => text.includes("has undone your changes"))).toHaveLength(1)
  expect(await engine.getSession(session.id)).not.toHaveProperty("undo")
  await engine.revert({ sessionID: session.id, files: false })
  await prompt("Third")
  const left = await collected(engine.readMessages(session.id))
  const said = left.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])),
  )
  expect(said).toContain("Third")
  expect(said).not.toContain("Second")
  expect(said).toContain("First")
})

it("shows what a session has changed, and not what the user has", async () => {
  const directory = await project(true)
  const { engine, session, prompt } = await scene(
    directory,
    turn(bash("sed -i s/one/1/ a.txt"), ["write", { filePath: "n.txt", content: "n\n" }]),
  )
  await writeFile(join(directory, "b.txt"), "mine\n")
  await prompt("Change")
  const { files } = await engine.diff({ sessionID: session.id })
  expect(files.map(({ file, status, additions, deletions }) => [file, status, additions, deletions])).toEqual([
    ["a.txt", "modified", 1, 1],
    ["n.txt", "added", 1, 0],
  ])
  expect(files[0]?.patch).toContain("-one\n+1\n")

  const undone = await engine.revert({ sessionID: session.id })
  expect(undone.session.summary).toEqual({ additions: 2, deletions: 1, files: 2 })
  const redone = await engine.unrevert({ sessionID: session.id })
  expect(redone.session).not.toHaveProperty("summary")
})

it("leaves files alone whose old content was dropped, and says why", async () => {
  const directory = await project(true)
  const storage = memoryStorage()
  const { engine, session, prompt } = await scene(directory, turn(bash("echo new > a.txt; rm b.txt; echo x > x.txt")), {
    storage,
  })
  await prompt("Change files")
  expect(await limitImages(storage, { maxBytes: 0 })).toMatchObject({ count: 4 })
  await storage.gc({ minAge: 0 })
  const left = new Map(await treeOf(directory))

  const { files } = await engine.diff({ sessionID: session.id })
  expect(files.map(({ file, status }) => [file, status])).toEqual([
    ["a.txt", "modified"],
    ["b.txt", "deleted"],
    ["x.txt", "added"],
  ])
  const undone = await engine.revert({ sessionID: session.id })
  const reason = "Its content was removed, because old contents of the project exceeded their limit."
  expect(undone.files.map((file) => [file.path.slice(directory.length + 1), file.outcome, file.reason])).toEqual([
    ["a.txt", "uncovered", reason],
    ["b.txt", "uncovered", reason],
    // Nothing is needed to remove it.
    ["x.txt", "restored", undefined],
  ])
  left.delete("x.txt")
  expect(await treeOf(directory)).toEqual(left)
})

it("covers a background job until the run ends, and says that it may have changed more", async () => {
  const directory = await project(true)
  runShell(directory, "mkfifo ignored/pipe")
  const command = "echo early > early.txt; cat ignored/pipe; echo late > late.txt"
  const { engine, session, prompt } = await scene(directory, [
    ...turn(["bash", { command, background: true }]),
    ...turn(bash("echo next > next.txt")),
  ])
  await prompt("Start a server")
  runShell(directory, "echo > ignored/pipe; until [ -s late.txt ]; do sleep 0.01; done")
  expect(await readFile(join(directory, "late.txt"), "utf8")).toBe("late\n")
  await prompt("Go on")

  const { files, uncovered } = await engine.diff({ sessionID: session.id })
  expect(files.map(({ file }) => file)).toEqual(["early.txt", "next.txt"])
  expect(uncovered).toEqual([{ path: directory, reason: "background" }])
  const undone = await engine.revert({
    sessionID: session.id,
    messageID: (await firstMessage(engine, session.id)).info.id,
  })
  expect(undone.uncovered).toEqual(uncovered)
  expect(await readFile(join(directory, "late.txt"), "utf8")).toBe("late\n")
})

async function firstMessage(engine: Engine, id: SessionID): Promise<MessageWithParts> {
  const first = (await collected(engine.readMessages(id))).at(-1)
  if (!first) throw new Error("The session is empty.")
  return first
}
