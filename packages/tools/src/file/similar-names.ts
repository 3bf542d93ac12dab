import { readdir } from "node:fs/promises"
import { basename } from "node:path"
import { similarity } from "../similarity.ts"
import { inHeldParent } from "./held-parent.ts"

const MAX_SUGGESTIONS = 3
const MIN_SIMILARITY = 0.6
const MAX_NAMES = 5000

/** Returns names beside a missing file that are similar to its own, best match first. `path` is real. */
export async function similarNames(path: string): Promise<readonly string[]> {
  const names = await inHeldParent(path, (held) => readdir(held.at("."))).catch(() => [])
  const wanted = normalized(basename(path))
  return names
    .slice(0, MAX_NAMES)
    .map((name) => ({ name, score: closeness(wanted, normalized(name)) }))
    .filter(({ score }) => score >= MIN_SIMILARITY)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name)
}

function closeness(wanted: string, name: string): number {
  // Matches `config` with `config.json` and the reverse. Shorter names are part of too many others.
  const isPart = Math.min(wanted.length, name.length) >= 3 && (name.includes(wanted) || wanted.includes(name))
  return Math.max(similarity(wanted, name), isPart ? MIN_SIMILARITY : 0)
}

/** File systems differ in composed and decomposed accents. */
function normalized(name: string): string {
  return name.normalize("NFC").toLowerCase()
}
