import { dirname } from "node:path"
import { withLock } from "@pawl/process-lock"
import { privateDirectory, writeDurably } from "@pawl/files/durable-file"
import { type Entries, readEntries } from "./read-entries.ts"

/** Replaces the file with the result of `edit`. No other process can write in between. */
export async function changeAuthFile(path: string, edit: (entries: Entries) => Entries): Promise<void> {
  await privateDirectory(dirname(path))
  await withLock(`${path}.lock`, async () => {
    const edited = edit(await readEntries(path))
    const text = `${JSON.stringify(Object.fromEntries(edited), undefined, 2)}\n`
    await writeDurably(path, (write) => write(text))
  })
}
