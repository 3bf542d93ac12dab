import { writeAtomically } from "../file/atomic-write.ts"
import { readBytes } from "../file/read-bytes.ts"
import { argvFor, type ConfiguredProgram, isMeantFor } from "./configured-program.ts"
import type { EditedFile } from "./edited-file.ts"
import { failureOf, type ProgramScene, runConfigured } from "./run-configured.ts"

const DEFAULT_TIMEOUT = 30_000
const MAX_OUTPUT = 1000

/** Runs the formatters that the file is for; resolves with what the model should know. */
export async function formatFile(
  formatters: readonly ConfiguredProgram[],
  file: EditedFile,
  scene: ProgramScene,
): Promise<readonly string[]> {
  const notes: string[] = []
  for (const formatter of formatters.filter((each) => isMeantFor(each, file.target))) {
    notes.push(...(await formatOnce(formatter, file, scene)))
  }
  return notes
}

async function formatOnce(
  formatter: ConfiguredProgram,
  { shown, target }: EditedFile,
  scene: ProgramScene,
): Promise<readonly string[]> {
  const { name, timeout = DEFAULT_TIMEOUT } = formatter
  const before = await readBytes(target)
  if (!before) return []
  let failure: string | undefined
  let output = ""
  try {
    const end = await runConfigured({ ...formatter, timeout }, argvFor(formatter, target), scene)
    failure = failureOf(end, timeout)
    output = end.type === "not-started" ? "" : end.output.slice(-MAX_OUTPUT)
    const after = await readBytes(target, Infinity)
    if (failure === undefined && after) {
      return after.bytes.equals(before.bytes)
        ? []
        : [`${shown} was formatted by ${name}: read it again before you edit it.`]
    }
    failure ??= "removed the file"
  } catch (error) {
    scene.context.signal.throwIfAborted()
    failure = `could not be run: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    // Half of a formatted file is worth less than all of an unformatted one.
    if (failure !== undefined || scene.context.signal.aborted) await putBack(target, before)
  }
  return [[`The formatter ${name} ${failure}; the file is as it was written.`, output].filter(Boolean).join("\n")]
}

async function putBack(target: string, before: { readonly bytes: Buffer; readonly mode: number }): Promise<void> {
  const now = await readBytes(target, Infinity)
  if (!now?.bytes.equals(before.bytes)) await writeAtomically(target, before.bytes, { mode: before.mode })
}
