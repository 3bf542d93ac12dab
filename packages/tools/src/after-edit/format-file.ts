import { writeAtomically } from "../file/atomic-write.ts"
import { readBytes } from "../file/read-bytes.ts"
import { argvFor, type ConfiguredProgram, isMeantFor } from "./configured-program.ts"
import type { EditedFile } from "./edited-file.ts"
import { failureOf, type ProgramDeps, runConfigured } from "./run-configured.ts"

const DEFAULT_TIMEOUT_MS = 30_000
const MAX_OUTPUT = 1000

/** Runs the formatters that apply to the file. Returns messages for the model. */
export async function formatFile(
  formatters: readonly ConfiguredProgram[],
  file: EditedFile,
  deps: ProgramDeps,
): Promise<readonly string[]> {
  const notes: string[] = []
  for (const formatter of formatters.filter((each) => isMeantFor(each, file.target))) {
    notes.push(...(await formatOnce(formatter, file, deps)))
  }
  return notes
}

async function formatOnce(
  formatter: ConfiguredProgram,
  { shown, target }: EditedFile,
  deps: ProgramDeps,
): Promise<readonly string[]> {
  const { name, timeout = DEFAULT_TIMEOUT_MS } = formatter
  const before = await readBytes(target)
  if (!before) return []
  let failure: string | undefined
  let output = ""
  try {
    const end = await runConfigured({ ...formatter, timeout }, argvFor(formatter, target), deps)
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
    deps.context.signal.throwIfAborted()
    failure = `could not be run: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    // A failed or aborted formatter may have written half of the file.
    if (failure !== undefined || deps.context.signal.aborted) await putBack(target, before)
  }
  return [[`The formatter ${name} ${failure}; the file is as it was written.`, output].filter(Boolean).join("\n")]
}

async function putBack(target: string, before: { readonly bytes: Buffer; readonly mode: number }): Promise<void> {
  const now = await readBytes(target, Infinity)
  if (!now?.bytes.equals(before.bytes)) await writeAtomically(target, before.bytes, { mode: before.mode })
}
