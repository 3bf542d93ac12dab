/**
 * Paths that a model may give to a tool that writes, with the permissions they need or the error they cause. In all
 * texts `{w}` is the worktree, `{o}` a directory outside of it, `{r}` the relative path from `{w}` to `{o}`, and `{to
 * /x}` the relative path from `{w}` to `/x`.
 *
 * Before each case the worktree contains `a.txt`, `src/b.ts` and a repository in `.git`. Outside are `o.txt`,
 * `home/.bashrc`, `repo/.git/config` and a bare repository in `bare`.
 */
export interface PathCase {
  readonly about: string
  readonly path: string
  /** Expected permissions as `permission pattern|pattern`, in order. */
  readonly needs?: readonly string[]
  /** Part of the expected error, of the check or of the use. */
  readonly error?: string
  /** Removed before the other files are created; relative to the worktree or absolute. */
  readonly removed?: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  /** File names with their content. */
  readonly links?: Readonly<Record<string, string>>
  readonly hardLinks?: Readonly<Record<string, string>>
  readonly pipes?: readonly string[]
  readonly sockets?: readonly string[]
  /** Applied between the check and the use: first removes files, then creates links. */
  readonly swap?: { readonly removed?: readonly string[]; readonly links?: Readonly<Record<string, string>> }
  readonly place?: { readonly worktree?: string; readonly directory?: string }
  /** Set if the case cannot be decided from the path alone, without reading the disk. */
  readonly onDisk?: true
}

const edit = (about: string, path: string, name = path): PathCase => ({ about, path, needs: [`edit ${name}`] })

const guarded = (about: string, path: string, name = path): PathCase => {
  return { about, path, needs: [`edit ${name}`, `protected_file ${name}`] }
}

const plain: readonly PathCase[] = [
  edit("a file", "a.txt"),
  edit("a missing file", "new.txt"),
  edit("a file in directories that are missing", "x/y/z.txt"),
  edit("an absolute path", "{w}/a.txt", "a.txt"),
  edit("a way back within", "src/../a.txt", "a.txt"),
  edit("a way back over what is missing", "no/such/../../a.txt", "a.txt"),
  edit("a leading dot", "./a.txt", "a.txt"),
  edit("two slashes", "src//b.ts", "src/b.ts"),
  edit("a slash at the end", "a.txt/", "a.txt"),
  edit("a space at the end", "a.txt "),
  edit("a dot at the end", "a.txt."),
  edit("a name that begins like the way up", "..a"),
  edit("three dots", ".../a.txt"),
  edit("a tilde alone", "~"),
  edit("a tilde for a directory", "~/a.txt"),
  edit("a variable of a shell", "$HOME/a.txt"),
  edit("a substitution of a shell", "$(touch HIT)"),
  edit("an option", "-rf"),
  edit("a glob", "*.txt"),
  edit("an address of a file", "file:///etc/passwd", "file:/etc/passwd"),
  edit("a drive of another system", "C:\\Windows\\a.txt"),
  edit("a name with a line end", "new\nline.txt"),
  edit("a name with an escape sequence", "\u001b[2J.txt"),
  edit("a composed accent", "caf\u00e9.txt"),
  edit("a decomposed accent", "cafe\u0301.txt"),
  edit("a name written from right to left", "\u202etxt.exe"),
  edit("a name of 255 bytes", "x".repeat(255)),
]

const unprotected: readonly PathCase[] = [
  edit("what git ignores", ".gitignore"),
  edit("what git attributes", ".gitattributes"),
  edit("workflows", ".github/workflows/ci.yml"),
  edit("git without a dot", "git/config"),
  edit("a name that ends like the repository", "x.git/config"),
  edit("a name that begins like the repository", ".gitx/config"),
  edit("recommended extensions", ".vscode/extensions.json"),
  edit("settings outside of the editor's directory", "src/settings.json"),
  edit("a longer name of the configuration", "pawl.json5"),
  edit("a profile that does not belong to a shell", "src/profile"),
  edit("a directory of other configurations", ".config/other/a.toml"),
  edit("the environment's file", ".env"),
  edit("a file that ends like a registry's settings", "my.npmrc"),
  edit("a file that is called like a user's of another directory", "aws/credentials"),
  edit("a cluster's configuration elsewhere", "deploy/kube/config"),
  edit("a build's properties", "gradle.properties"),
  edit("a certificate", "tls/server.pem"),
]

