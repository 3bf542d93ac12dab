import type { Rule } from "../call.ts"
import { type Argument, behind } from "../words/argument.ts"
import { excerpt } from "../words/quote.ts"

/** Options whose value is a file, preceded by letters that take no value. */
interface FileOptions {
  readonly reads?: RegExp
  readonly writes?: RegExp
  /** Set if the file lists further files that are read or written. */
  readonly lists?: RegExp
}

const GREP: FileOptions = { reads: /^(?:-[^-ABCmedD]*?f|--(?:file|exclude-from)(?:=|$))/ }
const HASH: FileOptions = { lists: /^--files0-from(?:=|$)/ }
const REFERENCE: FileOptions = { reads: /^--reference(?:=|$)/ }
/** A word that names a file of further words. */
const RESPONSE: FileOptions = { lists: /^@(?=.)/ }
const COMPILER: FileOptions = {
  ...RESPONSE,
  reads: /^(?:-include|-imacros)$/,
  writes: /^(?:-o|-dumpdir$|-M[FD]$)/,
}
const LISTED: FileOptions = { lists: /^--(?:files0?|filelist)(?:=|$)/ }
const GAWK: FileOptions = { reads: /^(?:-[EilL]|--(?:exec|include|load)(?:=|$))/ }

const FILE_OPTIONS: Readonly<Record<string, FileOptions>> = {
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  zgrep: GREP,
  rg: { reads: /^(?:-[^-ABCMEegjmtTdr]*?f|--(?:file|ignore-file)(?:=|$))/ },
  awk: GAWK,
  gawk: GAWK,
  wc: HASH,
  sort: { ...HASH, reads: /^--random-source(?:=|$)/, writes: /^(?:-[^-kSto]*?T|--temporary-directory(?:=|$))/ },
  shuf: { reads: /^--random-source(?:=|$)/, writes: /^(?:-[^-in]*?o|--output(?:=|$))/ },
  du: { ...HASH, reads: /^(?:-[^-dBt]*?X|--exclude-from(?:=|$))/ },
  find: { lists: /^-files0-from$/ },
  file: { reads: /^(?:-[^-eFfP]*?m|--magic-file(?:=|$))/, lists: /^(?:-[^-eFmP]*?f|--files-from(?:=|$))/ },
  tree: { writes: /^-o/, lists: /^--from(?:tab)?file$/ },
  diff: { reads: /^(?:-X|--(?:from-file|to-file|exclude-from)(?:=|$))/ },
  date: { reads: /^(?:-[^-dIs]*?[fr]|--(?:file|reference)(?:=|$))/ },
  touch: { reads: /^(?:-[^-dt]*?r|--reference(?:=|$))/ },
  truncate: { reads: /^(?:-[^-s]*?r|--reference(?:=|$))/ },
  chmod: REFERENCE,
  chown: REFERENCE,
  chgrp: REFERENCE,
  patch: { reads: /^(?:-[NRbEfstuvcenl]*?i|--input(?:=|$))/ },
  make: { reads: /^(?:-[^-CIjloW]*?f|--(?:make)?file(?:=|$))/ },
  gmake: { reads: /^(?:-[^-CIjloW]*?f|--(?:make)?file(?:=|$))/ },
  rsync: {
    reads: /^--(?:exclude-from|include-from|password-file|read-batch)(?:=|$)/,
    writes: /^(?:-[^-efMBT]*?T|--(?:log-file|temp-dir|backup-dir|partial-dir|write-batch|only-write-batch)(?:=|$))/,
    lists: /^--files-from(?:=|$)/,
  },
  zip: { writes: /^(?:-O|--output-file(?:=|$)|-b|--temp-path(?:=|$))/, lists: /^(?:-@|-[ixr]*[ix]@|@)/ },
  tar: {
    reads: /^(?:-[^-CKHLNTVbfg]*?X|--exclude-from(?:=|$))/,
    writes: /^(?:-[^-CKHLNTVXbf]*?g|--(?:listed-incremental|index-file|one-top-level)(?:=|$))/,
    lists: /^(?:-[^-CKHLNVXbfg]*?T|--files-from(?:=|$))/,
  },
  ...Object.fromEntries("gcc g++ cc c++ clang clang++ tcc ld as".split(" ").map((name) => [name, COMPILER])),
  ...Object.fromEntries(
    "ar gcc-ar ranlib nm objdump objcopy readelf size strings strip addr2line c++filt elfedit gprof dlltool windres java"
      .split(" ")
      .map((name) => [name, RESPONSE]),
  ),
  ...Object.fromEntries(
    "xz unxz xzcat lzma unlzma lzcat zstd unzstd zstdcat pzstd zstdmt".split(" ").map((name) => [name, LISTED]),
  ),
  rustc: { ...RESPONSE, writes: /^(?:-o|--out-dir(?:=|$))/ },
  javac: { ...RESPONSE, writes: /^-[dsh]$/ },
  openssl: { reads: /^-(?:in|inkey|CAfile|CApath|cert|key|signature|verify|prverify|sign)$/ },
  scp: { reads: /^-[346ABCpqRrTv]*?[iF]/ },
  ssh: { reads: /^-[^-oFSIpLRDWJbceEmOQw]*?i/ },
  curl: {
    reads: /^(?:-[^-AbCcDdeFHhKmoPQrtuUwxXyYz]*?[TE]|--(?:upload-file|cert|key|cacert|netrc-file|proxy-cacert)(?:=|$))/,
  },
  wget: {
    reads:
      /^(?:-[^-aAeBDIlOoPQRtTUwX]*?i|--(?:input-file|post-file|body-file|ca-certificate|certificate|private-key)(?:=|$))/,
  },
}

/** Programs whose options name files. */
export const WITH_FILE_OPTIONS: ReadonlySet<string> = new Set(Object.keys(FILE_OPTIONS))

/** Records the files that options name. */
export const fileOptions: Rule = (call) => {
  const { reads, writes, lists } = FILE_OPTIONS[call.name] ?? {}
  for (const [index, word] of call.args.entries()) {
    if (word.value === "--") return
    for (const [pattern, note] of [
      [reads, call.reads],
      [writes, call.writes],
      [lists, call.reads],
    ] as const) {
      const file = pattern && valueOf(word, pattern, call.args[index + 1])
      if (file && file.value !== "-") note(file)
    }
    if (lists?.test(word.prefix)) call.unclear(`${call.name} takes names of files from a list: ${excerpt(word.text)}.`)
  }
}

function valueOf(word: Argument, pattern: RegExp, next: Argument | undefined): Argument | undefined {
  const found = pattern.exec(word.prefix)?.[0]
  if (found === undefined) return undefined
  return word.value === undefined || found.length < word.value.length ? behind(word, found.length) : next
}
