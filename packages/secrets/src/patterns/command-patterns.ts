import { isPlaceholder } from "./no-secret.ts"
import type { SecretPattern } from "./secret-pattern.ts"

/** Value of an option, with or without quotes. */
const VALUE =
  "(?:\"(?<quoted>[^\"\\n]{2,})\"|'(?<single>[^'\\n]{2,})'|(?<secret>[^\\s\"'`\\\\$<(|;&-][^\\s\"'`\\\\]{1,}))"

/** An option of certain commands only, because it means something else for others. */
function option(commands: string, name: string): SecretPattern {
  return {
    kind: "secret.assignment",
    pattern: new RegExp(`\\b(?:${commands})\\b[^\\n|;&]{0,200}?\\s${name}${VALUE}`, "g"),
    unless: isPlaceholder,
  }
}

/** Secrets in arguments of commands. */
export const commandPatterns: readonly SecretPattern[] = [
  option("mysql\\w*|mariadb[\\w-]*|mycli", "-p ?"),
  option("sshpass", "-p ?"),
  option("(?:docker|podman|helm registry|oc|skopeo|buildah|npm|az) login", "-p[ =]"),
  option("mongo(?:sh|dump|restore|export|import)?", "-p ?"),
  option("redis-cli", "(?:-a|--pass) "),
  option("curl|wget|http", "(?:-b|--cookie)[ =]"),
  option("curl|http", "(?:-u ?|--user[ =])[\"']?[\\w.@+-]{1,100}:"),
  option("zip|unzip", "-P ?"),
  option("7z[ar]?", "-p"),
  option("ldap\\w+", "-w "),
  option("keytool|jarsigner", "-(?:store|key|new|srcstore|deststore)pass(?:wd)? "),
  option("openssl", "-pass(?:in|out)? pass:"),
  option("useradd|usermod", "-p "),
  option("htpasswd", "-\\w{0,4}b\\w{0,4} \\S{1,100} \\S{1,100} "),
  option("vault", "login "),
  option("gh auth login", "--with-token <<< ?"),
  option("net use", "/user:\\S{1,100} "),
  {
    kind: "secret.assignment",
    pattern: /(?<![\w-])(?:-u|--user)[ =]["']?[\w.@+-]{1,100}:(?!\d+\b)(?<secret>[^\s"'\\]{4,})/g,
  },
  {
    kind: "secret.assignment",
    pattern: /\becho (?:-n )?["']?(?<secret>[^\s"'|$]{2,100})(?=["']? ?\| ?sudo (?:-\w+ ){0,3}-S\b)/g,
  },
  {
    kind: "secret.assignment",
    pattern: /\becho (?:-n )?["']?[\w.-]{1,60}:(?<secret>[^\s"'|$]{2,100})(?=["']? ?\| ?(?:sudo )?chpasswd\b)/g,
  },
  { kind: "secret.assignment", pattern: /\blogin\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(?<secret>\S{3,})/g },
]
