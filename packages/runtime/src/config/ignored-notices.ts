import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { LeftOut } from "@pawl/config"
import { privateDirectory, writeDurably } from "@pawl/files/durable-file"
import type { Layer } from "@pawl/config/layer"
import { isRecord } from "@pawl/trust/content-effects"

type Named = Pick<Layer, "source" | "leftOut">

/**
 * Returns a notice for each source with ignored keys, unless the same notice was shown before. The data directory
 * stores which notices were shown. Never rejects: if they cannot be stored, notices are shown again.
 */
export async function ignoredNotices(layers: readonly Named[], dataDirectory: string): Promise<string[]> {
  const found = layers.filter(({ leftOut = [] }) => leftOut.length > 0)
  if (found.length === 0) return []
  const path = join(dataDirectory, "left-out.json")
  const shown = await readShown(path)
  const unseen = found.filter((layer) => shown[layer.source] !== digestOf(layer))
  if (unseen.length > 0) {
    const text = JSON.stringify({
      ...shown,
      ...Object.fromEntries(unseen.map((layer) => [layer.source, digestOf(layer)])),
    })
    await privateDirectory(dirname(path))
      .then(() => writeDurably(path, (write) => write(`${text}\n`)))
      .catch(() => undefined)
  }
  return unseen.map(leftOutNotice)
}

const MAX_NAMED_KEYS = 6

/** Names each key that pawl does not know, and counts the known keys that have no meaning here. */
export function leftOutNotice({ source, leftOut = [] }: Named): string {
  const unknown = leftOut.filter(({ reason }) => reason === undefined)
  const meaningless = leftOut.length - unknown.length
  const named = unknown.slice(0, MAX_NAMED_KEYS).map(placed)
  const more = unknown.length > MAX_NAMED_KEYS ? [`${unknown.length - MAX_NAMED_KEYS} more`] : []
  const parts = [
    ...(unknown.length > 0 ? [`pawl does not know ${[...named, ...more].join(", ")}`] : []),
    ...(meaningless > 0 ? [`${meaningless} ${meaningless === 1 ? "key means" : "keys mean"} nothing here`] : []),
  ]
  return `${source}: ${parts.join("; ")}. What is left out, and why: pawl config files`
}

/** Returns a key with its position, as in `modle (3:5)`. */
export function placed({ key, line, column }: LeftOut): string {
  return line === undefined ? key : `${key} (${line}:${column})`
}

function digestOf({ leftOut = [] }: Named): string {
  return createHash("sha256")
    .update(JSON.stringify(leftOut.map(({ key }) => key)))
    .digest("hex")
    .slice(0, 16)
}

async function readShown(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
