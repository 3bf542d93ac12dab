import { displayName } from "../display-name.ts"
import { argvFor, type ConfiguredProgram, isMeantFor, takesFile } from "./configured-program.ts"
import type { EditedFile } from "./edited-file.ts"
import { failureOf, type ProgramDeps, runConfigured } from "./run-configured.ts"

const DEFAULT_TIMEOUT_MS = 60_000
/** Per check and call. */
const MAX_FILES = 20

/** Runs the checks that apply to the files one after the other. Returns their failures. */
export async function checkFiles(
  checks: readonly ConfiguredProgram[],
  files: readonly EditedFile[],
  deps: ProgramDeps,
): Promise<readonly string[]> {
  const failures: string[] = []
  for (const check of checks) {
    const applicable = files.filter(({ target }) => isMeantFor(check, target))
    const [first] = applicable
    if (!first) continue
    const checked = takesFile(check) ? applicable.slice(0, MAX_FILES) : [first]
    for (const file of checked) failures.push(...(await checkOnce(check, file, deps)))
    if (takesFile(check) && applicable.length > checked.length) {
      failures.push(`The check ${check.name} has looked at the first ${checked.length} of ${applicable.length} files.`)
    }
  }
  return failures
}

async function checkOnce(
  check: ConfiguredProgram,
  { shown, target }: EditedFile,
  deps: ProgramDeps,
): Promise<readonly string[]> {
  const { name, timeout = DEFAULT_TIMEOUT_MS } = check
  const subject = takesFile(check) ? `${displayName(name)} of ${shown}` : displayName(name)
  try {
    const end = await runConfigured({ ...check, timeout }, argvFor(check, target), deps)
    const failure = failureOf(end, timeout)
    if (failure === undefined) return []
    if (end.type !== "ended") return [`The check ${subject} ${failure}.`]
    return [`<diagnostics>\n${subject} ${failure}\n${end.output === "" ? "(no output)" : end.output}\n</diagnostics>`]
  } catch (error) {
    deps.context.signal.throwIfAborted()
    return [`The check ${subject} could not be run: ${error instanceof Error ? error.message : String(error)}`]
  }
}
