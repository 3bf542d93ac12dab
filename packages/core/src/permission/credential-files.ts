/**
 * Where programs keep passwords and tokens, by the end of a path. They hold what `.env` holds by custom, and decide where
 * packages come from and which programs fetch a password: reading one is asked, and writing one needs `protected_file`.
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

/** The end of a path that may be a secret's by custom, in any case. */
const SECRET_END = new RegExp(`(?:^|/)(?:${credentialFiles.map(escaped).join("|")})$|\\.env(?=\\.|$)`, "gi")

/** A path with names such as `.ENV` or `.NPMRC` in small letters: they hold secrets by custom as those do. */
export function withPlainSecretNames(path: string): string {
  return path.replaceAll(SECRET_END, (end) => end.toLowerCase())
}

function escaped(name: string): string {
  return name.replaceAll(".", "\\.")
}
