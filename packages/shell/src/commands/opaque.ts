import type { Rule } from "../call.ts"

/** Programs that run commands in ways that are not analysed. */
export const OPAQUE: readonly string[] = (
  "parallel sem at batch crontab expect ed ex red vi view vimdiff nvim emacs emacsclient gdb lldb screen tmux byobu dtach abduco " +
  "m4 dc gnuplot octave systemd-run run-parts start-stop-daemon daemonize supervisorctl proot bwrap firejail capsh pkexec gksudo kdesudo machinectl runcon newgrp sg " +
  "ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1 rundll32 cmd cmd.exe wsl " +
  "inotifywait-exec watchexec watchman entr ts-node-dev direnv nix-shell nix lxc-attach lxc osascript automator open-with ansible ansible-playbook salt pssh pdsh mosh telnet rsh rlogin slogin autossh sshpass pexec " +
  "coproc doexec dbus-send gdbus busctl perf ltrace-run bpftrace dtrace stap logsave ionice-run lockf softlimit envdir envuidgid setuidgid chpst multilog rc-service cross-env-shell setarch linux32 linux64 i386 x86_64 uname26 " +
  "ssh-agent gpg-agent faketime fakechroot nocache cgexec aa-exec cpulimit coreutils run-one pee mispipe zargs ts tsp nq dbus-launch systemd-inhibit systemd-cat"
).split(" ")

export const opaque: Rule = (call) => {
  if (
    call.args.every(({ value }) => value === "--version" || value === "--help" || value === "-V") &&
    call.args.length > 0
  )
    return
  call.unclear(`${call.name} may run commands that are not read.`)
}
