import { setTimeout as wait } from 'node:timers/promises'
import type { GroupServer } from '../server-group.ts'

const everyMs = 250
/** A server that answers later than this is not counted as running. */
const patienceMs = 1_000

/** Times in which each server answered questions, by probes; while the database is in trouble none counts. */
export function startUptimes(servers: readonly GroupServer[], isTroubled: () => boolean) {
  const times = servers.map((): { from: number; to: number }[] => [])
  let isOver = false
  const probe = async (server: GroupServer, own: { from: number; to: number }[]) => {
    while (!isOver) {
      const began = Date.now()
      const answers = await fetch(`${server.own}/svc/core/api/v1/setup`, {
        signal: AbortSignal.timeout(patienceMs),
      }).then(
        ({ ok }) => ok,
        () => false, // it does not run, or is stopped
      )
      const last = own.at(-1)
      if (!answers || isTroubled()) own.push({ from: Date.now(), to: Date.now() })
      else if (last && began - last.to < patienceMs) last.to = Date.now()
      else own.push({ from: began, to: Date.now() })
      await wait(everyMs)
    }
  }
  const probes = servers.map((server, index) => probe(server, times[index] ?? []))
  return {
    /** Ms from one time to another in which the server ran. */
    ranMs(index: number, since: number, until = Date.now()) {
      const overlaps = (times[index] ?? []).map(
        ({ from, to }) => Math.min(to, until) - Math.max(from, since),
      )
      return overlaps.reduce((sum, one) => sum + Math.max(0, one), 0)
    },
    async stop() {
      isOver = true
      await Promise.all(probes)
    },
  }
}
export type Uptimes = ReturnType<typeof startUptimes>
