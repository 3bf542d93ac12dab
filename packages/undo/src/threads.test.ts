import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises"
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it, onTestFinished } from "vitest"
import { commitAll, environment, runShell, testDirectory, treeOf } from "../test/project.ts"
import { createFileHistory } from "./index.ts"

// Each test is a way in which another program has lost work of its users.

interface Watched {
  readonly changes: Parameters<ReturnType<typeof createFileHistory>["plan"]>[0]
  readonly uncovered: readonly { readonly path: string; readonly reason: string }[]
}

interface World {
  readonly directory: string
  readonly history: ReturnType<typeof createFileHistory>
  readonly blobs: ReturnType<typeof memoryStorage>["blobs"]
  /** Directory of the history's own files. */
  readonly own: string
  /** Runs a command as a call of a session. */
  readonly run: (this: void, command: string, options?: RunOptions) => Promise<Watched>
  /** Undoes changes and returns the outcome by name. */
  readonly undo: (this: void, ...watched: readonly Watched[]) => Promise<Readonly<Record<string, string>>>
}

interface RunOptions {
  readonly targets?: readonly string[]
  readonly sessionID?: "ses_1" | "ses_2"
  readonly directory?: string
}

async function world(files: Readonly<Record<string, string | Buffer>>, isGit = true): Promise<World> {
  const directory = await testDirectory(files)
  if (isGit) commitAll(directory)
  const own = join(await testDirectory(), "undo")
  const history = createFileHistory({ directory: own, environment })
  onTestFinished(() => history.close())
  const { blobs } = memoryStorage()
  let count = 0
  return {
    ...{ directory, history, blobs, own },
    async run(command, { targets = [], sessionID = "ses_1", directory: place = directory } = {}) {
      const call = { sessionID, key: `call ${count++}`, blobs, signal: new AbortController().signal }
      const named = targets.map((name) => join(place, name))
      const watch = await history.watch({ ...call, directory: place, worktree: place, targets: named })
      runShell(place, command)
      return watch.end()
    },
    async undo(...watched) {
      const planned = await history.plan(
        watched.flatMap(({ changes }) => changes),
        blobs,
      )
      const files = await history.apply(planned, blobs)
      return Object.fromEntries(files.map(({ path, outcome }) => [path.slice(directory.length + 1), outcome]))
    },
  }
}

it("a nested repository is restored with its own files, and its git stays as it is", async () => {
  const { directory, run, undo } = await world({ "a.txt": "a\n", "inner/b.txt": "b\n" }, false)
  commitAll(join(directory, "inner"))
  runShell(directory, "git init -q . && git add a.txt && git commit -qm a")
  const git = await treeOf(join(directory, "inner/.git"), { withGit: true })
  const change = await run("echo x >> inner/b.txt; echo new > inner/c.txt")
  expect(await undo(change)).toEqual({ "inner/b.txt": "restored", "inner/c.txt": "restored" })
  expect(await readFile(join(directory, "inner/b.txt"), "utf8")).toBe("b\n")
  expect(await treeOf(join(directory, "inner/.git"), { withGit: true })).toEqual(git)
})

it("a submodule is an ordinary directory", async () => {
  const other = await testDirectory({ "lib.txt": "lib\n" })
  commitAll(other)
  const { directory, run, undo } = await world({ "a.txt": "a\n" })
  runShell(directory, `git -c protocol.file.allow=always submodule add -q ${other} lib && git commit -qm lib`)
  const change = await run("echo x >> lib/lib.txt")
  expect(await undo(change)).toEqual({ "lib/lib.txt": "restored" })
  expect(await readFile(join(directory, "lib/lib.txt"), "utf8")).toBe("lib\n")
})

it("a file behind a filter gets the bytes that it had in the worktree, not those that git stores", async () => {
  const { directory, run, undo } = await world({
    ".gitattributes": "*.bin filter=lfs\n",
    "big.bin": "worktree bytes\n",
  })
  const change = await run("echo changed > big.bin")
  expect(await undo(change)).toEqual({ "big.bin": "restored" })
  expect(await readFile(join(directory, "big.bin"), "utf8")).toBe("worktree bytes\n")
})

