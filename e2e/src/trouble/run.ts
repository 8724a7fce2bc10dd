import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ServerGroup, startServerGroup } from '../server-group.ts'
import type { Disks } from './acts.ts'
import { chanceOf } from './chance.ts'
import { makeDisk } from './disks.ts'
import { checkEnding } from './ending.ts'
import { createFindings, type Findings } from './findings.ts'
import { actLikePeople, revokeRights } from './people.ts'
import { startTroubles, type Troubles } from './troubles.ts'
import { startUptimes } from './uptimes.ts'
import { watchDevices } from './watchers.ts'
import { addSender, makeOrganization, type World } from './world.ts'

type Options = {
  seed: number
  seconds: number
  say: (text: string) => void
  /** Folder that gets what each server printed. */
  logs?: string | undefined
}
const serverCount = 3
const devicesOfEach = 4

/**
 * Runs three servers with PostgreSQL and three NATS servers, kills, stops and fills disks at random beside
 * devices and people, and returns the broken invariants and figures. The seed decides what befalls whom.
 */
export async function runTrouble({ seed, seconds, say, logs }: Options) {
  const findings = createFindings(say)
  const disks = {
    database: await makeDisk('database', { sizeMB: 400, writer: () => group.databasePid() }),
    folder: await makeDisk('process', { sizeMB: 64, writer: () => group.servers[0]?.pid() ?? 0 }),
  }
  const group = await startServerGroup(serverCount, {
    natsCount: 3,
    folders: (name) => {
      const given = { database: disks.database, 'process-0': disks.folder }
      const disk = name === 'database' || name === 'process-0' ? given[name] : undefined
      return disk && Promise.resolve(path.join(disk.folder, 'data'))
    },
  })
  try {
    await disturb(group, disks, { seed, seconds, findings })
  } finally {
    await group.stop()
    if (logs !== undefined)
      for (const [index, { printedEver }] of group.servers.entries())
        await writeFile(path.join(logs, `server-${index}.log`), printedEver())
    for (const disk of Object.values(disks)) await disk.remove()
  }
  return { faults: findings.faults, figures: findings.figures }
}

type Run = { seed: number; seconds: number; findings: Findings }

async function disturb(group: ServerGroup, disks: Disks, { seed, seconds, findings }: Run) {
  let troubles: Troubles | undefined
  let isOver = false
  let index = 0
  const chance = chanceOf(seed + 1)
  const makeOne = (name: string) => makeOrganization(group, chance, name)
  const uptimes = startUptimes(group.servers, () => troubles?.isDatabaseTroubled() ?? false)
  const world: World = {
    group,
    uptimes,
    findings,
    chance,
    organizations: [await makeOne('north'), await makeOne('south')],
    nextIndex: () => (index += 1),
    isOver: () => isOver,
  }
  const { organizations } = world
  try {
    for (const organization of organizations)
      for (let n = 0; n < devicesOfEach; n += 1) await addSender(world, organization)
    findings.say(`seed ${seed}; disks: ${disks.database.kind}; ${seconds} s of trouble`)
    troubles = startTroubles(group, { disks, chance: chanceOf(seed), findings })
    const acting = Promise.all(actingPeople(world))
    await Promise.race([wait(seconds * 1_000), acting])
    await troubles.end()
    findings.say('everything runs again')
    isOver = true
    await acting
    await checkEnding(world)
  } finally {
    isOver = true
    for (const { senders, revoked } of organizations)
      for (const sender of [...senders, ...revoked]) await sender.stop()
    await uptimes.stop()
  }
}

/** People of both organizations, each with the other one as the foreign one. */
function actingPeople(world: World) {
  const [north, south] = world.organizations
  return [
    { world, own: north, other: south },
    { world, own: south, other: north },
  ].flatMap((acting) => [
    actLikePeople(acting),
    revokeRights(acting),
    watchDevices(world, acting.own, acting.other),
    watchDevices(world, acting.own, acting.other),
  ])
}
