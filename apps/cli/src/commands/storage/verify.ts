import { hidePasswords } from "@pawl/config/hide-passwords"
import { maskedStrings } from "@pawl/secrets"
import type { StorageProblem } from "@pawl/core/storage"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { wrap } from "@pawl/terminal-text/flow"
import { plainLine } from "@pawl/plain-text"
import { plural } from "@pawl/terminal-text/quantity"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { collected } from "@pawl/runtime/session/collected"
import { shownLocation } from "@pawl/runtime/storage/shown-location"
import { longWork } from "../../storage/long-work.ts"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { formattedStorageOptions, STORAGES } from "../../command-options.ts"

async function storageVerify({ options }: CommandInput<typeof formattedStorageOptions>, host: Host): Promise<ExitCode> {
  return withStorage(host, { url: options.storage }, (storage) => {
    return longWork(host, {
      label: "verifying",
      stopped: "Not everything was checked; nothing was changed.",
      work: (work) => collected(storage.verify(work)),
      tell: (problems) => tell(problems, shownLocation(storage), options, host),
    })
  })
}

function tell(
  problems: readonly StorageProblem[],
  location: string,
  { format }: CommandInput<typeof formattedStorageOptions>["options"],
  { stdout, stderr, environment, program, secrets }: Host,
): ExitCode {
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  const columns = stdout.isTerminal ? stdout.columns : Infinity
  for (const found of problems) {
    const problem = maskedStrings(found, (text) => secrets.mask(text))
    if (format === "json") stdout.write(`${JSON.stringify(problem)}\n`)
    else stdout.write(`${problemLines(problem, columns, theme).join("\n")}\n`)
  }
  stderr.write(`${problems.length === 0 ? "No problems" : plural(problems.length, "problem")} in ${location}.\n`)
  if (problems.some(({ kind }) => kind !== "reference")) {
    stderr.write(`${program} storage rebuild rebuilds derived data and moves damaged records aside.\n`)
  }
  return problems.length === 0 ? exitCodes.success : exitCodes.failed
}

function problemLines(
  { kind, subject, message }: StorageProblem,
  columns: number,
  theme: ReturnType<typeof createTheme>,
): string[] {
  const lines = wrap(hidePasswords(plainLine(message)), columns - 2).map((line) => `  ${line}`)
  return [`${theme.bad(kind)} ${theme.strong(plainLine(subject))}`, ...lines]
}

export const command = defineCommand({
  usage: ["storage verify [options]"],
  notes: ["Nothing is changed. " + STORAGES],
  words: { min: 0, max: 0 },
  options: formattedStorageOptions,
  exitCodes: { 0: "no problems were found", 1: "problems were found, or the check failed" },
  examples: [["pawl storage verify || pawl storage rebuild", "check and repair in a nightly job"]],
  run: storageVerify,
})