it("files that only look changed are not copied, and no filter of the repository runs", async () => {
  const { directory, run, undo, own } = await world({ "a.txt": "a\n" })
  runShell(directory, "for i in $(seq 300); do echo $i > $i.txt; done; git add -A && git commit -qm more")
  await writeFile(join(directory, ".gitattributes"), "*.txt filter=own\n")
  const ran = join(await testDirectory(), "ran")
  runShell(directory, `git config filter.own.clean 'echo >> ${ran}; cat' && git config filter.own.required true`)
  runShell(directory, "touch -d '2020-01-01' *.txt")
  const before = await treeOf(directory)

  const change = await run("echo changed > a.txt; rm 7.txt")
  expect(change.uncovered).toEqual([])
  expect(await undo(change)).toEqual({ "a.txt": "restored", "7.txt": "restored" })
  expect(await treeOf(directory)).toEqual(before)
  expect(existsSync(ran)).toBe(false)
  expect(await spooled(own, /contents\/./)).toHaveLength(1)
})

it("git's index is copied again only if it has changed", async () => {
  const { directory, run, own } = await world({ "a.txt": "a\n" })
  for (const content of ["1", "2", "3"]) await run(`echo ${content} > a.txt`)
  expect(await spooled(own, /index-/)).toHaveLength(1)
  runShell(directory, "git add a.txt")
  for (const content of ["4", "5"]) await run(`echo ${content} > a.txt`)
  expect(await spooled(own, /index-/)).toHaveLength(2)
})

async function spooled(own: string, name: RegExp): Promise<string[]> {
  const names = await readdir(join(own, "spool"), { recursive: true })
  return names.filter((each) => name.test(each))
}

it("a link out of the project is never followed", async () => {
  const outside = await testDirectory({ "secret.txt": "outside\n" })
  const { directory, run, undo } = await world({ "a.txt": "a\n" })
  await symlink(join(outside, "secret.txt"), join(directory, "link"))
  commitAll(directory)
  const change = await run("rm link && echo file > link")
  expect(await undo(change)).toEqual({ link: "restored" })
  expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("outside\n")
  runShell(directory, "test -L link")
})

it("a directory that became a link is not written through", async () => {
  const outside = await testDirectory({ "a.txt": "outside\n" })
  const { directory, run, undo } = await world({ "sub/a.txt": "a\n" })
  const change = await run("echo x > sub/a.txt")
  await rm(join(directory, "sub"), { recursive: true })
  await symlink(outside, join(directory, "sub"))
  expect(Object.values(await undo(change))).not.toContain("restored")
  expect(await readFile(join(outside, "a.txt"), "utf8")).toBe("outside\n")
})

it("permission bits come back", async () => {
  const { directory, run, undo } = await world({ "a.sh": "a\n" })
  await chmod(join(directory, "a.sh"), 0o750)
  commitAll(directory)
  const before = await treeOf(directory)
  const change = await run("chmod 777 a.sh", { targets: ["a.sh"] })
  expect(await undo(change)).toEqual({ "a.sh": "restored" })
  expect(await treeOf(directory)).toEqual(before)
  const removal = await run("git rm -q a.sh")
  await undo(removal)
  expect(await treeOf(directory)).toEqual(before)
})

it("a directory that a command names is covered, ignored or not, and announced if it is too large", async () => {
  const { directory, run, undo } = await world({ ".gitignore": "cache/\nhuge/\n", "a.txt": "a\n" })
  runShell(
    directory,
    "mkdir -p cache/deep huge && echo 1 > cache/deep/1; cd huge && for i in $(seq 1100); do echo $i > $i; done",
  )
  const before = await treeOf(join(directory, "cache"))
  const change = await run("rm -r cache huge", { targets: ["cache", "huge"] })
  expect(change.uncovered).toEqual([{ path: join(directory, "huge"), reason: "limit" }])
  await undo(change)
  expect(await treeOf(join(directory, "cache"))).toEqual(before)
})

it("line endings that git converts come back as they were", async () => {
  const { directory, run, undo } = await world({ ".gitattributes": "*.txt text eol=crlf\n", "a.txt": "one\r\ntwo\r\n" })
  const change = await run("printf 'one\\n' > a.txt")
  expect(await undo(change)).toEqual({ "a.txt": "restored" })
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("one\r\ntwo\r\n")
})

it("a rename that only changes the case is undone", async () => {
  const { directory, run, undo } = await world({ "Readme.md": "r\n" })
  const before = await treeOf(directory)
  const change = await run("git mv -f Readme.md README.md")
  await undo(change)
  expect(await treeOf(directory)).toEqual(before)
})

it("names with line breaks, quotes and other scripts are names like any other", async () => {
  const names = { "new\nline.txt": "1", "quo\"te's.txt": "2", "漢字/ß.txt": "3", " lead": "4", "a\\b": "5" }
  const { directory, run, undo } = await world(names)
  const before = await treeOf(directory)
  const change = await run("find . -type f -not -path './.git/*' -exec sh -c 'echo x >> \"$1\"' _ {} \\;")
  expect(Object.values(await undo(change))).toEqual(Object.keys(names).map(() => "restored"))
  expect(await treeOf(directory)).toEqual(before)
})

