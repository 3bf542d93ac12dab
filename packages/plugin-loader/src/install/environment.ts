const NAMES =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TERM|TMPDIR|TMP|TEMP|SHELL|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|HTTPS?_PROXY|NO_PROXY|ALL_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|NPM_TOKEN|NODE_AUTH_TOKEN)$/i

/** Settings for registries, network and authentication, but none that change what npm installs or where. */
const SETTINGS =
  /^npm_config_(?:registry|replace_registry_host|proxy|https?_proxy|no_?proxy|ca|cafile|cert|key|strict_ssl|userconfig|globalconfig|cache|fetch_\w+|maxsockets|offline|prefer_(?:on|off)line|before|min_release_age|@.+:registry|\/\/.+)$/i

/** Returns the environment variables for npm. */
export function npmEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => NAMES.test(name) || SETTINGS.test(name.replaceAll("-", "_")))
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
