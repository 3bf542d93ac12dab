import { join } from "node:path"

/** Returns the directory with the state that finding changes of files needs. Contents of files are in the storage. */
export function historyDirectory({ dataDirectory }: { readonly dataDirectory: string }): string {
  return join(dataDirectory, "undo")
}