const byName: readonly PathCase[] = [
  guarded("the repository's configuration", ".git/config"),
  guarded("a hook", ".git/hooks/pre-commit"),
  guarded("a hook that is missing", ".git/hooks/post-merge"),
  guarded("the repository itself", ".git"),
  guarded("the file that points to a repository", "sub/.git"),
  guarded("below a file that points to a repository", "sub/.git/hooks/post-merge"),
  guarded("a repository further down", "vendor/lib/.git/config"),
  guarded("a submodule's repository", ".git/modules/sub/config"),
  guarded("a way back to the repository", "src/../.git/config", ".git/config"),
  guarded("a way back within the repository", ".git/../.git//config", ".git/config"),
  guarded("a slash at the end of the configuration", ".git/config/", ".git/config"),
  guarded("the repository by its absolute path", "{w}/.git/config", ".git/config"),
  guarded("the repository in capitals", ".GIT/config"),
  guarded("the repository in mixed case", "src/.Git/hooks/pre-push"),
  guarded("the repository with a dot at the end", ".git./config"),
  guarded("the repository with a space at the end", ".git /config"),
  guarded("the repository with a stream", ".git::$INDEX_ALLOCATION/config"),
  guarded("the repository's short name", "GIT~1/config"),
  guarded("the repository with a character that is not seen", ".g\u200cit/config"),
  guarded("the repository with another dot", "\uff0egit/config"),
  guarded("the repository with backslashes", "sub\\.git\\config"),
  guarded("hooks with the sign of a unit for a letter", ".hus\u212ay/pre-commit"),
  guarded("hooks of a package", ".husky/pre-commit"),
  guarded("hooks in the tree", ".githooks/pre-push"),
  guarded("an agent", ".pawl/agents/x.md"),
  guarded("the directory of settings", ".pawl"),
  guarded("the settings", "pawl.json"),
  guarded("the settings with comments, in capitals", "PAWL.JSONC"),
  guarded("the settings further down", "packages/x/pawl.json"),
  guarded("another program's settings", "opencode.json"),
  guarded("another program's settings with comments", "opencode.jsonc"),
  guarded("another program's plugin", ".opencode/plugin/x.ts"),
  guarded("a third program's settings", ".claude/settings.local.json"),
  guarded("a skill", ".agents/skills/x/SKILL.md"),
  guarded("servers of tools", ".mcp.json"),
  guarded("tasks of an editor", ".vscode/tasks.json"),
  guarded("settings of an editor", ".vscode/settings.json"),
  guarded("launches of an editor, further down, in mixed case", "apps/web/.VSCode/Launch.json"),
  guarded("an environment that loads itself", ".envrc"),
  guarded("an environment that loads itself, further down", "src/.envrc"),
  guarded("a start-up file", ".bashrc"),
  guarded("another start-up file", ".zshenv"),
  guarded("a start-up file under a tilde", "~/.profile"),
  guarded("a start-up file in a directory", ".config/fish/config.fish"),
  guarded("a user's git", ".gitconfig"),
  guarded("keys that may log in", ".ssh/authorized_keys"),
  guarded("a registry's settings", ".npmrc"),
  guarded("a registry's settings further down, in capitals", "packages/a/.NPMRC"),
  guarded("a package manager's program", ".yarnrc.yml"),
  guarded("logins of hosts", ".netrc"),
  guarded("logins of hosts on Windows", "_netrc"),
  guarded("a cloud's keys", ".aws/credentials"),
  guarded("a registry's helpers", "home/.docker/config.json"),
  guarded("a forge's token", ".config/gh/hosts.yml"),
  guarded("a cluster's users", ".kube/config"),
  guarded("a build's secrets", "home/.gradle/gradle.properties"),
  guarded("a registry's settings in mixed case", ".nuget/NuGet.Config"),
  guarded("a cloud's store", ".s3cfg"),
  guarded("a cloud's remotes", ".config/rclone/rclone.conf"),
  guarded("a cloud's directory", ".azure/accessTokens.json"),
  guarded("a cloud's directory further down", "home/.config/gcloud/legacy/adc.json"),
  guarded("a key ring", ".gnupg/gpg-agent.conf"),
  guarded("passwords", ".password-store/a/b.gpg"),
]

