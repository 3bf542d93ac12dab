const NAMES =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TERM|TMPDIR|TMP|TEMP|SHELL|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|HTTPS?_PROXY|NO_PROXY|ALL_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|NPM_TOKEN|NODE_AUTH_TOKEN)$/i

/** Where npm finds registries, how it gets there, and who it is there; nothing that changes what is installed or where. */
const SETTINGS =
  /^npm_config_(?:registry|replace_registry_host|proxy|https?_proxy|no_?proxy|ca|cafile|cert|key|strict_ssl|userconfig|globalconfig|cache|fetch_\w+|maxsockets|offline|prefer_(?:on|off)line|before|min_release_age|@.+:registry|\/\/.+)$/i

/** What a child process of npm's gets of an environment. */
export function npmEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => NAMES.test(name) || SETTINGS.test(name.replaceAll("-", "_")))
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
