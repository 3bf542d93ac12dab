const EXACT: ReadonlySet<string> = new Set(
  (
    "PATH IFS ENV SHELL HOME CDPATH EDITOR VISUAL PAGER MANPAGER LESSOPEN LESSCLOSE LESS BROWSER PS0 PS1 PS2 " +
    "PS3 PS4 PROMPT_COMMAND SHELLOPTS EXECIGNORE GLOBIGNORE FIGNORE INPUTRC HISTFILE MAIL MAILPATH TMOUT " +
    "TEXTDOMAINDIR NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED ELECTRON_RUN_AS_NODE " +
    "BUN_OPTIONS PERL5LIB PERLLIB PERL5OPT PERL5DB PERL5SHELL RUBYOPT RUBYLIB RUBYSHELL LUA_PATH LUA_CPATH " +
    "LUA_INIT JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH MAVEN_OPTS GRADLE_OPTS PHPRC " +
    "PHP_INI_SCAN_DIR MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKEFILES MAKESHELL CC CXX LD AR RUSTC GOFLAGS TAR_OPTIONS " +
    "RSYNC_RSH CVS_RSH SSH_ASKPASS SUDO_ASKPASS SUDO_EDITOR SUDO_PROMPT GREP_OPTIONS GREP_COLORS " +
    "RIPGREP_CONFIG_PATH AWKPATH AWKLIBPATH CURL_HOME WGETRC OPENSSL_CONF OPENSSL_ENGINES GCONV_PATH LOCPATH " +
    "NLSPATH HOSTALIASES RES_OPTIONS XDG_CONFIG_HOME TERMINFO TERMCAP FPATH ZDOTDIR NULLCMD READNULLCMD " +
    "KUBECONFIG KUBE_EDITOR DOCKER_HOST DOCKER_CONFIG GH_EDITOR GH_PAGER BAT_PAGER DELTA_PAGER SYSTEMD_PAGER " +
    "SYSTEMD_EDITOR PSQL_PAGER PSQL_EDITOR PSQLRC FCEDIT VIMINIT EXINIT MYVIMRC EMACSLOADPATH"
  ).split(" "),
)
const PREFIXES =
  /^(?:LD_|DYLD_|BASH|GIT_|PYTHON|RUSTC_|CARGO_|RUSTUP_|npm_config_|NPM_CONFIG_|YARN_|PNPM_|COREPACK_|PIP_|UV_|BUNDLE_|GEM_|COMP_|READLINE_|HG|SVN_|ANSIBLE_|(?:https?|ftp|all|HTTPS?|FTP|ALL)_(?:proxy|PROXY)$)/

const HARMLESS =
  /^(?:GIT_(?:AUTHOR|COMMITTER)_\w+|GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS|MERGE_AUTOEDIT)|PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|UTF8|WARNINGS|HASHSEED)|CARGO_TERM_\w+|PIP_(?:DISABLE|NO)_\w+|(?:npm_config|NPM_CONFIG)_(?:yes|loglevel|audit|fund))$/

const NUMBERS: ReadonlySet<string> = new Set(
  "RANDOM SRANDOM SECONDS HISTCMD OPTIND LINENO BASHPID BASH_SUBSHELL EPOCHSECONDS MAILCHECK FUNCNEST HISTSIZE UID EUID PPID".split(
    " ",
  ),
)

/** Returns true if the variable changes which commands run or what they do. */
export function isInfluential(name: string): boolean {
  return (EXACT.has(name) || PREFIXES.test(name)) && !HARMLESS.test(name)
}

/** Returns true for values that only disable prompts or pagers. */
export function isQuiet(name: string, value: string | undefined): boolean {
  return /(?:EDITOR|PAGER|VISUAL)$/.test(name) && /^(?:cat|true|:|less)?$/.test(value ?? "?")
}

/** Returns true if the shell evaluates assignments to the variable as arithmetic. */
export function isNumber(name: string): boolean {
  return NUMBERS.has(name)
}

/** Returns true if the shell runs what the value names, or expands it. */
export function isRun(name: string, value: string | undefined): boolean {
  if (/^(?:BASH_ENV|ENV|PROMPT_COMMAND|BASH_FUNC.*|BASH_ALIASES|BASH_CMDS)$/s.test(name)) return value !== ""
  return /^PS\d$/.test(name) && !/^[\w\s./:+-]*$/.test(value ?? "$")
}