const outside: readonly PathCase[] = [
  { about: "a file outside", path: "{o}/o.txt", needs: ["external_directory {o}/*", "edit {r}/o.txt"] },
  { about: "a way up", path: "{r}/o.txt", needs: ["external_directory {o}/*", "edit {r}/o.txt"] },
  { about: "a way up from the worktree", path: "{w}/{r}/o.txt", needs: ["external_directory {o}/*", "edit {r}/o.txt"] },
  { about: "a missing file outside", path: "{o}/x/y.txt", needs: ["external_directory {o}/x/*", "edit {r}/x/y.txt"] },
  { about: "a directory outside", path: "{o}", needs: ["external_directory {o}/*", "edit {r}"] },
  {
    about: "a sibling whose name begins alike",
    path: "{w}x/a.txt",
    needs: ["external_directory {w}x/*", "edit {to {w}x/a.txt}"],
  },
  {
    about: "a start-up file outside",
    path: "{o}/home/.bashrc",
    needs: ["external_directory {o}/home/*", "edit {r}/home/.bashrc", "protected_file {r}/home/.bashrc"],
  },
  {
    about: "the system's start-up file",
    path: "/etc/profile",
    needs: ["external_directory /etc/*", "edit {to /etc/profile}", "protected_file {to /etc/profile}"],
  },
  {
    about: "another repository",
    path: "{o}/repo/.git/config",
    needs: ["external_directory {o}/repo/.git/*", "edit {r}/repo/.git/config", "protected_file {r}/repo/.git/config"],
  },
  {
    about: "a hook of a bare repository",
    path: "{o}/bare/hooks/pre-push",
    needs: [
      "external_directory {o}/bare/hooks/*",
      "edit {r}/bare/hooks/pre-push",
      "protected_file {r}/bare/hooks/pre-push",
    ],
    onDisk: true,
  },
]

