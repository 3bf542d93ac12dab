import type { PermissionRule } from "../record/message.ts"

/**
 * Ends of paths where programs keep passwords and tokens, in lower case. The files hold secrets like `.env`, and decide
 * where packages come from and which programs fetch a password. Reading one asks the user, and writing one needs
 * `protected_file`.
 */
export const credentialFiles: readonly string[] = [
  ...[".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".pip/pip.conf", ".config/pip/pip.conf", ".condarc"],
  ...[".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".bundle/config"],
  ...[".m2/settings.xml", ".m2/settings-security.xml", ".gradle/gradle.properties", ".sbt/.credentials"],
  ...[".composer/auth.json", ".config/composer/auth.json"],
  ...[".nuget/nuget.config", ".nuget/nuget/nuget.config", ".config/nuget/nuget.config"],
  ...[".netrc", "_netrc", ".git-credentials", ".config/git/credentials", ".config/gh/hosts.yml", ".config/hub"],
  ...[".config/glab-cli/config.yml", ".docker/config.json", ".dockercfg", ".config/containers/auth.json"],
  ...[".aws/credentials", ".aws/config", ".kube/config", ".boto", ".s3cfg", ".passwd-s3fs", ".oci/config"],
  ...[".rclone.conf", ".config/rclone/rclone.conf", ".config/doctl/config.yaml", ".databrickscfg"],
  ...[".terraform.d/credentials.tfrc.json", ".terraformrc", ".vault-token", ".config/sops/age/keys.txt"],
  ...[".pgpass", ".my.cnf", ".mylogin.cnf", ".msmtprc", ".fetchmailrc", ".smbcredentials", ".htpasswd"],
  ...[".sentryclirc", ".huggingface/token", ".cache/huggingface/token", ".kaggle/kaggle.json"],
]

/** Ends of paths of directories whose files hold keys and tokens, in lower case. Their files count as credential files. */
export const credentialDirectories: readonly string[] = [
  ...[".ssh", ".gnupg", ".password-store", ".local/share/keyrings"],
  ...[".azure", ".config/gcloud", ".config/op", ".aws/sso", ".aws/cli"],
]

/** Ends of the names of private keys and key stores, in lower case. Reading one asks the user. */
const KEY_ENDS = [".pem", ".key", ".p8", ".p12", ".pfx", ".ppk", ".jks", ".keystore", ".kdbx"] as const

/** Beginnings of the names that `ssh-keygen` gives to private keys, which may have any end but `.pub`. */
const KEY_NAMES = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"] as const

/** Default rules for `read`. */
export const credentialRules: readonly PermissionRule[] = [
  ...credentialFiles.map((name) => rule(`*${name}`, "ask")),
  ...credentialDirectories.map((name) => rule(`*${name}/*`, "ask")),
  ...KEY_ENDS.map((end) => rule(`*${end}`, "ask")),
  ...KEY_NAMES.map((name) => rule(`*${name}*`, "ask")),
  ...KEY_NAMES.map((name) => rule(`*${name}*.pub`, "allow")),
]

function rule(pattern: string, action: PermissionRule["action"]): PermissionRule {
  return { permission: "read", pattern, action }
}

/**
 * Returns whether a file may be read only after a question by the default rules, because of its name. `path` has `/`
 * between its names, in any case.
 */
export function holdsSecrets(path: string): boolean {
  const plain = path.toLowerCase()
  if (ENVIRONMENT.test(plain)) return !plain.endsWith(".env.example")
  return isCredentialPath(plain) || KEY_ENDS.some((end) => plain.endsWith(end)) || KEY_NAME.test(plain)
}

const ENVIRONMENT = /\.env(?:\.[^/]*)?$/s
const KEY_NAME = new RegExp(`(?:${KEY_NAMES.join("|")})(?![^]*\\.pub$)`)

/**
 * Returns whether the path, in lower case and with `/` between its names, is that of a credential file or directory, or
 * leads below one.
 */
export function isCredentialPath(path: string): boolean {
  return CREDENTIAL_PATH.test(path)
}

const CREDENTIAL_PATH = new RegExp(
  `(?:^|/)(?:${[...credentialFiles, ...credentialDirectories].map(escaped).join("|")})(?:/|$)`,
)

/** Matches each part of a path that usually names secrets, in any case. */
const SECRET_PARTS = new RegExp(
  [
    `(?:^|/)(?:${credentialFiles.map(escaped).join("|")})$`,
    `(?:^|/)(?:${credentialDirectories.map(escaped).join("|")})(?=/)`,
    `(?:${KEY_ENDS.map(escaped).join("|")})$`,
    `(?:${KEY_NAMES.join("|")})`,
    `\\.env(?=\\.|$)`,
  ].join("|"),
  "gi",
)

/**
 * Returns the path with names such as `.ENV` or `.NPMRC` in lower case, because such files usually hold the same
 * secrets.
 */
export function withPlainSecretNames(path: string): string {
  return path.replaceAll(SECRET_PARTS, (part) => part.toLowerCase())
}

function escaped(name: string): string {
  return name.replaceAll(".", "\\.")
}
