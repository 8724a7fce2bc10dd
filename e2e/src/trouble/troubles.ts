import { setTimeout as wait } from 'node:timers/promises'
import type { ServerGroup } from '../server-group.ts'
import { actsOnDatabase, actsOnFolder, actsOnNats, actsOnServers, type Disks } from './acts.ts'
import type { Chance } from './chance.ts'
import type { Findings } from './findings.ts'
import { recoveryOf } from './recovery.ts'

type Options = { disks: Disks; chance: Chance; findings: Findings }
type Described = {
  name: string
  /** Share among all kinds when one is chosen. */
  weight: number
  /** Things of the kind that are well at any time. */
  spared: number
}
type Kind = { weight: number; begin: () => Promise<void> | undefined }
/** Disturbances of things of one kind, by what is done to them. */
type KindOf = <T extends object>(
  described: Described,
  all: readonly T[],
  acts: Record<string, (one: T) => Promise<unknown>>,
) => Kind
const atOnce = 3

/** Kills, stops and fills disks at random until it is ended; then everything runs again. */
export function startTroubles(group: ServerGroup, { disks, chance, findings }: Options) {
  const { servers } = group
  /** Disturbed at present; nothing else is done to them. */
  const taken = new Set<object>()
  const recovery = recoveryOf(group, findings)
  let isOver = false

  const free = <T extends object>(all: readonly T[]) => all.filter((one) => !taken.has(one))
  const run = async <T extends object>(one: T, what: string, act: (one: T) => Promise<unknown>) => {
    findings.say(what)
    findings.count(what.replace(/ \d+ /, ' '))
    taken.add(one)
    await act(one)
    taken.delete(one)
    findings.say(`${what}: over`)
  }
  const kindOf: KindOf = ({ name, weight, spared }, all, acts) => ({
    weight,
    begin() {
      const left = free(all)
      if (left.length <= spared) return undefined
      const one = chance.pick(left)
      const [what, act] = chance.pick(Object.entries(acts))
      return run(one, `${name} ${all.indexOf(one)} is ${what}`, act)
    },
  })
  const kinds = kindsOf(group, { disks, chance, recovery, kindOf })

  /** Starts servers that ended by themselves, as a service manager does. */
  const watch = async () => {
    while (!isOver) {
      for (const server of free(servers)) {
        if (server.isRunning()) continue
        findings.say(`a server ended by itself: ${server.output().slice(-1_500)}`)
        const name = `server ${servers.indexOf(server)}`
        await run(server, `${name} is started after it ended by itself`, recovery.restart)
      }
      await wait(200)
    }
  }
  const disturb = async () => {
    const running = new Set<Promise<void>>()
    while (!isOver) {
      const begun = running.size < atOnce ? chance.pick(kinds).begin() : undefined
      if (begun) {
        running.add(begun)
        void begun.finally(() => running.delete(begun))
      }
      await wait(chance.between(500, 4_000))
    }
    await Promise.all(running)
  }
  const ended = Promise.all([disturb(), watch()])
  return {
    isDatabaseTroubled: () => taken.has(group),
    /** Ends when everything runs again. */
    async end() {
      isOver = true
      await ended
      for (const server of servers) if (!server.isRunning()) await recovery.restart(server)
      await recovery.stores()
      await recovery.close()
    },
  }
}
type Means = Omit<Options, 'findings'> & {
  recovery: ReturnType<typeof recoveryOf>
  kindOf: KindOf
}

/** Everything that is disturbed, each kind as often as it is to be chosen. */
function kindsOf(group: ServerGroup, { disks, chance, recovery, kindOf }: Means) {
  const onDatabase = Object.entries(actsOnDatabase(chance, disks)).map(([what, act]) => [
    what,
    (one: ServerGroup) => act(one).then(recovery.stores),
  ])
  return [
    kindOf(
      { name: 'server', weight: 3, spared: 1 },
      group.servers,
      actsOnServers(chance, recovery.restart),
    ),
    kindOf({ name: 'NATS', weight: 2, spared: 0 }, group.nats.servers, actsOnNats(chance)),
    kindOf({ name: 'database', weight: 1, spared: 0 }, [group], Object.fromEntries(onDatabase)),
    kindOf(
      { name: 'folder of server', weight: 1, spared: 0 },
      [disks.folder],
      actsOnFolder(chance),
    ),
  ].flatMap((kind) => Array.from({ length: kind.weight }, () => kind))
}

export type Troubles = ReturnType<typeof startTroubles>