const links: readonly PathCase[] = [
  {
    about: "a link to a file within",
    path: "link",
    links: { link: "a.txt" },
    needs: ["edit link|a.txt"],
    onDisk: true,
  },
  {
    about: "an absolute link within",
    path: "link",
    links: { link: "{w}/a.txt" },
    needs: ["edit link|a.txt"],
    onDisk: true,
  },
  {
    about: "a link to the repository's configuration",
    path: "link",
    links: { link: ".git/config" },
    needs: ["edit link|.git/config", "protected_file .git/config"],
    onDisk: true,
  },
  {
    about: "a link to the repository",
    path: "link/config",
    links: { link: ".git" },
    needs: ["edit link/config|.git/config", "protected_file .git/config"],
    onDisk: true,
  },
  {
    about: "a missing hook through a link",
    path: "link/post-merge",
    links: { link: ".git/hooks" },
    needs: ["edit link/post-merge|.git/hooks/post-merge", "protected_file .git/hooks/post-merge"],
    onDisk: true,
  },
  {
    about: "a link to a link to the repository",
    path: "one",
    links: { one: "two", two: ".git/config" },
    needs: ["edit one|.git/config", "protected_file .git/config"],
    onDisk: true,
  },
  {
    about: "a link that dangles into the hooks",
    path: "link",
    links: { link: ".git/hooks/post-merge" },
    needs: ["edit link|.git/hooks/post-merge", "protected_file .git/hooks/post-merge"],
    onDisk: true,
  },
  {
    about: "a link to settings that are missing",
    path: "notes.txt",
    links: { "notes.txt": "pawl.json" },
    needs: ["edit notes.txt|pawl.json", "protected_file pawl.json"],
    onDisk: true,
  },
  {
    about: "a link up to the worktree",
    path: "src/up/.git/config",
    links: { "src/up": ".." },
    needs: ["edit src/up/.git/config|.git/config", "protected_file src/up/.git/config|.git/config"],
    onDisk: true,
  },
  {
    about: "a protected name for a harmless file",
    path: ".bashrc",
    links: { ".bashrc": "a.txt" },
    needs: ["edit .bashrc|a.txt", "protected_file .bashrc"],
    onDisk: true,
  },
  {
    about: "a link to a directory outside",
    path: "link/o.txt",
    links: { link: "{o}" },
    needs: ["external_directory {o}/*", "edit link/o.txt|{r}/o.txt"],
    onDisk: true,
  },
  {
    about: "a missing file below a link to outside",
    path: "link/x/y.txt",
    links: { link: "{o}" },
    needs: ["external_directory {o}/x/*", "edit link/x/y.txt|{r}/x/y.txt"],
    onDisk: true,
  },
  {
    about: "a link to outside that dangles",
    path: "link",
    links: { link: "{o}/new.txt" },
    needs: ["external_directory {o}/*", "edit link|{r}/new.txt"],
    onDisk: true,
  },
  {
    about: "a relative link to outside that dangles",
    path: "src/link",
    links: { "src/link": "../{r}/new.txt" },
    needs: ["external_directory {o}/*", "edit src/link|{r}/new.txt"],
    onDisk: true,
  },
  {
    about: "a link that dangles over a way back behind another link",
    path: "link",
    links: { link: "away/../new.txt", away: "{o}/home" },
    needs: ["external_directory {o}/*", "edit link|{r}/new.txt"],
    onDisk: true,
  },
  {
    about: "a way back behind a link, in the path itself",
    path: "away/../a.txt",
    links: { away: "{o}/home" },
    needs: ["edit a.txt"],
  },
  {
    about: "a link to a start-up file outside",
    path: "link",
    links: { link: "{o}/home/.bashrc" },
    needs: ["external_directory {o}/home/*", "edit link|{r}/home/.bashrc", "protected_file {r}/home/.bashrc"],
    onDisk: true,
  },
  {
    about: "a link out and back in",
    path: "out/back/a.txt",
    links: { out: "{o}", "{o}/back": "{w}" },
    needs: ["edit out/back/a.txt|a.txt"],
    onDisk: true,
  },
  {
    about: "a slash at the end of a link",
    path: "link/",
    links: { link: "{o}/home" },
    needs: ["external_directory {o}/home/*", "edit link|{r}/home"],
    onDisk: true,
  },
  { about: "a link to itself", path: "link", links: { link: "link" }, error: "too many symbolic links", onDisk: true },
  {
    about: "two links in a circle",
    path: "a1/x.txt",
    links: { a1: "a2", a2: "a1" },
    error: "too many symbolic links",
    onDisk: true,
  },
  {
    about: "more links than are followed",
    path: "l0",
    links: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`l${index}`, `l${index + 1}`])),
    error: "too many symbolic links",
    onDisk: true,
  },
  {
    about: "links that dangle and lead to each other many times over",
    path: "l0",
    links: Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`l${index}`, `l${index + 1}/../l${index + 1}`]),
    ),
    error: "too many symbolic links",
    onDisk: true,
  },
  {
    // A second name of the same file, which no path check can detect.
    about: "a hard link to the repository's configuration",
    path: "hard.txt",
    hardLinks: { "hard.txt": ".git/config" },
    needs: ["edit hard.txt"],
  },
]

const kernelPlaces: readonly PathCase[] = [
  {
    about: "this process' directory",
    path: "/proc/self/cwd/new.txt",
    needs: ["external_directory {cwd}/*", "edit {to /proc/self/cwd/new.txt}|{to {cwd}/new.txt}"],
    onDisk: true,
  },
  {
    about: "this process' root, back into the worktree",
    path: "/proc/self/root{w}/.git/config",
    needs: [
      "edit {to /proc/self/root{w}/.git/config}|.git/config",
      "protected_file {to /proc/self/root{w}/.git/config}|.git/config",
    ],
    onDisk: true,
  },
  { about: "this process' environment", path: "/proc/self/environ", error: "belongs to the kernel" },
  { about: "this process' memory", path: "/proc/self/mem", error: "belongs to the kernel" },
  { about: "an open file of this process", path: "/proc/self/fd/0", error: "belongs to the kernel" },
  { about: "a setting of the kernel", path: "/proc/sys/kernel/core_pattern", error: "belongs to the kernel" },
  { about: "nothing", path: "/dev/null", error: "belongs to the kernel" },
  { about: "a disk", path: "/dev/sda", error: "belongs to the kernel" },
  { about: "standard output", path: "/dev/stdout", error: "belongs to the kernel" },
  { about: "a connection of a shell", path: "/dev/tcp/127.0.0.1/80", error: "belongs to the kernel" },
  {
    about: "a link to a device",
    path: "link",
    links: { link: "/dev/zero" },
    error: "belongs to the kernel",
    onDisk: true,
  },
  {
    about: "a link to this process' environment",
    path: "link",
    links: { link: "/proc/self/environ" },
    error: "belongs to the kernel",
    onDisk: true,
  },
  { about: "a pipe", path: "pipe", pipes: ["pipe"], error: "a device, a pipe or a socket", onDisk: true },
  {
    about: "a link to a pipe",
    path: "link",
    links: { link: "pipe" },
    pipes: ["pipe"],
    error: "a device, a pipe or a socket",
    onDisk: true,
  },
  { about: "a socket", path: "socket", sockets: ["socket"], error: "a device, a pipe or a socket", onDisk: true },
]

