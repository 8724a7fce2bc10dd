import { execFileSync } from 'node:child_process'
import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { descendantsOf, living } from '../program.ts'

/** Small disk that can be filled: everything on it fails to grow until it is freed. */
export type Disk = {
  kind: string
  folder: string
  /** True when it could be filled: the way without root needs the processes that write. */
  fill: () => Promise<boolean>
  free: () => Promise<void>
  remove: () => Promise<void>
}

/**
 * Disk of so many MB. Root gets a tmpfs of its own. Others get a folder whose writers are given a limit on
 * the size of files (`prlimit`), which PostgreSQL answers like a full disk; `writer` is its process.
 */
export async function makeDisk(
  name: string,
  { sizeMB, writer }: { sizeMB: number; writer?: () => number },
): Promise<Disk> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `longreach-${name}-`))
  return process.getuid?.() === 0 ? mounted(folder, sizeMB) : limited(folder, writer)
}

function mounted(folder: string, sizeMB: number): Disk {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMB}m`, 'tmpfs', folder])
  const unmount = () => execFileSync('umount', ['-l', folder])
  process.once('exit', unmount)
  const ballast = path.join(folder, 'ballast')
  const block = Buffer.alloc(1024 * 1024)
  return {
    kind: 'tmpfs',
    folder,
    async fill() {
      await writeFile(ballast, '')
      // Block by block, then byte by byte, until the disk takes nothing more.
      for (const bytes of [block, block.subarray(0, 4_096)]) {
        const grows = () =>
          appendFile(ballast, bytes).then(
            () => true,
            () => false, // the disk is full
          )
        while (await grows());
      }
      return true
    },
    async free() {
      await truncate(ballast).catch(() => undefined) // it was never full
      await rm(ballast, { force: true })
    },
    async remove() {
      process.off('exit', unmount)
      unmount()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Largest file while a disk counts as full: less than the files that PostgreSQL writes its log into. */
const largestBytes = 64 * 1024

function limited(folder: string, writer: () => number = () => 0): Disk {
  const limit = async (bytes: string) => {
    const pid = writer()
    if (pid === 0) return false
    for (const one of [pid, ...(await descendantsOf(pid))]) {
      try {
        execFileSync('prlimit', ['--pid', String(one), `--fsize=${bytes}:`], { stdio: 'ignore' })
      } catch (error) {
        // One that has ended meanwhile writes nothing.
        if ((await living([one])).length > 0) throw error
      }
    }
    return true
  }
  return {
    kind: 'limit of file sizes',
    folder,
    fill: () => limit(String(largestBytes)),
    async free() {
      await limit('unlimited')
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
