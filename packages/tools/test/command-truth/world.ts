import { spawn } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { isProtected } from "../../src/protected/is-protected.ts"

/** A project with files around it that a command must not touch without being asked about. */
export interface World {
  /** Holds all of it. */
  readonly root: string
  readonly project: string
  readonly home: string
  /** Runs a command in the project by real bash; returns what it really did, and puts everything back. */
  run(command: string): Promise<Effects>
  remove(): void
}

export interface Effects {
  /** Files outside of the project, or protected ones within, that were made, changed or removed; absolute. */
  readonly written: readonly string[]
  /** Files outside whose content came out, or into the project; absolute. */
  readonly read: readonly string[]
}

const OUTSIDE = ["out/secret.txt", "out/dir/inner.txt", "home/.ssh/id_rsa", "home/notes.txt"]

/** The text by which the content of a file outside is known wherever it appears. */
export function secretOf(file: string): string {
  return `secret-of-${file.replaceAll(/[^a-z]+/g, "-")}`
}

/** Makes such a world. Its repository has one commit. */
export async function createWorld(): Promise<World> {
  const root = realpathSync(mkdtempSync(join(process.env["TEST_MEMORY"] ?? tmpdir(), "pawl-world-")))
  const [project, home, template] = [join(root, "project"), join(root, "home"), join(root, "template")]
  fill(template)
  const environment = { PATH: process.env["PATH"] ?? "", HOME: home, OLDPWD: join(root, "out"), LC_ALL: "C.UTF-8" }
  await bash(
    "git init -q --template= . && git add a.txt sub .npmrc hk && git config core.hooksPath hk && git -c user.name=a -c user.email=a commit -qm one",
    {
      cwd: join(template, "project"),
      env: environment,
    },
  )
  await bash(PACK, { cwd: join(template, "project"), env: environment })
  const restore = () => {
    for (const name of readdirSync(root))
      if (name !== "template") rmSync(join(root, name), { recursive: true, force: true })
    for (const name of readdirSync(template)) {
      cpSync(join(template, name), join(root, name), {
        recursive: true,
        verbatimSymlinks: true,
        preserveTimestamps: true,
      })
    }
  }
  restore()
  const before = snapshot(root)
  const given = new Set(before.keys())
  return {
    root,
    project,
    home,
    async run(command) {
      const output = await bash(command, { cwd: project, env: environment })
      const after = snapshot(root)
      const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
        (file) => before.get(file) !== after.get(file),
      )
      const written = changed.filter((file) => isOutside(file) || isGuarded(relative("project", file), after))
      // What was copied into the project is read as well, but not what its links lead to.
      const copied = changed.filter((file) => !isOutside(file)).map((file) => after.get(file) ?? "")
      const shown = [output, ...copied].join("\n")
      const moved = changed.some((file) => !given.has(file) || !after.has(file))
      if (changed.length > 0 || moved) restore()
      const read = OUTSIDE.filter((file) => shown.includes(secretOf(file)))
      return { written: written.map((file) => join(root, file)), read: read.map((file) => join(root, file)) }
    },
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Makes archives and patches whose content is protected, or leads outside. */
const PACK = `
  mkdir -p packed t/hk t/link t/s t/.vscode && cd t && touch bashrc
  echo b > .envrc; echo b > s/.npmrc; echo b > hk/pre-commit; echo b > link/packed.txt; echo b > linked.txt; echo b > .vscode/tasks.json
  tar czf ../packed/envrc.tgz .envrc; tar cf ../packed/below.tar s; tar cf ../packed/hook.tar hk; tar cf ../packed/link.tar link/packed.txt
  tar cf ../packed/up.tar --transform 's,^,../out/,' -P linked.txt; tar cf ../packed/plain.tar bashrc; tar cf ../packed/long.tar --transform "s,^,$(printf %0120d 0)/," .envrc
  tar cf ../packed/pax.tar --format=pax --transform "s,^,$(printf %0120d 0)/," .envrc; tar cf ../packed/linked.tar linked.txt
  zip -q ../packed/envrc.zip .envrc; zip -qr ../packed/deep.zip s .vscode; zip -qr ../packed/link.zip link; ar rc ../packed/envrc.a .envrc
  ln -s ../../out l && tar cf ../packed/through.tar l && rm l && mkdir l && echo b > l/through.txt && tar rf ../packed/through.tar l/through.txt
  rm -rf l; cd ..
  printf -- '--- /dev/null\\n+++ b/.bashrc\\n@@ -0,0 +1 @@\\n+a\\n' > packed/new.patch
  printf -- 'diff --git a/.vimrc b/.vimrc\\nnew file mode 100644\\nindex 0000000..e69de29\\n' > packed/empty.patch
  printf -- 'diff --git a/a.txt b/.profile\\nsimilarity index 100%%\\nrename from a.txt\\nrename to .profile\\n' > packed/rename.patch
  printf -- '--- a/a.txt\\n+++ b/a.txt\\n@@ -1,2 +1,2 @@\\n-one\\n+1\\n two\\n' > packed/plain.patch
  printf -- '--- /dev/null\\n+++ "b/\\\\056zshrc"\\n@@ -0,0 +1 @@\\n+a\\n' > packed/quoted.patch
  printf -- '--- /dev/null\\t2020-01-01\\n+++ x/y/hk/made\\t2020-01-01\\n@@ -0,0 +1 @@\\n+a\\n' > packed/hook.patch
  printf -- 'From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\\nFrom: a <a@a>\\nDate: Mon, 1 Jan 2024 00:00:00 +0000\\nSubject: [PATCH] a\\n\\n---\\n .kshrc | 1 +\\n\\ndiff --git a/.kshrc b/.kshrc\\nnew file mode 100644\\nindex 0000000..7898192\\n--- /dev/null\\n+++ b/.kshrc\\n@@ -0,0 +1 @@\\n+a\\n--\\n2.0\\n' > packed/mail.patch
  rm -rf t
`

function fill(template: string): void {
  const files: Record<string, string> = {
    ...Object.fromEntries(OUTSIDE.map((file) => [file, `${secretOf(file)}\n`])),
    "project/a.txt": "one\ntwo\n",
    "project/sub/c.txt": "three\n",
    "project/.envrc": "export A=1\n",
    "project/.npmrc": "a=1\n",
    "project/hk/post-merge": "echo a\n",
    "project/list": "../out/secret.txt\n",
    "project/list0": "../out/secret.txt\0",
    "project/places": "../out\n",
    "project/read.sed": "r ../out/secret.txt\n",
    "project/write.sed": "w ../out/made.txt\n",
    "project/write.awk": '{ print > "../out/made.txt" }\n',
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(template, name)), { recursive: true })
    writeFileSync(join(template, name), content)
  }
  chmodSync(join(template, "home/.ssh/id_rsa"), 0o600)
  symlinkSync("../out", join(template, "project/link"))
  symlinkSync("../out/secret.txt", join(template, "project/linked.txt"))
}

