import { MARK } from "./marks.ts"

/**
 * Runs in any POSIX shell. Argument: options that make `ps` list all processes with their environments; empty if /proc has them.
 * Reads from stdin what to guard:
 *
 *   = tenths         grace between SIGTERM and SIGKILL in tenths of a second; 0: no SIGKILL
 *   + token          guards processes with the token in their environment
 *   + token group    also guards this process group
 *   - token          stops guarding
 *
 * Stdin ends when the owner ends in any way. Then the script ends everything that is guarded: SIGTERM first, SIGKILL
 * after the grace, repeated for up to three seconds while processes are left.
 */
export const guardianScript = `
trap '' HUP INT QUIT TERM
options=$1
newline='
'
grace=0
live=
while read -r sign token group; do
  [ -n "$token" ] || continue
  if [ "$sign" = = ]; then grace=$token; continue; fi
  kept=
  for each in $live; do [ "\${each%%=*}" = "$token" ] || kept="$kept $each"; done
  live=$kept
  [ "$sign" != + ] || live="$live $token=$group"
done
tokens=
for each in $live; do tokens="$tokens\${tokens:+$newline}\${each%%=*}"; done
# An empty pattern would match every process.
[ -n "$tokens" ] || exit 0
marked() {
  if [ -z "$options" ]; then
    for file in $(grep -lasF -e "$tokens" /proc/[0-9]*/environ 2>/dev/null); do
      id=\${file#/proc/}
      echo "\${id%/environ}"
    done
    return
  fi
  LC_ALL=C ps $options -o pid= -o command= 2>/dev/null | while read -r id command; do
    case $command in *" ${MARK}="*) ;; *) continue ;; esac
    # The environment follows the arguments.
    marks=\${command##* ${MARK}=}
    marks=:\${marks%% *}:
    for token in $tokens; do
      case $marks in *":$token:"*) echo "$id" ;; esac
    done
  done
}
targets() {
  for each in $live; do
    group=\${each#*=}
    [ -z "$group" ] || { kill -s 0 -- "-$group" 2>/dev/null && echo "-$group"; }
  done
  marked
}
end() { for target in $(targets); do kill -s "$1" -- "$target" 2>/dev/null; done; }
end TERM
[ "$grace" -gt 0 ] || exit 0
round=0
gone=0
# Seen twice: a process that is just starting another program shows no environment for a moment.
while [ $round -lt $((grace + 30)) ] && [ $gone -lt 2 ]; do
  if [ -n "$(targets)" ]; then gone=0; else gone=$((gone + 1)); fi
  sleep 0.1
  round=$((round + 1))
  [ $round -lt $grace ] || end KILL
done
`
