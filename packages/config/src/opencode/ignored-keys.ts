const NO_INTERFACE = "pawl has no such terminal interface"
const NOT_SHARED = "pawl does not share sessions"
const ITS_VERSION = "pawl does not update itself"

/** Keys of OpenCode that have no meaning in pawl, with the reason. */
const IGNORED: Readonly<Record<string, string>> = {
  theme: NO_INTERFACE,
  keybinds: NO_INTERFACE,
  tui: NO_INTERFACE,
  layout: NO_INTERFACE,
  share: NOT_SHARED,
  autoshare: NOT_SHARED,
  autoupdate: ITS_VERSION,
  lsp: "pawl starts no language servers: `check` runs programs that look at edited files",
  snapshots: "write `snapshot`",
  server: "the server's address is given where it is started",
  username: "pawl shows no name of yours",
  logLevel: "how much is told is said on the command line",
  watcher: "pawl watches its own sources only",
  enterprise: "an organization is signed in to: pawl auth login <url>",
  attachment: "images are fitted to the model",
  media: "images are fitted to the model",
  reference: "pawl reads other directories by their path: see the permission `external_directory`",
  references: "pawl reads other directories by their path: see the permission `external_directory`",
  experimental: "pawl has none of its experiments",
}

/**
 * Returns the reason why a top-level key of an OpenCode configuration is ignored; undefined if pawl does not know the
 * key.
 */
export function ignoredBecause(key: string): string | undefined {
  return Object.hasOwn(IGNORED, key) ? IGNORED[key] : undefined
}
