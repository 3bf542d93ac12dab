import { expect, it } from "vitest"
import { boundPaths, mountPoints } from "./socket-places.ts"

it("reads the paths of sockets and mounts from the tables of the system", () => {
  const unix = [
    "Num       RefCount Protocol Flags    Type St Inode Path",
    "0000000000000000: 00000002 00000000 00010000 0001 01 17425 /run/a b.sock",
    "0000000000000000: 00000003 00000000 00000000 0001 03    425",
    "0000000000000000: 00000003 00000000 00000000 0001 03 17427 /run/connected.sock",
    "0000000000000000: 00000002 00000000 00000000 0002 01 17428 /run/datagrams.sock",
    "ffff8881: 00000002 00000000 00010000 0001 01 9 @/tmp/.X11-unix/X0",
    "ffff8882: 00000002 00000000 00010000 0001 01 10 relative.sock",
    Buffer.from("ffff8883: 00000002 00000000 00010000 0001 01 11 /run/é").toString("latin1"),
  ]
  expect(boundPaths(unix.join("\n"))).toEqual(["/run/a b.sock", "/run/datagrams.sock", "/run/é"])
  const mounts = "36 35 98:0 /mnt1 /mnt/a\\040b\\134c rw,noatime master:1 - ext3 /dev/root rw\nnonsense\n"
  expect(mountPoints(mounts)).toEqual(["/mnt/a b\\c"])
})