/** Returns whether a file of the project is protected. A new repository below the project, with all in it, does not count. */
function isGuarded(file: string, after: ReadonlyMap<string, string>): boolean {
  const names = file.split("/")
  const isElsewhere = names.some((_, at) => at > 0 && after.has(`project/${names.slice(0, at).join("/")}/.git`))
  const isNew = file === "" || file.endsWith("/.git") || isElsewhere
  return !isNew && (isProtected(file) || isBelow(file, "hk"))
}

function isBelow(file: string, directory: string): boolean {
  return file === directory || file.startsWith(`${directory}/`)
}

function isOutside(file: string): boolean {
  return !isBelow(file, "project")
}

/** What each file of the world is, by its name below `root`. Repositories keep much for themselves. */
function snapshot(root: string): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (directory: string): void => {
    for (const { name } of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, name)
      const file = relative(root, path)
      if (file === "template" || /\.git\/(?!config$|hooks)/.test(file)) continue
      const stats = lstatSync(path)
      if (stats.isDirectory()) visit(path)
      const content = stats.isFile()
        ? `${stats.mtimeMs} ${textOf(path)}`
        : stats.isSymbolicLink()
          ? readlinkSync(path)
          : ""
      found.set(file, `${stats.mode} ${content}`)
    }
  }
  visit(root)
  return found
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return ""
  }
}

async function bash(command: string, options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<string> {
  const child = spawn("bash", ["-c", command], { ...options, stdio: ["ignore", "pipe", "pipe"], detached: true })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk))
  const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, "SIGKILL"), 60_000)
  await once(child, "close")
  clearTimeout(timer)
  return Buffer.concat(chunks).toString("latin1")
}
