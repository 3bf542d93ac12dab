import { dirname } from "node:path"
import { withLock } from "@pawl/process-lock"
import { privateDirectory, writeDurably } from "@pawl/files/durable-file"
import { type KeptOrganizations, organizationsFile, readOrganizations } from "./organization-store.ts"

/** Replaces the file with the result of `edit`. No other process can write in between. */
export async function changeOrganizations(
  dataDirectory: string,
  edit: (kept: KeptOrganizations) => KeptOrganizations,
): Promise<void> {
  const path = organizationsFile(dataDirectory)
  await privateDirectory(dirname(path))
  await withLock(`${path}.lock`, async () => {
    const edited = edit(await readOrganizations(dataDirectory))
    await writeDurably(path, (write) => write(`${JSON.stringify(Object.fromEntries(edited), undefined, 2)}\n`))
  })
}
