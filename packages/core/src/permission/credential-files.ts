/**
 * Ends of paths where programs keep passwords and tokens. The files hold secrets like `.env`, and decide where packages
 * come from and which programs fetch a password. Reading one asks the user, and writing one needs `protected_file`.
 */
export const credentialFiles: readonly string[] = [
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pypirc",
  ".netrc",
  "_netrc",
  ".git-credentials",
  ".config/git/credentials",
  ".config/gh/hosts.yml",
  ".docker/config.json",
  ".dockercfg",
  ".aws/credentials",
  ".aws/config",
  ".kube/config",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".m2/settings.xml",
  ".composer/auth.json",
  ".terraform.d/credentials.tfrc.json",
  ".pgpass",
  ".my.cnf",
  ".mylogin.cnf",
  ".vault-token",
]

/** Matches the end of a path that usually holds secrets, in any case. */
const SECRET_END = new RegExp(`(?:^|/)(?:${credentialFiles.map(escaped).join("|")})$|\\.env(?=\\.|$)`, "gi")

/**
 * Returns the path with names such as `.ENV` or `.NPMRC` in lower case, because such files usually hold the same
 * secrets.
 */
export function withPlainSecretNames(path: string): string {
  return path.replaceAll(SECRET_END, (end) => end.toLowerCase())
}

function escaped(name: string): string {
  return name.replaceAll(".", "\\.")
}
