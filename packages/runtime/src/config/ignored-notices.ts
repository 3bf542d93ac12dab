import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { LeftOut } from "@pawl/config"
import { privateDirectory, writeDurably } from "@pawl/files/durable-file"
import type { Layer } from "@pawl/config/layer"
import { isRecord } from "@pawl/trust/content-effects"

type Named = Pick<Layer, "source" | "leftOut">

/**
 * A sentence for each source that says what means nothing here, unless that was told before and is the same: where it is
 * told is kept in the data directory. Never rejects: where nothing can be kept it is told again.
 */
export async function ignoredNotices(layers: readonly Named[], dataDirectory: string): Promise<string[]> {
  const found = layers.filter(({ leftOut = [] }) => leftOut.length > 0)
  if (found.length === 0) return []
  const path = join(dataDirectory, "left-out.json")
  const told = await readTold(path)
  const news = found.filter((layer) => told[layer.source] !== printOf(layer))
  if (news.length > 0) {
    const text = JSON.stringify({ ...told, ...Object.fromEntries(news.map((layer) => [layer.source, printOf(layer)])) })
    await privateDirectory(dirname(path))
      .then(() => writeDurably(path, (write) => write(`${text}\n`)))
      .catch(() => undefined)
  }
  return news.map(leftOutNotice)
}

const MOST = 6

/** Names each key that pawl does not know, and counts what it knows to mean nothing here. */
export function leftOutNotice({ source, leftOut = [] }: Named): string {
  const unknown = leftOut.filter(({ reason }) => reason === undefined)
  const meaningless = leftOut.length - unknown.length
  const named = unknown.slice(0, MOST).map(placed)
  const more = unknown.length > MOST ? [`${unknown.length - MOST} more`] : []
  const parts = [
    ...(unknown.length > 0 ? [`pawl does not know ${[...named, ...more].join(", ")}`] : []),
    ...(meaningless > 0 ? [`${meaningless} ${meaningless === 1 ? "key means" : "keys mean"} nothing here`] : []),
  ]
  return `${source}: ${parts.join("; ")}. What is left out, and why: pawl config files`
}

/** A key with its place, as in `modle (3:5)`. */
export function placed({ key, line, column }: LeftOut): string {
  return line === undefined ? key : `${key} (${line}:${column})`
}

function printOf({ leftOut = [] }: Named): string {
  return createHash("sha256")
    .update(JSON.stringify(leftOut.map(({ key }) => key)))
    .digest("hex")
    .slice(0, 16)
}

async function readTold(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