it("a file that became a directory, and the other way round, come back", async () => {
  const { directory, run, undo } = await world({ file: "f\n", "dir/a": "a\n", "dir/b": "b\n" })
  const before = await treeOf(directory)
  const change = await run("rm file && mkdir file && echo in > file/in; rm -r dir && echo dir > dir")
  await undo(change)
  expect(await treeOf(directory)).toEqual(before)
})

it("thousands of ignored files are neither kept nor touched", async () => {
  const { directory, run, undo, blobs } = await world({ ".gitignore": "node_modules/\n", "a.txt": "a\n" })
  runShell(directory, "mkdir -p node_modules && cd node_modules && for i in $(seq 3820); do echo $i > $i.js; done")
  const stored: Uint8Array[] = []
  const put = blobs.put.bind(blobs)
  Object.assign(blobs, { put: (bytes: Uint8Array) => (stored.push(bytes), put(bytes)) })
  const change = await run("echo x > a.txt; rm -r node_modules/1*.js")
  expect(change.changes.map(({ path }) => path)).toEqual([join(directory, "a.txt")])
  await undo(change)
  expect(stored.length).toBeLessThan(6)
  expect(existsSync(join(directory, "node_modules/2.js"))).toBe(true)
})

it("an ignored file that a command names is covered", async () => {
  const { directory, run, undo } = await world({ ".gitignore": ".env\n", "a.txt": "a\n" })
  await writeFile(join(directory, ".env"), "KEY=1\n")
  const change = await run("rm .env", { targets: [".env"] })
  expect(await undo(change)).toEqual({ ".env": "restored" })
  expect(await readFile(join(directory, ".env"), "utf8")).toBe("KEY=1\n")
})

it("files that an edit of .gitignore brings to light are not the session's", async () => {
  const { directory, run, undo } = await world({ ".gitignore": "data/\n", "a.txt": "a\n" })
  runShell(directory, "mkdir data && echo precious > data/x")
  await new Promise((resolve) => setTimeout(resolve, 60))
  const change = await run("echo > .gitignore")
  expect(change.changes.map(({ path }) => path)).toEqual([join(directory, ".gitignore")])
  await undo(change)
  expect(await readFile(join(directory, "data/x"), "utf8")).toBe("precious\n")
})

it("a left-over index.lock does not stop anything, and stays", async () => {
  const { directory, run, undo } = await world({ "a.txt": "a\n" })
  await writeFile(join(directory, ".git/index.lock"), "")
  const change = await run("echo x > a.txt")
  expect(await undo(change)).toEqual({ "a.txt": "restored" })
  expect(existsSync(join(directory, ".git/index.lock"))).toBe(true)
})

it("large files are announced, and left alone", async () => {
  const { directory, run, undo } = await world({ "a.txt": "a\n" })
  await writeFile(join(directory, "big.bin"), Buffer.alloc(3 * 1024 * 1024))
  const change = await run("printf x >> big.bin; echo x > a.txt")
  expect(change.uncovered).toEqual([{ path: join(directory, "big.bin"), reason: "size" }])
  expect(await undo(change)).toEqual({ "a.txt": "restored" })
})

it("sessions in two directories of one repository do not see each other's files", async () => {
  const { directory, run, undo } = await world({ "one/a.txt": "a\n", "two/b.txt": "b\n" })
  const first = await run("echo x > one/a.txt", { targets: ["one/a.txt"] })
  const second = await run("echo y > two/b.txt", { sessionID: "ses_2", targets: ["two/b.txt"] })
  expect(await undo(first)).toEqual({ "one/a.txt": "restored" })
  expect(await readFile(join(directory, "two/b.txt"), "utf8")).toBe("y\n")
  expect(await undo(second)).toEqual({ "two/b.txt": "restored" })
})

