import type { MaintainedStorage } from "@pawl/core/storage"

export type SubjectName = "sqlite" | "file" | "postgres"

type Open = (url: string) => Promise<MaintainedStorage>

const packages: Readonly<Record<string, () => Promise<{ openStorage: Open }>>> = {
  sqlite: () => import("@pawl/storage-sqlite"),
  file: () => import("@pawl/storage-file"),
  postgres: () => import("@pawl/storage-postgres"),
}

/** Opens a store by its URL. */
export async function openStore(url: string): Promise<MaintainedStorage> {
  const open = await loadStore(url)
  return open(url)
}

/** Loads the package for the URL, so that opening the store loads no more code. */
export async function loadStore(url: string): Promise<Open> {
  const scheme = url.slice(0, url.indexOf(":"))
  const load = packages[scheme]
  if (!load) throw new Error(`No storage is known for ${url}. Known: ${Object.keys(packages).join(", ")}.`)
  return (await load()).openStorage
}
