import { spawnSync } from "node:child_process"
import { chmod, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { built, workplace } from "./workplace.ts"

it("completes in a real bash: commands, options, values behind = and :, sessions, files", async () => {
  const { project, pawl } = await workplace()
  const model = JSON.stringify({
    provider: { local: { options: { baseURL: "http://127.0.0.1:1" }, models: { "q:8b": {} } } },
  })
  const bin = join(project, "bin")
  await mkdir(bin)
  const words = built.map((word) => `'${word}'`).join(" ")
  await writeFile(join(bin, "pawl"), `#!/bin/sh\nexec ${words} "$@"\n`)
  await chmod(join(bin, "pawl"), 0o755)
  await writeFile(join(project, "notes.md"), "")
  const { stdout: script } = await pawl(["completion", "bash"])
  const lines = [
    "pawl se",
    "pawl session arch",
    "pawl run --form",
    "pawl run --format=j",
    "pawl run -m local/q:",
    "pawl run -f no",
  ]
  const asked = lines.map((line) => {
    const split = line.split(/(?<=[=:])|(?=[=:])|\s+/).map((word) => `'${word}'`)
    return (
      `COMP_LINE='${line}' COMP_POINT=\${#COMP_LINE}; COMP_WORDS=(${split.join(" ")}); ` +
      'COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _pawl; echo "${COMPREPLY[*]}"'
    )
  })

  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", `${script}\n${asked.join("\n")}`], {
    ...{ cwd: project, encoding: "utf8" },
    env: {
      PATH: `${bin}:${process.env["PATH"]}`,
      HOME: project,
      PAWL_DATA_DIR: join(project, "data"),
      PAWL_CONFIG_CONTENT: model,
    },
  })

  expect({ lines: stdout.trim().split("\n"), stderr: stderr.replaceAll(/.*compopt.*\n/g, "") }).toEqual({
    lines: ["serve session search", "archive", "--format", "json", "8b", "notes.md"],
    stderr: "",
  })
})

it("offers the sessions of the directory with their titles", async () => {
  const { pawl, talk } = await desk()
  const id = await talk("hi", "--title", "A first one")

  const { stdout } = await pawl("completion", "--line", "pawl session show ses_")

  expect(stdout).toBe(`${id}\tA first one\n`)
})

it("has scripts for three shells, and names them where another is asked for", async () => {
  const { pawl } = await desk()

  for (const shell of ["bash", "zsh", "fish"]) {
    expect((await pawl("completion", shell)).stdout).toContain("pawl completion --line")
  }
  expect(await pawl("completion", "tcsh")).toMatchObject({ code: 2, stdout: "" })
  expect((await pawl("completion")).stderr).toContain("pawl completion fish")
})

it("says nothing where it cannot tell, instead of an error", async () => {
  const { pawl, environment } = await desk()
  environment["PAWL_STORAGE"] = "sqlite:/proc/none/pawl.db"

  expect(await pawl("completion", "--line", "pawl session show ")).toEqual({ code: 0, stdout: "", stderr: "" })
})