const unwritable: readonly PathCase[] = [
  { about: "a NUL at the end", path: "a.txt\0", error: "NUL character" },
  { about: "a NUL before an extension", path: ".git/config\0.txt", error: "NUL character" },
  { about: "half a character", path: "a\ud800.txt", error: "half a character" },
  { about: "a name of 256 bytes", path: "x".repeat(256), error: "longer than a path can be" },
  { about: "a path of 8 KiB", path: "x/".repeat(4096), error: "longer than a path can be" },
  {
    about: "a long name below a link",
    path: `link/${"x".repeat(300)}`,
    links: { link: "{o}" },
    error: "longer than a path can be",
  },
]

const places: readonly PathCase[] = [
  {
    about: "a worktree that is reached through a link",
    path: "a.txt",
    links: { "{o}/way": "{w}" },
    place: { worktree: "{o}/way", directory: "{o}/way" },
    needs: ["edit a.txt"],
  },
  {
    about: "the repository of a worktree that is reached through a link",
    path: ".git/config",
    links: { "{o}/way": "{w}" },
    place: { worktree: "{o}/way", directory: "{o}/way" },
    needs: ["edit .git/config", "protected_file .git/config"],
  },
  {
    about: "the real path in a worktree that is reached through a link",
    path: "{w}/.pawl/x.md",
    links: { "{o}/way": "{w}" },
    place: { worktree: "{o}/way", directory: "{o}/way" },
    needs: [
      "edit {from {o}/way to {w}/.pawl/x.md}|.pawl/x.md",
      "protected_file {from {o}/way to {w}/.pawl/x.md}|.pawl/x.md",
    ],
    onDisk: true,
  },
  {
    about: "a worktree that stands below a protected name",
    path: "src/new.ts",
    files: { ".claude/worktrees/x/README.md": "" },
    place: { worktree: "{w}/.claude/worktrees/x", directory: "{w}/.claude/worktrees/x" },
    needs: ["edit src/new.ts"],
  },
  {
    about: "a protected file above a worktree below a protected name",
    path: "../../settings.json",
    files: { ".claude/worktrees/x/README.md": "" },
    place: { worktree: "{w}/.claude/worktrees/x", directory: "{w}/.claude/worktrees/x" },
    needs: ["external_directory {w}/.claude/*", "edit ../../settings.json", "protected_file ../../settings.json"],
  },
  {
    about: "a directory outside of the worktree that the session works in",
    path: "o.txt",
    place: { directory: "{o}" },
    needs: ["edit {r}/o.txt"],
  },
  {
    about: "a start-up file in the directory that the session works in",
    path: "home/.bashrc",
    place: { directory: "{o}" },
    needs: ["edit {r}/home/.bashrc", "protected_file {r}/home/.bashrc"],
  },
  {
    about: "a directory further down",
    path: "../.git/config",
    place: { directory: "{w}/src" },
    needs: ["edit .git/config", "protected_file .git/config"],
  },
  {
    about: "hooks where the repository's configuration has them",
    path: "tools/hooks/pre-commit",
    files: { ".git/config": "[core]\n\thooksPath = tools/hooks ; ours\n" },
    needs: ["edit tools/hooks/pre-commit", "protected_file tools/hooks/pre-commit"],
    onDisk: true,
  },
  {
    about: "hooks where a quoted absolute path has them",
    path: "tools/my hooks/pre-commit",
    files: { ".git/config": '[core]\n\tHooksPath="{w}/tools/my hooks"\n' },
    needs: ["edit tools/my hooks/pre-commit", "protected_file tools/my hooks/pre-commit"],
    onDisk: true,
  },
  {
    about: "hooks in the worktree itself",
    path: "a.txt",
    files: { ".git/config": "[core]\n\thooksPath = .\n" },
    needs: ["edit a.txt"],
  },
  {
    about: "hooks of the repository that a linked worktree belongs to",
    path: "hooks/pre-commit",
    removed: [".git"],
    files: {
      ".git": "gitdir: {o}/repo/.git/worktrees/w\n",
      "{o}/repo/.git/worktrees/w/commondir": "../..\n",
      "{o}/repo/.git/config": "[core]\n\thooksPath = hooks\n",
    },
    needs: ["edit hooks/pre-commit", "protected_file hooks/pre-commit"],
    onDisk: true,
  },
  {
    about: "the file that makes a directory a linked worktree",
    path: ".git",
    removed: [".git"],
    files: { ".git": "gitdir: {o}/repo/.git/worktrees/w\n" },
    needs: ["edit .git", "protected_file .git"],
  },
  {
    about: "a repository under another name within",
    path: "store/hooks/pre-push",
    files: { "store/HEAD": "ref: x\n", "store/objects/x": "", "store/refs/x": "" },
    needs: ["edit store/hooks/pre-push", "protected_file store/hooks/pre-push"],
    onDisk: true,
  },
]

