import { displayName } from "../display-name.ts"
import { argvFor, type ConfiguredProgram, isMeantFor, takesFile } from "./configured-program.ts"
import type { EditedFile } from "./edited-file.ts"
import { failureOf, type ProgramScene, runConfigured } from "./run-configured.ts"

const DEFAULT_TIMEOUT = 60_000
/** Of one check, in one call. */
const MOST_FILES = 20

/** Runs the checks that the files are for, one after the other; resolves with what they found fault with. */
export async function checkFiles(
  checks: readonly ConfiguredProgram[],
  files: readonly EditedFile[],
  scene: ProgramScene,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const check of checks) {
    const meant = files.filter(({ target }) => isMeantFor(check, target))
    const [first] = meant
    if (!first) continue
    const looked = takesFile(check) ? meant.slice(0, MOST_FILES) : [first]
    for (const file of looked) found.push(...(await checkOnce(check, file, scene)))
    if (takesFile(check) && meant.length > looked.length) {
      found.push(`The check ${check.name} has looked at the first ${looked.length} of ${meant.length} files.`)
    }
  }
  return found
}

async function checkOnce(
  check: ConfiguredProgram,
  { shown, target }: EditedFile,
  scene: ProgramScene,
): Promise<readonly string[]> {
  const { name, timeout = DEFAULT_TIMEOUT } = check
  const about = takesFile(check) ? `${displayName(name)} of ${shown}` : displayName(name)
  try {
    const end = await runConfigured({ ...check, timeout }, argvFor(check, target), scene)
    const failure = failureOf(end, timeout)
    if (failure === undefined) return []
    if (end.type !== "ended") return [`The check ${about} ${failure}.`]
    return [`<diagnostics>\n${about} ${failure}\n${end.output === "" ? "(no output)" : end.output}\n</diagnostics>`]
  } catch (error) {
    scene.context.signal.throwIfAborted()
    return [`The check ${about} could not be run: ${error instanceof Error ? error.message : String(error)}`]
  }
}
