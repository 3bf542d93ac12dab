import { stat } from "node:fs/promises"

export async function isDirectory(path: string): Promise<boolean> {
  const status = await stat(path).catch(() => undefined)
  return status?.isDirectory() === true
}