const LED_ELSEWHERE = "when it was allowed"

const races: readonly PathCase[] = [
  {
    about: "a link that is turned outside",
    path: "link",
    links: { link: "a.txt" },
    swap: { removed: ["link"], links: { link: "{o}/o.txt" } },
    error: LED_ELSEWHERE,
    onDisk: true,
  },
  {
    about: "a link that is turned to the repository",
    path: "link",
    links: { link: "a.txt" },
    swap: { removed: ["link"], links: { link: ".git/config" } },
    error: LED_ELSEWHERE,
    onDisk: true,
  },
  {
    about: "a file that becomes a link",
    path: "a.txt",
    swap: { removed: ["a.txt"], links: { "a.txt": "{o}/o.txt" } },
    error: LED_ELSEWHERE,
    onDisk: true,
  },
  {
    about: "a directory that becomes a link",
    path: "src/b.ts",
    swap: { removed: ["src"], links: { src: "{o}" } },
    error: LED_ELSEWHERE,
    onDisk: true,
  },
  {
    about: "a missing directory that becomes a link",
    path: "new/x.txt",
    swap: { links: { new: ".git/hooks" } },
    error: LED_ELSEWHERE,
    onDisk: true,
  },
  {
    about: "a missing file that becomes a link that dangles",
    path: "new.txt",
    swap: { links: { "new.txt": "{o}/new.txt" } },
    error: LED_ELSEWHERE,
    onDisk: true,
  },
  {
    about: "a link that becomes a circle",
    path: "link",
    links: { link: "a.txt" },
    swap: { removed: ["link"], links: { link: "link" } },
    error: "too many symbolic links",
    onDisk: true,
  },
  {
    about: "a link that becomes one to a device",
    path: "link",
    links: { link: "a.txt" },
    swap: { removed: ["link"], links: { link: "/dev/null" } },
    error: LED_ELSEWHERE,
    onDisk: true,
  },
  {
    about: "a link that is removed",
    path: "link",
    links: { link: "a.txt" },
    swap: { removed: ["link"] },
    error: LED_ELSEWHERE,
    onDisk: true,
  },
  {
    about: "a link that is turned to the same file by another way",
    path: "link",
    links: { link: "a.txt" },
    swap: { removed: ["link"], links: { link: "src/../a.txt" } },
    needs: ["edit link|a.txt"],
    onDisk: true,
  },
]

export const pathCases: readonly PathCase[] = [
  ...plain,
  ...unprotected,
  ...byName,
  ...outside,
  ...links,
  ...kernelPlaces,
  ...unwritable,
  ...places,
  ...races,
]
