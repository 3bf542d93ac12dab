import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createShellReader, type ShellReader } from "@pawl/shell"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { protectedFiles } from "./protected-files.ts"
import { checkTouched, readCall } from "./touched.ts"

const rules = [{ files: ["db/migrations/**", "*.lock", "keep/**/*.key", "vendor/api.json"] }]
const files = [
  ...["db/migrations/1.sql", "db/seed.sql", "yarn.lock", "other.lock", "packages/a/yarn.lock", "packages/a/src.ts"],
  ...["build/out.js", "build/tmp/x.js", "keep/deep/in/a.key", "keep/plain/a.txt", "notes.tmp", "empty/x"],
  ...["db/migrations/.hidden", "keep/.secret/b.key"],
]
const links: Readonly<Record<string, string>> = {
  alias: "db",
  "lock-alias": "yarn.lock",
  "build/up": "..",
  "build/into": "../db/migrations",
  "to-new": "db/migrations/new.sql",
  circle: "circle",
  vendor: "../outside",
}

let root = ""
let project = ""
let reader: ShellReader

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pawl-guard-")))
  project = join(root, "project")
  for (const file of [...files.map((each) => `project/${each}`), "outside/api.json", "outside/free.json"]) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), "")
  }
  for (const [link, target] of Object.entries(links)) await symlink(target, join(project, link))
  reader = await createShellReader()
})
afterAll(() => rm(root, { recursive: true }))

/** "refused", or "allowed", for a call that starts in a directory of the project. */
function judged(tool: string, args: object, start = "."): string {
  const touched = readCall(tool, args, reader)
  try {
    checkTouched(touched, join(project, start), protectedFiles(rules, project))
    return "allowed"
  } catch (error) {
    expect((error as Error).message).toContain("is protected")
    return "refused"
  }
}

describe("a command is refused", () => {
  it.each([
    ["echo x > db/migrations/1.sql"],
    ["echo x >> ./db//migrations/new.sql"],
    ["tee yarn.lock < notes.tmp"],
    ["cp notes.tmp yarn.lock"],
    ["cp notes.tmp db/migrations"],
    ["sed -i s/a/b/ yarn.lock"],
    ["truncate -s0 'yarn.lock'"],
    ["rm db/migrations/1.sql"],
    ["mv yarn.lock old"],
    // What lies above.
    ["rm -rf db"],
    ["rm -rf ./db/"],
    ["rm -r -- db/migrations"],
    ["rm -rf ."],
    ["rm -rf *"],
    ["rm -rf d*"],
    ["rm -rf {build,db}"],
    ["rm -rf db/*"],
    ["rm -rf db/*/1.sql"],
    ["rm *.lock"],
    ["rm -rf keep"],
    ["rm -rf keep/deep"],
    ["mv db old"],
    ["mv keep/deep build/"],
    ["sudo rm -rf db"],
    ["(cd db; rm -rf migrations)"],
    ["cd db && rm -rf *"],
    ["cd build && rm -rf ../db"],
    ["cd packages/a && cd ../.. && rm -rf db"],
    ["git rm -r db"],
    ["git mv db old"],
    ["find db -delete"],
    ["find . -name '*.lock' -exec rm {} +"],
    ["find . -name '*.sql' -delete"],
    ['rm -rf "$PWD/db"'],
    ["rm -rf ${PWD}/db"],
    ["shopt -s extglob\nrm -rf !(build)"],
    ["mv {yarn,x}.lock"],
    ["mv yarn.lock{,.bak}"],
    ["git rm -f ':(glob)*.lock'"],
    ["git rm -f :/yarn.lock"],
    ["find -L db -delete"],
    ["find . ! -name '*.tmp' -delete"],
    ["find . -iname '*.LOCK' -delete"],
    ["find . -name '*.tmp' -print -or -delete"],
    ["find . -name '*.tmp' , -delete"],
    ["find . -name migrations -exec rm -rf {} +"],
    ["find . -name '*.lock' -exec /bin/rm {} +"],
    ["find . -name '*.lock' -exec sh -c 'rm \"$1\"' _ {} \\;"],
    ["find db -type f -exec truncate -s0 {} +"],
    ["find db -name '*hidden' -delete"],
    // Names that are read while it runs.
    ["find . -name '*.lock' | xargs rm"],
    ["echo db | xargs -I{} rm -rf {}"],
    // Patterns of what is written.
    ["sed -i s/a/b/ *.lock"],
    ["cp notes.tmp yarn.loc?"],
    ["cd db && truncate -s 0 migrations/*"],
    // Names that begin with a dot.
    ["rm db/migrations/.hidden"],
    ["echo x > keep/.secret/b.key"],
    ["rm -rf keep/.secret"],
    // Links.
    ["echo x > alias/migrations/1.sql"],
    ["echo x > lock-alias"],
    ["echo x > to-new"],
    ["echo x > build/into/2.sql"],
    ["echo x > build/up/yarn.lock"],
    ["rm -rf alias/migrations"],
    ["rm -rf build/up/db"],
    ["cd alias && rm -rf migrations"],
    ["cd build/into && echo x > 2.sql"],
    ["echo x > vendor/api.json"],
    ["echo x > ../outside/api.json"],
    ["rm -rf ../outside"],
    ["echo x > build/into/../migrations/1.sql"],
  ])("%s", (command) => {
    expect(judged("bash", { command })).toBe("refused")
  })

  it.each([
    ["rm -rf migrations", "db"],
    ["echo x > 1.sql", "db/migrations"],
    ["echo x > 1.sql", "alias/migrations"],
    ["rm -rf *", "db"],
    ["rm ../yarn.lock", "build"],
    ["rm -rf ..", "build"],
  ])("%s, in %s", (command, start) => {
    expect(judged("bash", { command }, start)).toBe("refused")
  })
})

