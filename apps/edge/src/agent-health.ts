import { statfs } from 'node:fs/promises'
import os from 'node:os'
import type { AgentHealth, UpdateState } from '@longreach/device-protocol/agent-wire'
import type { Outbox } from './outbox.ts'
import type { RunningSources } from './running-sources.ts'
import { trustedKey } from './release-trust.ts'
import type { AgentSettings } from './settings.ts'
import { toTenths } from './rounding.ts'

type Options = {
  settings: Pick<AgentSettings, 'dataDir' | 'buffer' | 'remote'>
  version: string
  outbox: Outbox
  sources: Pick<RunningSources, 'health'>
  update: () => UpdateState | null
}

/** Measures the agent and its machine since the previous measurement. */
export function createAgentHealth({ settings, version, outbox, sources, update }: Options) {
  const startedAt = Date.now()
  let used = process.cpuUsage()
  let cores = coreTimes()
  let at = performance.now()

  function cpu() {
    const [usedBefore, coresBefore, atBefore] = [used, cores, at]
    ;[used, cores, at] = [process.cpuUsage(), coreTimes(), performance.now()]
    const own = used.user - usedBefore.user + used.system - usedBefore.system
    const all = cores.all - coresBefore.all
    return {
      agent: toTenths(own / 10 / Math.max(1, at - atBefore)),
      machine: all > 0 ? toTenths(((cores.busy - coresBefore.busy) / all) * 100) : 0,
    }
  }

  return async (): Promise<AgentHealth> => ({
    at: Date.now(),
    version,
    startedAt,
    node: process.version,
    system: `${os.type()} ${os.release()} ${os.arch()}`.slice(0, 200),
    hostName: os.hostname().slice(0, 255),
    cpu: cpu(),
    memory: {
      agent: process.memoryUsage.rss(),
      used: os.totalmem() - os.freemem(),
      total: os.totalmem(),
    },
    disk: await diskOf(settings.dataDir),
    buffer: {
      waiting: outbox.waiting,
      dropped: outbox.dropped,
      bytes: outbox.bytes,
      maxBytes: settings.buffer.maxMB * 1_000_000,
      oldestAt: outbox.oldestAt(),
    },
    sources: sources.health(),
    remote: settings.remote,
    update: update(),
    releaseKey: trustedKey(settings.dataDir),
  })
}

function coreTimes() {
  const times = os.cpus().map(({ times: one }) => one)
  const all = times.reduce(
    (sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq,
    0,
  )
  return { all, busy: all - times.reduce((sum, { idle }) => sum + idle, 0) }
}

async function diskOf(dir: string) {
  try {
    const { bsize, blocks, bfree } = await statfs(dir)
    return { used: (blocks - bfree) * bsize, total: blocks * bsize }
  } catch {
    return null // not available on this system
  }
}
