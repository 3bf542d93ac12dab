/** What a program does with a file outside, `F` in its place; alone where quotes stand in the way of others. */
export interface Use {
  readonly line: string
  readonly path: string
  readonly program: string
}

const uses = (path: string, lines: readonly string[]): Use[] =>
  lines.map((line) => ({ line, path, program: /^[<>]/.test(line) ? "cat" : (/^[\w.+-]+/.exec(line)?.[0] ?? "") }))

const READS = uses("../out/secret.txt", [
  ...[
    "perl -pe 1 F",
    "cat F",
    "head -n 3 F",
    "tail -c 99 F",
    "tac F",
    "nl F",
    "sort F",
    "uniq F",
    "cut -c1-99 F",
    "paste F",
    "fold F",
  ],
  ...["grep -h . F", "grep -hf a.txt -e . F", "sed -n p F", "awk 1 F", "jq -R . F", "diff a.txt F", "comm a.txt F"],
  ...[
    "cp F copy",
    "cp -t sub F",
    "install F copy",
    "ln F copy",
    "mv F copy",
    "dd if=F",
    "dd if=F of=copy",
    "tar cf copy F",
  ],
  ...[
    "tar -cf copy -T F",
    "cat < F",
    "cat 0< F",
    "od -An -c -w99 F | tr -d ' '",
    "expand F",
    "pr F",
    "strings F",
    "join F F",
  ],
  ...[
    "split F piece",
    "csplit -s F 1",
    "git diff --no-index a.txt F",
    "git hash-object -w F >/dev/null; cp F x",
    "xargs -a F",
    "date -f F",
  ],
  ...[
    "sort -m F",
    "cat a.txt F",
    "cat -- F",
    "less F",
    "more F",
    "scp F copy",
    "tee copy < F",
    "wc --files0-from=F",
    "zip -0 copy.zip F",
  ],
  ...[
    "ar r copy.a F",
    "diff --from-file=F a.txt",
    "cmp -l a.txt F; cat F",
    "git config --file=F -l",
    "git apply F",
    "iconv F",
  ],
])

const WRITES = uses("../out/secret.txt", [
  ...[
    "touch F",
    "rm -f F",
    "mv F sub/x",
    "cp a.txt F",
    "tee F < a.txt",
    "sed -i s/e/x/ F",
    "dd if=a.txt of=F",
    "truncate -s 0 F",
  ],
  ...[
    "chmod 600 F",
    "sort -o F a.txt",
    "shred -n1 F",
    "unlink F",
    "gzip F",
    "install a.txt F",
    "uniq a.txt F",
    "ln -sf a.txt F",
  ],
  ...[
    "perl -pi -e s/e/x/ F",
    "perl -i.bak -pe s/e/x/ F",
    "git config -f F a.b c",
    "rm -r F",
    "cp --remove-destination a.txt F",
    "sort --output=F a.txt",
  ],
  ...[
    "curl -so F file:///etc/hostname",
    "patch -so F a.txt /dev/null",
    "mv a.txt F",
    "xxd a.txt F",
    "split -b1 a.txt F",
    "git diff --output=F",
  ],
])

const MAKES = uses("../out/made.txt", [
  ...[
    "touch F",
    "mkdir F",
    "mkdir -p F/x",
    "cp a.txt F",
    "mv a.txt F",
    "ln -s a.txt F",
    "ln a.txt F",
    "tee F < a.txt",
    "dd if=a.txt of=F",
  ],
  ...[
    "git clone -q . F",
    "git worktree add -q F",
    "git bundle create -q F HEAD",
    "git archive -o F HEAD",
    "git archive --output=F HEAD",
  ],
  ...[
    "git init -q F",
    "tar cf F a.txt",
    "tar -cf F a.txt",
    "tar --file=F -c a.txt",
    "zip -q F a.txt",
    "ar rc F a.txt",
    "scp -q a.txt F",
  ],
  ...[
    "git diff --output=F",
    "curl -so F file:///etc/hostname",
    "curl -s --output F file:///etc/hostname",
    "split a.txt F",
    "csplit -sf F a.txt 1",
  ],
  ...[
    "install -D a.txt F",
    "mkfifo F",
    "install -d F",
    "cp -r sub F",
    "sqlite3 F 'create table a(b)'",
    "mktemp F.XXXX",
    "truncate -s 1 F",
  ],
  ...[
    "git format-patch -q -o F -1 --root",
    "git format-patch -q --output-directory=F -1 --root",
    "openssl rand -out F 9",
    "script -qc true F",
  ],
  ...[
    "git -C F init -q",
    "mknod F p",
    "xxd a.txt F",
    "gzip -c a.txt | tee F",
    "git mv a.txt F",
    "jq -n 1 | tee -a F",
    "bash -c 'touch \"$0\"' F",
  ],
  ...["gcc -x c -E a.txt -o F", "git clone -q --separate-git-dir=F . sub/x", "git clone -q --bare . F"],
])

const PLACES = uses("../out", [
  ...[
    "ls F",
    "find F -name '*.txt' -exec cat {} +",
    "grep -rh . F",
    "cp a.txt F",
    "cp -r F copy",
    "mv F copy",
    "tar cf copy -C F .",
    "rm -rf F",
  ],
  ...[
    "cp -t F a.txt",
    "mv --target-directory=F a.txt",
    "ln -st F a.txt",
    "git format-patch -qo F -1 --root",
    "tar cf x.tar a.txt; tar xf x.tar -C F",
  ],
  ...[
    "zip -q x.zip a.txt; unzip -qd F x.zip",
    "mktemp -p F",
    "curl -sO --output-dir F file:///etc/hostname",
    "diff -r sub F",
    "find F -delete",
  ],
  ...[
    "git -C F init -q",
    "touch F/made",
    "tar xf x.tar --directory=F",
    "git --work-tree=F checkout -q -- a.txt",
    "chmod -R 700 F",
    "rmdir F/dir",
    "env -C F touch made",
  ],
  ...[
    "make -C F -f /dev/null -s",
    "patch -d F -i x",
    "tar cf x.tar a.txt; tar xf x.tar --one-top-level=F",
    "du -a F; cat F/*",
    "cat F/*.txt",
    "cat F/s*",
  ],
])

/** Everything that a program of the table does, named literally once and in each other way. */
export const USES: readonly Use[] = [...READS, ...WRITES, ...MAKES, ...PLACES]