describe("a command may run", () => {
  it.each([
    ["cat yarn.lock"],
    ["cat db/migrations/*.sql > build/all.sql"],
    ["echo x > db/seed.sql"],
    ["cp yarn.lock build/"],
    ["cp notes.tmp db/"],
    ["cp notes.tmp db/ && rm notes.tmp"],
    ["rm -rf build"],
    ["rm -rf build/*"],
    ["rm *.tmp"],
    ["rm -rf packages/a"],
    ["rm packages/a/yarn.lock"],
    ["rm -rf keep/plain"],
    ["mv notes.tmp db/"],
    ["cd build && rm -rf *"],
    ["cd build && echo x > out.js"],
    ["find . -name '*.tmp' -delete"],
    ["find build -delete"],
    ["find build ! -name '*.tmp' -delete"],
    ["find . -name '*.lock' -exec grep x {} +"],
    ["ls build | xargs touch"],
    ["cd build && ls | xargs rm"],
    ["sed -i s/a/b/ *.tmp"],
    ["cp *.lock build/"],
    ["cp *.lock build/ && rm *.tmp"],
    ["git add *.lock"],
    ["tar -czf build/all.tgz *.lock"],
    ["git commit -m 'change *.lock'"],
    ["grep x *.lock > notes.tmp"],
    ["git rm -r build"],
    ["mkdir -p db/other && touch db/other/x"],
    ["ls -la db && grep -r x db/migrations"],
    ["echo x > circle"],
    ["echo x > vendor/free.json"],
    ["rm -rf nothing-there"],
    ["git checkout -b topic"],
  ])("%s", (command) => {
    expect(judged("bash", { command })).toBe("allowed")
  })

  it.each([
    ["rm -rf *", "build"],
    ["echo x > 1.sql", "build"],
    ["rm yarn.lock", "packages/a"],
    ["rm -rf migrations", "build"],
  ])("%s, in %s", (command, start) => {
    expect(judged("bash", { command }, start)).toBe("allowed")
  })
})

describe("a tool that writes files", () => {
  it.each([
    ["write", { filePath: "alias/migrations/2.sql" }, "refused"],
    ["edit", { filePath: "lock-alias" }, "refused"],
    ["write", { filePath: "build/into/new/deep.sql" }, "refused"],
    ["apply_patch", { patchText: "*** Begin Patch\n*** Delete File: build/up/yarn.lock\n*** End Patch" }, "refused"],
    ["apply_patch", { patchText: "*** Begin Patch\n*** Delete File:yarn.lock\n*** End Patch" }, "refused"],
    // Where names lead by themselves, links and the home directory aside: these tools do not ask the system.
    ["write", { filePath: "vendor/../yarn.lock" }, "refused"],
    ["edit", { filePath: "~/../yarn.lock" }, "refused"],
    ["write", { filePath: "~/yarn.lock" }, "allowed"],
    ["write", { filePath: "alias/seed.sql" }, "allowed"],
    ["read", { filePath: "yarn.lock" }, "allowed"],
  ])("%s %j: %s", (tool, args, outcome) => {
    expect(judged(tool, args)).toBe(outcome)
  })
})
