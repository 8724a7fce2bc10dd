import { setTimeout as wait } from 'node:timers/promises'
import type { GroupServer, ServerGroup } from '../server-group.ts'
import type { Chance } from './chance.ts'
import type { Disk } from './disks.ts'

export type Disks = { database: Disk; folder: Disk }
type NatsServer = ServerGroup['nats']['servers'][number]
type Acts<T> = Record<string, (one: T) => Promise<unknown>>

const pauser = (chance: Chance) => (least: number, most: number) =>
  wait(chance.between(least, most))

/** Disturbances of a server; each ends when it runs again. */
export function actsOnServers(
  chance: Chance,
  restart: (server: GroupServer) => Promise<void>,
): Acts<GroupServer> {
  const pause = pauser(chance)
  return {
    async killed(server) {
      await server.kill()
      await pause(200, 8_000)
      await restart(server)
    },
    async 'stopped in order'(server) {
      await server.stop('keep')
      await pause(200, 3_000)
      await restart(server)
    },
    async 'stopped with SIGSTOP'(server) {
      process.kill(server.pid(), 'SIGSTOP')
      await pause(500, 20_000)
      process.kill(server.pid(), 'SIGCONT')
    },
  }
}

/** Disturbances of a NATS server. */
export function actsOnNats(chance: Chance): Acts<NatsServer> {
  const pause = pauser(chance)
  return {
    async killed(one) {
      await one.kill()
      await pause(200, 10_000)
      await one.restart()
    },
    async 'stopped with SIGSTOP'(one) {
      await one.pause()
      await pause(500, 15_000)
      one.resume()
    },
  }
}

/** Disturbances of the database, which starts again by itself. */
export function actsOnDatabase(chance: Chance, { database }: Disks): Acts<ServerGroup> {
  const pause = pauser(chance)
  return {
    async killed(group) {
      process.kill(group.databasePid(), 'SIGKILL')
      await pause(100, 500)
    },
    'given a full disk': () => fillFor(database, () => pause(1_000, 6_000)),
  }
}

/** Disturbance of the folder of a server. */
export const actsOnFolder = (chance: Chance): Acts<Disk> => ({
  full: (disk) => fillFor(disk, () => pauser(chance)(1_000, 10_000)),
})

async function fillFor(disk: Disk, pause: () => Promise<unknown>) {
  if (!(await disk.fill())) return
  await pause()
  await disk.free()
}
