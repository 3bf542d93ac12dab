import { readdir, readFile } from "node:fs/promises"
import { setTimeout as delay } from "node:timers/promises"

/** The live processes that have `text` in their environment. */
export async function processesWith(text: string): Promise<readonly number[]> {
  const found: number[] = []
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue
    const environment = await readFile(`/proc/${name}/environ`, "latin1").catch(() => "")
    if (environment.includes(text)) found.push(Number(name))
  }
  return found
}

/** Resolves once `condition` holds. Rejects after 100 s, to say what did not happen. */
export async function eventually(condition: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + 100_000
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Not within 100 s: ${String(condition)}`)
    await delay(10)
  }
}
