import { describe, expect, it } from "vitest"
import { ConfigError } from "./config-error.ts"
import { configPaths, type ConfigPaths } from "./config-paths.ts"

const linux = { home: "/home/ada", platform: "linux" as const }

describe("configPaths", () => {
  it("follows the XDG defaults below the home directory", () => {
    expect({ ...configPaths({ env: {}, ...linux }) }).toEqual({
      config: "/home/ada/.config/pawl",
      data: "/home/ada/.local/share/pawl",
      cache: "/home/ada/.cache/pawl",
      state: "/home/ada/.local/state/pawl",
    })
  })

  it("follows the XDG variables, without a home too", () => {
    const env = { XDG_CONFIG_HOME: "/x/c", XDG_DATA_HOME: "/x/d", XDG_CACHE_HOME: "/x/k", XDG_STATE_HOME: "/x/s" }
    expect({ ...configPaths({ env, home: undefined, platform: "linux" }) }).toEqual({
      config: "/x/c/pawl",
      data: "/x/d/pawl",
      cache: "/x/k/pawl",
      state: "/x/s/pawl",
    })
  })

  it("uses the same places on macOS and, with its own separators, on Windows", () => {
    expect(configPaths({ env: {}, home: "/Users/ada", platform: "darwin" }).data).toBe("/Users/ada/.local/share/pawl")
    expect(configPaths({ env: {}, home: "C:\\Users\\ada", platform: "win32" }).config).toBe(
      "C:\\Users\\ada\\.config\\pawl",
    )
  })

  it("lets its own variables name the directory itself", () => {
    const env = { PAWL_CONFIG_DIR: "/etc/pawl/", PAWL_DATA_DIR: "/srv/sessions", XDG_CONFIG_HOME: "/x/c" }
    const paths = configPaths({ env, ...linux })
    expect(paths.config).toBe("/etc/pawl/")
    expect(paths.data).toBe("/srv/sessions")
  })

  it.each(["", "relative/place"])("ignores XDG_CONFIG_HOME=%j", (value) => {
    expect(configPaths({ env: { XDG_CONFIG_HOME: value }, ...linux }).config).toBe("/home/ada/.config/pawl")
  })

  it("refuses a relative override", () => {
    const paths = configPaths({ env: { PAWL_DATA_DIR: "sessions" }, ...linux })
    expect(() => paths.data).toThrow(
      new ConfigError([{ message: 'PAWL_DATA_DIR must be an absolute path, got "sessions".' }]),
    )
  })

  it.each<{ place: keyof ConfigPaths; message: RegExp }>([
    { place: "config", message: /Set HOME, XDG_CONFIG_HOME or PAWL_CONFIG_DIR\.$/ },
    { place: "data", message: /Set HOME, XDG_DATA_HOME or PAWL_DATA_DIR\.$/ },
    { place: "cache", message: /Set HOME or XDG_CACHE_HOME\.$/ },
    { place: "state", message: /Set HOME or XDG_STATE_HOME\.$/ },
  ])("asks for a home when the $place path is read, not before", ({ place, message }) => {
    for (const home of [undefined, ""]) {
      const paths = configPaths({ env: {}, home, platform: "linux" })
      expect(() => paths[place]).toThrow(ConfigError)
      expect(() => paths[place]).toThrow(message)
    }
  })
})
