/**
 * What the guardian runs, in any POSIX shell: it hears of process groups on its standard input (`+ id`, `- id`), and when
 * that ends, because its owner did, however that came, it ends those groups and whatever carries the owner's mark in
 * its environment. SIGTERM first, SIGKILL after a second, and again as long as anything is left, for two more.
 */
export const guardianScript = `
trap '' HUP INT QUIT TERM
mark=$1
groups=
while read -r sign id; do
  case $sign in
    +) groups="$groups $id" ;;
    -) kept=
       for group in $groups; do [ "$group" = "$id" ] || kept="$kept $group"; done
       groups=$kept ;;
  esac
done
targets() {
  for group in $groups; do kill -s 0 -- "-$group" 2>/dev/null && echo "-$group"; done
  for file in $(grep -lasF -- "$mark" /proc/[0-9]*/environ 2>/dev/null); do
    id=\${file#/proc/}
    echo "\${id%/environ}"
  done
}
end() { for target in $(targets); do kill -s "$1" -- "$target" 2>/dev/null; done; }
end TERM
round=0
while [ $round -lt 30 ] && [ -n "$(targets)" ]; do
  sleep 0.1
  round=$((round + 1))
  [ $round -lt 10 ] || end KILL
done
`
