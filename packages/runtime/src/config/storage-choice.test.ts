import { describe, expect, it } from "vitest"
import type { Layer } from "@pawl/config/layer"
import { refusedStorage, storageChoice } from "./storage-choice.ts"

const users: Layer = {
  config: { storage: "sqlite:mine.db" },
  source: "/home/ann/.config/pawl/pawl.jsonc",
  isProject: false,
}
const projects: Layer = { config: { storage: "npm:evil#x" }, source: "/srv/app/pawl.jsonc", isProject: true }

function chosen(changes: {
  readonly layers?: readonly Layer[]
  readonly environment?: Record<string, string>
  readonly flag?: string
}) {
  const { layers = [], environment = {}, flag } = changes
  return storageChoice({
    host: { environment, home: "/home/ann", directory: "/srv/app" },
    flag: flag === undefined ? undefined : { name: "--storage", value: flag },
    layers,
    configDirectory: "/home/ann/.config/pawl",
    dataDirectory: "/data",
  })
}

describe("the storage", () => {
  it("is that of the option, of the variable, of the user's configuration, or the default, in this order", () => {
    const environment = { PAWL_STORAGE: "memory:" }
    const layers = [users]

    expect(chosen({ layers, environment, flag: "sqlite:x" })).toMatchObject({
      url: "sqlite:/srv/app/x",
      source: "--storage",
    })
    expect(chosen({ layers, environment })).toMatchObject({ url: "memory:", source: "PAWL_STORAGE" })
    expect(chosen({ layers })).toMatchObject({ url: "sqlite:/home/ann/.config/pawl/mine.db", source: users.source })
    expect(chosen({})).toMatchObject({ url: "sqlite:/data/pawl.db", source: "the default" })
    expect(chosen({ environment: { PAWL_STORAGE: "" } })).toMatchObject({ source: "the default" })
  })

  it("is never a project's to choose", () => {
    const layers = [users, projects]

    expect(chosen({ layers }).source).toBe(users.source)
    expect(refusedStorage(layers)).toContain('/srv/app/pawl.jsonc: "storage" does nothing here.')
    expect(refusedStorage([users])).toBeUndefined()
  })

  it.each([
    ["sqlite:x.db", "sqlite:/srv/app/x.db"],
    ["sqlite:~/x.db", "sqlite:/home/ann/x.db"],
    ["sqlite:///srv/x.db", "sqlite:/srv/x.db"],
    ["SQLite:/srv/x.db", "sqlite:/srv/x.db"],
    ["file:./tree", "file:/srv/app/tree"],
    ["file:///srv/a%20b", "file:///srv/a%20b"],
    ["postgres://db/pawl", "postgres://db/pawl"],
    ["npm:store#sqlite:x", "npm:store#sqlite:x"],
    ["sqlite:", "sqlite:"],
  ])("%s is %s", (flag, url) => {
    expect(chosen({ flag }).url).toBe(url)
  })

  it("takes a package from the working directory only where it was named there", () => {
    const layers: Layer[] = [{ ...users, config: { storage: "npm:store#x" } }]

    expect(chosen({ layers }).packageDirectories).toEqual(["/home/ann/.config/pawl"])
    expect(chosen({ flag: "npm:store#x" }).packageDirectories).toEqual(["/home/ann/.config/pawl", "/srv/app"])
  })
})
