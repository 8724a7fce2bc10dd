import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { coreContract } from '@longreach/core/contract'
import { onGrid } from '@longreach/edge/plant-machine'
import { client } from '@longreach/kit/client'
import { collectGarbage } from '@longreach/kit/garbage'
import { type DemoKey, seedAccess } from './demo-access.ts'
import { seedAlarms } from './demo-alarms.ts'
import { saveFleet, readFleet, seedFleet } from './demo-fleet.ts'
import { saveMachines, readMachines, seedMachines } from './demo-machines.ts'
import { addPastConnections } from './demo-past.ts'
import { saveStory, readStory, openPlant, plannedDevices } from './demo-plan.ts'
import { seedPeople, type SeededPerson } from './demo-seed.ts'
import { seedOnCall } from './demo-on-call.ts'
import { receiverUrl, seedTriggers, withReceiver } from './demo-triggers.ts'
import { writeDemoPast } from './demo-telling.ts'
import { program, run, type RunningServer, say, stopOnSignal, reportStarted } from './run.ts'
import { type Settings, SettingsError } from './settings.ts'

type Person = Pick<
  SeededPerson,
  'username' | 'password' | 'organization' | 'roles' | 'sub' | 'realm'
>

program(async (settings) => {
  const server = await run({ ...settings, outside: withReceiver(settings.outside) })
  const folder = path.join(settings.dataDir, 'demo')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const plant = openPlant((line) => server.log.warn({ demo: 'plant' }, line))
  const demo = await demoOf(server, settings, folder)
  const { people, machines, fleet, story } = demo
  const endpoint = server.site.origin
  const ports = await plant.play({ endpoint, machines, fleet, began: story.began, folder })
  await writeDemoFile(server, settings, { people, apiKey: demo.apiKey, ports })
  const ending = new AbortController()
  let telling: Promise<void> | undefined
  stopOnSignal(async () => {
    ending.abort()
    await telling?.catch(() => undefined) // reported where it is awaited below
    await plant.stop()
    await server.stop()
  })
  await server.portal
  reportStarted()
  say(
    `Longreach is ready at ${server.site.origin} (MQTT over TLS on port ${server.site.mqttPort})\n`,
  )
  const isRead = process.stdout.isTTY // and is not written to a log
  say(isRead ? 'Sign in as one of these people:\n' : `How to sign in is in ${demoFile(settings)}.`)
  for (const { username, password, organization, roles } of isRead ? people : []) {
    const name = `${username}@${organization.split('.')[0] ?? ''}`
    say(`  ${name.padEnd(16)} ${password.padEnd(34)} ${organization.padEnd(22)} ${String(roles)}`)
  }
  if (isRead) say(`\nThis is also in ${demoFile(settings)}. Ctrl-C stops everything.`)
  if (story.told) return
  const devices = plannedDevices(demo, story.began)
  telling = writeDemoPast(server, people, { devices, began: story.began, ending: ending.signal })
  try {
    await telling
    // With the whole past before them, or what is written of it would count as the newest values.
    await seedAlarms(server, people, { devices, began: story.began })
    // Behind them, so that nobody is called about alarms of the past.
    await seedOnCall(server, people, story.began)
    await seedTriggers(server, people, { port: ports['receiver'], hasFleet: fleet.length > 0 })
  } catch (error) {
    if (ending.signal.aborted) return // Ctrl-C: the next start does it again
    throw error
  }
  await saveStory(folder, { ...story, told: true })
  await collectGarbage()
})

/** Demo data of this folder: made now, or read from the file of an earlier start. */
async function demoOf(server: RunningServer, settings: Settings, folder: string) {
  if (existsSync(demoFile(settings))) {
    const { people, apiKey } = JSON.parse(await readFile(demoFile(settings), 'utf8')) as {
      people: Person[]
      apiKey?: DemoKey
    }
    const [machines, fleet] = await Promise.all([readMachines(folder), readFleet(folder)])
    return { people, apiKey, machines, fleet, story: await readStory(folder, Date.now()) }
  }
  const { needed } = await client(coreContract, await server.fetchAsService()).setupNeeded({})
  if (!needed) {
    await server.stop()
    throw new SettingsError([
      `DATA_DIR ${settings.dataDir} holds an installation that is not a demo; choose another folder`,
    ])
  }
  const people = await seedPeople(server)
  const [machines, fleet] = await Promise.all([
    seedMachines(server, people),
    settings.demoFleet ? seedFleet(server, people) : [],
  ])
  await Promise.all([saveMachines(folder, machines), saveFleet(folder, fleet)])
  await server.settle()
  const story = { began: onGrid(Date.now()), told: false }
  const [apiKey] = await Promise.all([
    seedAccess(server, people, [...machines, ...fleet]),
    addPastConnections(server, plannedDevices({ machines, fleet }, story.began), story.began),
  ])
  await server.settle()
  await saveStory(folder, story)
  return { people, apiKey, machines, fleet, story }
}

const demoFile = ({ dataDir }: Settings) => path.join(dataDir, 'demo.json')

type Facts = {
  people: readonly Person[]
  apiKey: DemoKey | undefined
  ports: Record<string, number>
}

/** Writes addresses and sign-ins for scripts, readable only by the owner. */
async function writeDemoFile(
  { site, app }: RunningServer,
  settings: Settings,
  { people, apiKey, ports }: Facts,
) {
  const caFile = path.join(settings.dataDir, 'demo/ca.crt')
  const { body } = await app.inject({ url: '/pairing/ca.crt' })
  await writeFile(caFile, body)
  const demo = {
    url: site.origin,
    mqttUrl: `mqtts://${new URL(site.origin).hostname}:${site.mqttPort}`,
    caFile,
    people: people.map(({ username, password, organization, roles, sub, realm }) => ({
      username,
      password,
      organization,
      roles,
      sub,
      realm,
    })),
    ...(apiKey && { apiKey }),
    machines: {
      modbus: `127.0.0.1:${ports['oven']}`,
      opcua: `opc.tcp://127.0.0.1:${ports['pumps']}/pumps`,
    },
    ...(ports['receiver'] !== undefined && { webhooks: receiverUrl(ports['receiver']) }),
  }
  await writeFile(demoFile(settings), `${JSON.stringify(demo, undefined, 2)}\n`, { mode: 0o600 })
}
