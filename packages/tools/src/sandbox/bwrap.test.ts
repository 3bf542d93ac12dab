import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { chmod, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { dirname, join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { eventually, processesWith } from "../../test/processes.ts"
import { bwrapOptions, noBwrap, sandboxed, skipNote, testHome } from "../../test/sandboxed.ts"
import { bwrapSandbox, SandboxUnavailableError } from "./bwrap.ts"

it("names the package to install where bubblewrap is missing", async () => {
  const found = bwrapSandbox({ ...bwrapOptions, path: await testDirectory(), platform: "linux" })
  await expect(found).rejects.toThrow(SandboxUnavailableError)
  await expect(found).rejects.toThrow('Install the package "bubblewrap"')
})

it("says so where the system has no such thing", async () => {
  await expect(bwrapSandbox({ ...bwrapOptions, platform: "darwin" })).rejects.toThrow(
    "on Linux only, and this is darwin",
  )
})

it.runIf(process.platform === "linux")("tells why bubblewrap does not work here", async () => {
  const path = await testDirectory({
    bwrap: "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n",
  })
  await chmod(join(path, "bwrap"), 0o755)
  await expect(bwrapSandbox({ ...bwrapOptions, path })).rejects.toThrow(
    'The sandbox "bwrap" does not work here: bwrap: No permissions to create new namespace. Unprivileged',
  )
})

describe.skipIf(noBwrap)(`in bubblewrap${skipNote}`, () => {
  it("lets commands write in the project, and nowhere else", async () => {
    const writable = await testHome()
    const { directory, home, run } = await sandboxed({ writable: [writable] })
    const places = [directory, writable, home, "/etc", "/usr/local", "/var/tmp"]
    const { output } = await run(places.map((place) => `(echo x > ${place}/HIT) 2>/dev/null; echo $?`).join("; "))
    expect(output.split("\n").map(Number).map(Boolean)).toEqual(places.map((_, index) => index > 1))
    expect(places.filter((place) => existsSync(join(place, "HIT")))).toEqual([directory, writable])
  })

  it("hides the secrets of the home directory and what else is named", async () => {
    const data = await testHome()
    const { run, home } = await sandboxed({ hidden: [data, join(data, "no-such-place")] })
    const files = `.ssh/id_ed25519 .netrc .config/pawl/auth.json notes.txt`.split(" ")
    const shown = async (place: string) =>
      (await run(files.map((name) => `cat ${place}/${name} 2>/dev/null`).join("; "))).output
    expect(await shown(home)).toBe("notes")
    expect(await shown(data)).toMatch(/^\(no output\)/)
    expect((await run("(echo x > ~/.ssh/authorized_keys) 2>&1")).output).toContain("Read-only file system")
    expect(await readdir(join(home, ".ssh"))).toEqual(["id_ed25519"])
  })

  it("hides them also in a place that may be written, and shows a project that lies in a hidden one", async () => {
    const home = await testHome()
    const { directory, run } = await sandboxed({ home, writable: [home] })
    expect((await run(`cat ${home}/.ssh/* ${home}/.netrc; echo x > ${home}/own.txt; ls ${home}`)).output).toContain(
      "own.txt",
    )
    expect((await run(`cat ${home}/.ssh/* ${home}/.netrc 2>&1`)).output).not.toContain("SECRET")
    const inside = await sandboxed({ hidden: [dirname(directory)] })
    expect((await inside.run("cat src/a.txt")).output).toBe("a")
  })

  it("keeps what decides over later commands as it is", async () => {
    const { directory, run } = await sandboxed()
    await writeFile(join(directory, ".git/info/attributes"), "")
    const before = await readFile(join(directory, ".git/config"), "utf8")
    const attempts = [
      "echo evil > .git/hooks/pre-commit",
      "git config core.hooksPath evil",
      "rm -rf .git/hooks",
      "mv .git .moved",
      "mv .git/hooks .git/other",
      "echo evil > pawl.json",
      "echo evil > .claude/settings.json",
      "mv .claude .moved",
      "echo evil > .husky/pre-push",
      "echo evil > scripts/hooks/pre-push",
      "mv scripts/hooks .moved",
      "mv scripts .moved",
      "mv .git/info .git/moved",
    ]
    const { output } = await run(attempts.map((each) => `${each} >/dev/null 2>&1 && echo "did: ${each}"`).join("\n"))
    expect(output).not.toContain("did:")
    expect(existsSync(join(directory, ".git/hooks/pre-commit"))).toBe(false)
    expect(await readFile(join(directory, ".git/config"), "utf8")).toBe(before)
    expect(await readFile(join(directory, "pawl.json"), "utf8")).toBe("{}")
    expect(await readFile(join(directory, ".claude/settings.json"), "utf8")).toBe("{}")
  })

  it("gives another name to what would decide over later commands and was not there before", async () => {
    const { directory, run } = await sandboxed()
    const made = [
      ".git/commondir",
      ".git/config.worktree",
      ".git/info/attributes",
      ".envrc",
      "lefthook.yml",
      ".vscode/tasks.json",
    ]
    const { output } = await run(
      `mkdir .vscode; ${made.map((name) => `echo evil > ${name}`).join("; ")}; ln -s evil .mcp.json`,
    )
    for (const name of [...made.slice(0, 5), ".vscode", ".mcp.json"]) {
      const [, to] =
        new RegExp(`^${name.replaceAll(".", "[.]")} decides .* is called (\\S+) now`, "m").exec(output) ?? []
      expect([name, existsSync(join(directory, name)), to]).toEqual([
        name,
        false,
        expect.stringContaining(".from-sandbox"),
      ])
      await lstat(join(directory, dirname(name), to ?? ""))
    }
    // The user's own, made between two commands.
    await writeFile(join(directory, ".envrc"), "own")
    expect((await run("true")).output).toBe("(no output)")
    expect(await readFile(join(directory, ".envrc"), "utf8")).toBe("own")
  })

  it("does so after an abort, and where a job ends, too", async () => {
    const { directory, run, tools } = await sandboxed()
    const controller = new AbortController()
    const running = run("echo evil > .envrc; touch ready; sleep 60", {}, controller.signal)
    await eventually(() => existsSync(join(directory, "ready")))
    controller.abort()
    expect((await running).output).toContain(".envrc decides over later commands")
    expect(existsSync(join(directory, ".envrc"))).toBe(false)
    const { metadata } = await run("echo evil > .envrc; true", { background: true })
    await tools.run("bash_output", { jobID: metadata?.["jobID"], wait_ms: 5000 }).catch(() => undefined)
    await eventually(() => !existsSync(join(directory, ".envrc")))
  })

  it("takes the settings and hooks of a repository that is made inside", async () => {
    const { directory, run } = await sandboxed()
    await rm(join(directory, ".git"), { recursive: true })
    await run("git init -q && git config core.fsmonitor 'touch HIT' && echo 'touch HIT' > .git/hooks/pre-commit")
    expect(existsSync(join(directory, ".git/config"))).toBe(false)
    expect(existsSync(join(directory, ".git/hooks"))).toBe(false)
    execFileSync("git", ["-C", directory, "status"])
    expect(existsSync(join(directory, "HIT"))).toBe(false)
    expect(
      (await run("git -c user.name=a -c user.email=a@b commit --allow-empty -qm x && git log --format=%s")).output,
    ).toContain("x")
  })

  it("lets git commit", async () => {
    const { run } = await sandboxed()
    const { output } = await run(
      "git add -A && git -c user.name=a -c user.email=a@b commit -qm first && git log --format=%s",
    )
    expect(output).toBe("first")
  })

  it("leaves what a link in the project leads to as it is", async () => {
    const { directory, home, run } = await sandboxed()
    await symlink(join(home, "notes.txt"), join(directory, "link"))
    await symlink("/etc/hostname", join(directory, "name"))
    const { output } = await run(
      "(echo evil > link) 2>/dev/null || echo denied; (echo evil > name) 2>/dev/null || echo denied",
    )
    expect(output).toBe("denied\ndenied")
    expect(await readFile(join(home, "notes.txt"), "utf8")).toBe("notes")
  })

  it("reaches no server, unless the network is allowed", async () => {
    const server = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1")
    onTestFinished(() => void server.close())
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const request = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`
    expect((await (await sandboxed()).run(request)).output).toContain("Connection refused")
    expect((await (await sandboxed({ network: true })).run(request)).output).toContain("hello")
  })

  it("has a temporary directory of its own, which lasts from call to call", async () => {
    const { run, sandbox } = await sandboxed()
    await run("echo kept > $TMPDIR/a.txt; mktemp >/dev/null && echo also > /tmp/b.txt")
    expect((await run("cat /tmp/a.txt $TMPDIR/b.txt")).output).toBe("kept\nalso")
    expect(existsSync("/tmp/b.txt")).toBe(false)
    await sandbox.close()
    expect(existsSync(sandbox.temporary.outside)).toBe(false)
  })

  it("passes exit codes on, keeps a change of directory, and sees no other processes", async () => {
    const { directory, run } = await sandboxed()
    expect((await run("cd src; exit 7")).metadata).toMatchObject({ exit: 7 })
    expect((await run("pwd; kill -TERM $$")).output).toContain(`${directory}/src`)
    expect((await run("sh -c 'kill -KILL $$'")).metadata).toMatchObject({ exit: 137 })
    expect((await run(`ls -d /proc/${process.pid} 2>/dev/null | wc -l; ls /proc | grep -c '^[0-9]'`)).output).toMatch(
      /^0\n\d$/,
    )
  })

  it("gives root no way to undo it", async () => {
    const { directory, run } = await sandboxed()
    const attempts = [
      "mount -o remount,rw /",
      "mount -o remount,rw .git/hooks",
      "umount .git/hooks",
      "mknod disk b 8 0",
    ]
    const { output } = await run(attempts.map((each) => `${each} 2>/dev/null && echo "did: ${each}"`).join("\n"))
    expect(output).not.toContain("did:")
    expect(existsSync(join(directory, "disk"))).toBe(false)
    // A setting that root could change, given the value that it has.
    const setting = "/proc/sys/kernel/panic"
    expect((await run(`(echo "$(cat ${setting})" > ${setting}) 2>&1`)).output).toMatch(/Read-only|denied/)
  })

  it("leaves nothing after an abort, and lets commands clean up first", async () => {
    const { directory, run } = await sandboxed()
    const controller = new AbortController()
    const mark = `MARK_${crypto.randomUUID()}`
    const command = `export ${mark.replaceAll("-", "_")}=1; (setsid sleep 300 &); sleep 301 & trap 'touch cleaned; exit' TERM; touch ready; while :; do sleep 0.05; done`
    const running = run(command, {}, controller.signal)
    await eventually(() => existsSync(join(directory, "ready")))
    await eventually(async () => (await processesWith(mark.replaceAll("-", "_"))).length >= 2)
    controller.abort()
    expect((await running).output).toContain("the user aborted the call")
    expect(existsSync(join(directory, "cleaned"))).toBe(true)
    expect(await processesWith(mark.replaceAll("-", "_"))).toEqual([])
  })

  it("runs in a directory whose name is made of options and shell syntax", async () => {
    const { directory, run } = await sandboxed()
    for (const name of ["--bind", "; touch HIT", "$(touch HIT)", "new\nline"]) {
      await mkdir(join(directory, name))
      await writeFile(join(directory, name, "a.txt"), "")
      expect((await run("ls", { workdir: name })).output).toBe("a.txt")
    }
    expect(existsSync(join(directory, "HIT"))).toBe(false)
  })
})
