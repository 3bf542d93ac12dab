import { execFileSync } from "node:child_process"
import { mkdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testDirectory } from "../../../test/directory.ts"
import { commandNeeds } from "../command-needs.ts"
import { createToolPaths } from "../../tool-paths.ts"

const FILES = {
  ...{ "a/b/c.txt": "", "a/.envrc": "", ".npmrc": "", "notes.txt": "" },
  "plain.patch": "--- a/notes.txt\n+++ b/notes.txt\n@@ -0,0 +1 @@\n+a\n",
  "new.patch": "--- /dev/null\n+++ b/.bashrc\n@@ -0,0 +1 @@\n+a\n",
}

/** A project with `plain.tgz`, which holds ordinary files, and `rc.tar`, which holds `.npmrc`. */
async function project(): Promise<string> {
  const directory = await testDirectory(FILES)
  const tar = (...args: readonly string[]) => execFileSync("tar", args, { cwd: directory })
  tar("czf", "plain.tgz", "a/b", "notes.txt")
  tar("cf", "rc.tar", ".npmrc")
  return directory
}

/** What is asked about without any rule. */
async function asked(command: string, directory: string): Promise<string[]> {
  const place = { directory, worktree: directory, cwd: directory, paths: createToolPaths() }
  return (await commandNeeds(command, place)).flatMap(({ permission, patterns, unclear }) => {
    if (unclear !== undefined) return [unclear]
    return permission === "bash" || permission === "edit" ? [] : patterns.map((pattern) => `${permission} ${pattern}`)
  })
}

it.each([
  "tar xf plain.tgz",
  "mkdir -p out && tar xzf plain.tgz -C out --strip-components=1",
  "tar xf missing.tar",
  "cd a; tar xf missing.tar && cd ..; git status",
  "for f in *.tar.gz; do tar xf $f -C out; done",
  "tar xf - < plain.tgz",
  "tar tf rc.tar; tar xOf rc.tar",
  "unzip missing.zip",
  "patch -p1 < plain.patch",
  "git apply plain.patch && git status --short",
  "git apply --check new.patch",
  "git am missing.patch",
  "sudo -u me tar xf plain.tgz",
])("asks about no file of %s", async (command) => {
  expect(await asked(command, await project())).toEqual([])
})

it.each([
  ["tar xf rc.tar", "protected_file .npmrc"],
  ["env A=1 tar xf rc.tar -C a", "protected_file a/.npmrc"],
  ["tar xf *.tar", "protected_file .npmrc"],
  ["patch -p1 < new.patch", "protected_file .bashrc"],
  ["git apply new.patch", "protected_file .bashrc"],
  ["git -C a apply ../new.patch", "protected_file a/.bashrc"],
])("asks about the protected file that the content of %s names", async (command, need) => {
  expect(await asked(command, await project())).toEqual([need])
})

it.each([
  ["curl -s https://example.com/x.tgz | tar xz", "tar"],
  ["curl -so rc.tar https://example.com/x && tar xf rc.tar", "tar"],
  ["make dist; tar xf plain.tgz", "tar"],
  ["tar xf plain.tgz & make dist; tar xf plain.tgz", "tar"],
  ["tar xf plain.tgz --transform s/a/.a/", "tar"],
  ["tar xf plain.tgz -C $(cat list)", "tar"],
  ["tar xf $ARCHIVE", "tar"],
  ["tar xf host:x.tar", "tar"],
  ["unzip -j x.zip", "unzip"],
  ["7z x x.7z", "7z"],
  ["cpio -id < x.cpio", "cpio"],
  ["ar x x.a", "ar"],
  ["unrar x x.rar", "unrar"],
  ["git diff HEAD~1 | git apply -R", "git"],
  ["git diff > x.patch && git apply x.patch", "git"],
  ["git apply --directory=a plain.patch", "git"],
  ["git am --continue", "git"],
  ["scp -r host:x .", "scp"],
  ["scp 'host:*' .", "scp"],
  ["rsync -a host:x/ .", "rsync"],
  ["curl -OJ https://example.com/x", "curl"],
  ["curl -O https://example.com/$NAME", "curl"],
  ["wget -r https://example.com/", "wget"],
])("is in doubt about the files of %s", async (command, program) => {
  const sentence = `Which files ${program} writes is not known before it runs.`
  expect((await asked(command, await project())).join(" ")).toContain(sentence)
})

it("asks about what lies behind a link, and is in doubt about a link of the archive itself", async () => {
  const [directory, outside] = [await project(), await testDirectory()]
  await symlink(outside, join(directory, "link"))
  await mkdir(join(directory, "t/link"), { recursive: true })
  const sh = (script: string) => execFileSync("sh", ["-c", script], { cwd: directory })
  sh("touch t/link/x && tar cf link.tar -C t link/x")
  sh("rm -r t/link && ln -s /tmp t/link && tar cf through.tar -C t link && rm t/link && mkdir t/link && touch t/link/y")
  sh("tar rf through.tar -C t link/y")

  expect(await asked("tar xf link.tar", directory)).toEqual([`external_directory ${outside}/*`])
  expect((await asked("tar xf through.tar", directory)).join(" ")).toContain("Which files tar writes is not known")
})

it("asks about a file by the name that it has on another machine", async () => {
  expect(await asked("scp -q host:conf/.envrc .", await project())).toContain("protected_file .envrc")
  expect(await asked("scp host:notes.txt .", await project())).toEqual([])
  expect(await asked("curl -O https://example.com/a/.envrc?b=/c", await project())).toEqual(["protected_file .envrc"])
  expect(await asked("wget https://example.com/x.tgz; curl -fsSLO https://example.com/a.js", await project())).toEqual(
    [],
  )
})
