import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { coreContract } from '@longreach/core/contract'
import { client } from '@longreach/kit/client'
import { keepFleet, keptFleet, seedFleet, startFleet, writeFleetPast } from './demo-fleet.ts'
import { keepMachines, keptMachines, seedMachines, startPlant } from './demo-machines.ts'
import { writePast } from './demo-past.ts'
import { seedPeople, type SeededPerson } from './demo-seed.ts'
import { program, run, type RunningServer, say, stopOnSignal, tellStarted } from './run.ts'
import { type Settings, SettingsError } from './settings.ts'

type Person = Pick<SeededPerson, 'username' | 'password' | 'organization' | 'roles'>

program(async (settings) => {
  const server = await run(settings)
  const folder = path.join(settings.dataDir, 'demo')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { people, machines, fleet, past } = await demoOf(server, settings, folder)
  const plant = await startPlant(server, machines, folder)
  const ovens = fleet.length > 0 ? await startFleet(server, fleet, folder) : undefined
  await writeDemoFile(server, settings, {
    people,
    ovenPort: plant.ovenPort,
    pumpsPort: plant.pumpsPort,
  })
  const isStopping = stopOnSignal(async () => {
    await Promise.all([plant.stop(), ovens?.stop()])
    await server.stop()
  })
  tellStarted()
  say(
    `Longreach is ready at ${server.site.origin} (MQTT over TLS on port ${server.site.mqttPort})\n`,
  )
  const isRead = process.stdout.isTTY // and does not end in a log
  say(isRead ? 'Sign in as one of these people:\n' : `How to sign in is in ${demoFile(settings)}.`)
  for (const { username, password, organization, roles } of isRead ? people : []) {
    const name = `${username}@${organization.split('.')[0] ?? ''}`
    say(`  ${name.padEnd(16)} ${password.padEnd(34)} ${organization.padEnd(22)} ${String(roles)}`)
  }
  if (isRead) say(`\nThis is also in ${demoFile(settings)}. Ctrl-C stops everything.`)
  await past().catch((error: unknown) => {
    if (!isStopping()) throw error // otherwise it is Ctrl-C that ends the writing
  })
})

/** What this folder's demo has: made now, or read from the file of an earlier start. */
async function demoOf(server: RunningServer, settings: Settings, folder: string) {
  if (existsSync(demoFile(settings))) {
    const { people } = JSON.parse(await readFile(demoFile(settings), 'utf8')) as {
      people: Person[]
    }
    const [machines, fleet] = await Promise.all([keptMachines(folder), keptFleet(folder)])
    return { people, machines, fleet, past: async () => undefined }
  }
  const { needed } = await client(coreContract, await server.fetchAsService()).setupNeeded({})
  if (!needed) {
    await server.stop()
    throw new SettingsError([
      `DATA_DIR ${settings.dataDir} holds an installation that is not a demo; choose another folder`,
    ])
  }
  const people = await seedPeople(server)
  const machines = await seedMachines(server, people)
  await keepMachines(folder, machines)
  const fleet = settings.demoFleet ? await seedFleet(server, people) : []
  await keepFleet(folder, fleet)
  await server.settle()
  const past = async () => {
    await writePast(server, people, machines)
    await writeFleetPast(server, people, fleet)
  }
  return { people, machines, fleet, past }
}

const demoFile = ({ dataDir }: Settings) => path.join(dataDir, 'demo.json')

type Facts = { people: readonly Person[]; ovenPort: number; pumpsPort: number }

/** For scripts: where everything is and how to sign in. Readable by its owner only. */
async function writeDemoFile(
  { site, app }: RunningServer,
  settings: Settings,
  { people, ovenPort, pumpsPort }: Facts,
) {
  const caFile = path.join(settings.dataDir, 'demo/ca.crt')
  const { body } = await app.inject({ url: '/pairing/ca.crt' })
  await writeFile(caFile, body)
  const demo = {
    url: site.origin,
    mqttUrl: `mqtts://${new URL(site.origin).hostname}:${site.mqttPort}`,
    caFile,
    people: people.map(({ username, password, organization, roles }) => ({
      username,
      password,
      organization,
      roles,
    })),
    machines: { modbus: `127.0.0.1:${ovenPort}`, opcua: `opc.tcp://127.0.0.1:${pumpsPort}/pumps` },
  }
  await writeFile(demoFile(settings), `${JSON.stringify(demo, undefined, 2)}\n`, { mode: 0o600 })
}
