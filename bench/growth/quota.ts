import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Limit to the processor time of a process, a share of one core. */
export type Quota = {
  /** Sets the limit; without a share there is none. */
  limit: (share?: number) => void
  /** Ends the limit, after the process has ended. */
  close: () => Promise<void>
}

/** Kind of the limit, as the bench names it. */
type Kind = { name: string; of: (pid: number) => Quota }

const periodUs = 100_000

/** Processor quotas of the kernel; where no cgroup can be written, processes are stopped for a part of the time. */
export function quotas(): Kind {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  for (const line of mounts) {
    const [, folder = '', type, options = ''] = line.split(' ')
    if (type === 'cgroup' && options.split(',').includes('cpu') && isWritable(folder)) {
      return { name: 'cgroup v1, cpu.cfs_quota_us', of: (pid) => groupOf(folder, pid, 'v1') }
    }
    if (type === 'cgroup2' && controllersOf(folder).includes('cpu') && isWritable(folder)) {
      writeFileSync(path.join(folder, 'cgroup.subtree_control'), '+cpu')
      return { name: 'cgroup v2, cpu.max', of: (pid) => groupOf(folder, pid, 'v2') }
    }
  }
  return { name: 'SIGSTOP for a part of each 100 ms: no cgroup can be written', of: dutyCycle }
}

function controllersOf(folder: string) {
  const file = path.join(folder, 'cgroup.controllers')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ') : []
}

function isWritable(folder: string) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false // of another user, or mounted for reading only
  }
}

function groupOf(parent: string, pid: number, version: 'v1' | 'v2'): Quota {
  const folder = path.join(parent, `longreach-bench-${pid}`)
  mkdirSync(folder)
  const write = (file: string, text: string | number) =>
    writeFileSync(path.join(folder, file), String(text))
  write('cgroup.procs', pid)
  return {
    limit(share) {
      const us = share === undefined ? undefined : Math.round(share * periodUs)
      if (version === 'v1') write('cpu.cfs_quota_us', us ?? -1)
      else write('cpu.max', `${us ?? 'max'} ${periodUs}`)
    },
    async close() {
      // A moment after its process the group is still taken.
      for (let tries = 0; tries < 50; tries += 1) {
        if (
          await rmdir(folder).then(
            () => true,
            () => false,
          )
        )
          return // tried again
        await wait(20)
      }
      await rm(folder) // says why it cannot be removed
    },
  }
}

/** Runs a process for a share of each period; coarser than a quota, as it counts time and not work. */
function dutyCycle(pid: number): Quota {
  const periodMs = periodUs / 1_000
  let share: number | undefined
  let closed = false
  const turn = async () => {
    while (!closed) {
      const now = share
      if (now !== undefined) process.kill(pid, 'SIGSTOP')
      await wait(periodMs * (1 - (now ?? 0)))
      if (now !== undefined) process.kill(pid, 'SIGCONT')
      await wait(periodMs * (now ?? 1))
    }
  }
  const turning = turn().catch(() => undefined) // the process has ended
  return {
    limit: (wanted) => void (share = wanted),
    async close() {
      closed = true
      await turning
    },
  }
}