it("two sessions at the same time undo only what is certainly theirs", async () => {
  const { directory, history, blobs, undo } = await world({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" })
  const call = { directory, worktree: directory, blobs, signal: new AbortController().signal }
  const one = await history.watch({ ...call, sessionID: "ses_1", key: "1", targets: [join(directory, "a.txt")] })
  const two = await history.watch({ ...call, sessionID: "ses_2", key: "2", targets: [join(directory, "b.txt")] })
  runShell(directory, "echo 1 > a.txt; echo 2 > b.txt; echo 3 > c.txt")
  const [first, second] = await Promise.all([one.end(), two.end()])
  expect(first.changes.map(({ path }) => path)).toEqual([join(directory, "a.txt")])
  expect(second.changes.map(({ path }) => path)).toEqual([join(directory, "b.txt")])
  expect(first.uncovered).toContainEqual({ path: join(directory, "c.txt"), reason: "shared" })
  await undo(first, second)
  expect(await readFile(join(directory, "c.txt"), "utf8")).toBe("3\n")
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("a\n")
})

it("a call that was cancelled before it began is not in the way of another session", async () => {
  const { directory, history, blobs } = await world({ "a.txt": "a\n" })
  const call = { directory, worktree: directory, blobs, targets: [] }
  const cancelled = new AbortController()
  const watching = history.watch({ ...call, sessionID: "ses_1", key: "1", signal: cancelled.signal })
  cancelled.abort(new Error("cancelled"))
  await expect(watching).rejects.toThrow("cancelled")
  const late = abortedOnRead(2)
  await expect(history.watch({ ...call, sessionID: "ses_1", key: "2", signal: late })).rejects.toThrow("cancelled")
  const watch = await history.watch({ ...call, sessionID: "ses_2", key: "3", signal: new AbortController().signal })
  await writeFile(join(directory, "a.txt"), "changed\n")
  expect(await watch.end()).toMatchObject({ changes: [{ path: join(directory, "a.txt") }], uncovered: [] })
})

it("what another session's tool has recorded is not found again", async () => {
  const { directory, history, blobs } = await world({ "a.txt": "a\n" })
  const call = { directory, worktree: directory, blobs, targets: [], signal: new AbortController().signal }
  const watch = await history.watch({ ...call, sessionID: "ses_1", key: "1" })
  await writeFile(join(directory, "a.txt"), "other\n")
  const blob = await blobs.put(Buffer.from("other\n"))
  const after = { hash: `sha256:${blob}`, size: 6, blob, mode: 0o644 }
  history.recorded({ sessionID: "ses_2", path: join(directory, "a.txt"), after })
  expect((await watch.end()).changes).toEqual([])
})

it("a call whose process was killed is found again, and conflicts instead of guessing", async () => {
  const { directory, blobs } = await world({ "a.txt": "a\n", "b.txt": "b\n" })
  const store = join(await testDirectory(), "undo")
  const script = join(import.meta.dirname, "../test/killed-call.ts")
  const options = { directory, store, key: "killed" }
  try {
    execFileSync(process.execPath, ["--conditions=@pawl/source", script, JSON.stringify(options)], { stdio: "pipe" })
  } catch {
    // It kills itself.
  }
  const history = createFileHistory({ directory: store, environment })
  onTestFinished(() => history.close())
  const call = { directory, worktree: directory, blobs, targets: [], signal: new AbortController().signal }
  const found = await history.recover({ ...call, sessionID: "ses_1", key: "killed" })
  expect(found.changes.map(({ path, after }) => [path, after])).toEqual([[join(directory, "b.txt"), undefined]])
  const [file] = await history.plan(found.changes, blobs)
  expect(file).toMatchObject({ outcome: "conflict", wanted: { size: 2 } })
  expect((await history.recover({ ...call, sessionID: "ses_1", key: "killed" })).changes).toEqual([])
})

it("unusual things are passed by: pipes, sockets, unreadable names", async () => {
  const { directory, run, undo } = await world({ "a.txt": "a\n" })
  const change = await run("mkfifo pipe; mkdir -p empty/deep; printf x > \"$(printf 'bad\\377name')\"; echo x > a.txt")
  expect(await undo(change)).toEqual({ "a.txt": "restored" })
  runShell(directory, "test -p pipe && test -d empty/deep")
})

it("a file that moved away and back between two calls is what the user left", async () => {
  const { directory, run, undo } = await world({ "a.txt": "a\n" })
  const change = await run("echo x > a.txt")
  await rename(join(directory, "a.txt"), join(directory, "kept.txt"))
  expect(await undo(change)).toEqual({ "a.txt": "conflict" })
  expect(await readFile(join(directory, "kept.txt"), "utf8")).toBe("x\n")
  await mkdir(join(directory, "a.txt"))
  expect(await undo(change)).toEqual({ "a.txt": "conflict" })
})

/** Returns a signal that aborts when it is asked the given time. */
function abortedOnRead(time: number): AbortSignal {
  const controller = new AbortController()
  let reads = 0
  return {
    get aborted() {
      return ++reads >= time
    },
    throwIfAborted() {
      if (++reads >= time) controller.abort(new Error("cancelled"))
      controller.signal.throwIfAborted()
    },
  } as AbortSignal
}
