import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { hostAgent, ovenAgent, pumpsAgent } from '@longreach/edge/demo-agents'
import { type DemoModel, hostModel, ovenModel, pumpsModel } from '@longreach/edge/demo-models'
import { client } from '@longreach/kit/client'
import { mappingsContract } from '@longreach/mappings/contract'
import { platformContract } from '@longreach/platform/contract'
import type { Composed } from './compose.ts'
import { ownerOf, type SeededPerson } from './demo-seed.ts'
import { type DemoProcess, runDemoProcess, runMachine } from './demo-process.ts'

/** The machines of the demo: whose they are, what they are, and the program that plays them. */
const machines = [
  {
    name: 'oven',
    label: 'oven-line-1',
    description: 'Three-zone tunnel oven, read over Modbus TCP',
    serialNumber: 'NW-OL3-0147',
    position: { lat: 51.3127, lon: 9.4797 },
    organization: 'nordwerk.sonnenkorn',
    model: ovenModel,
    program: 'apps/edge/src/plant-oven.ts',
  },
  {
    name: 'pumps',
    label: 'pump-station-3',
    description: 'Two-pump booster station with tank, read over OPC UA',
    serialNumber: 'AS-PS2-0032',
    position: { lat: 45.4064, lon: 11.8768 },
    organization: 'acqua',
    model: pumpsModel,
    program: 'apps/edge/src/plant-pumps.ts',
  },
  {
    name: 'host',
    label: 'gateway-hq',
    description: 'The computer that runs this demo, with its own figures',
    serialNumber: 'GW-0001',
    position: { lat: 53.0793, lon: 8.8017 },
    organization: 'nordwerk',
    model: hostModel,
    program: undefined,
  },
] as const

export type DemoMachine = {
  name: 'oven' | 'pumps' | 'host'
  organization: string
  deviceId: string
  activationKey: string
}

/** Make models, presets, devices and activation keys through the API, as each organization's owner. */
export async function seedMachines(server: Composed, people: readonly SeededPerson[]) {
  const made: DemoMachine[] = []
  for (const {
    name,
    label,
    description,
    serialNumber,
    position,
    organization,
    model,
  } of machines) {
    const owner = ownerOf(people, organization)
    const fetch = await server.fetchAsPerson(owner)
    const mappings = client(mappingsContract, fetch)
    const query = { organization }
    const bodies: DemoModel = model()
    await mappings.createModel({ query, body: bodies.model })
    const preset = await mappings.createPreset({ query, body: bodies.preset })
    const body = { label, description, serialNumber, position, presetId: preset.id }
    const { deviceId } = await mappings.createDevice({ query, body })
    const params = { org: organization, deviceId }
    const { activationKey } = await client(platformContract, fetch).issueActivationKey({
      params,
      body: {},
    })
    made.push({ name, organization, deviceId, activationKey })
  }
  return made
}

export type DemoPlant = { ovenPort: number; pumpsPort: number; stop: () => Promise<void> }

/** Start the simulated machines, and an agent for each device that reads them and reports. */
export async function startPlant(
  server: Composed,
  made: readonly DemoMachine[],
  dataDir: string,
): Promise<DemoPlant> {
  const trouble = (name: string) => (line: string) => server.log.warn({ demo: name }, line)
  const running: DemoProcess[] = []
  const play = async (name: 'oven' | 'pumps') => {
    const { program } = machines.find((one) => one.name === name) ?? {}
    const args = ['--data-dir', path.join(dataDir, `${name}-machine`)]
    const machine = await runMachine({ file: program ?? '', args, onTrouble: trouble(name) })
    running.push(machine)
    return machine.port
  }
  const [ovenPort, pumpsPort] = await Promise.all([play('oven'), play('pumps')])
  const settingsOf = {
    oven: (common: Common) => ovenAgent(common, ovenPort),
    pumps: (common: Common) => pumpsAgent(common, pumpsPort),
    host: (common: Common) => hostAgent(common),
  }
  for (const { name, activationKey } of made) {
    const home = path.join(dataDir, `${name}-agent`)
    const common: Common = {
      plainHttp: true, // it runs on the server's own machine
      activationKey,
      endpoint: server.site.origin,
      dataDir: home,
      logLevel: 'warn',
    }
    await mkdir(home, { recursive: true, mode: 0o700 })
    const config = path.join(home, 'edge.yaml') // JSON is YAML
    await writeFile(config, JSON.stringify(settingsOf[name](common), undefined, 2), { mode: 0o600 })
    const args = ['--config', config]
    running.push(
      runDemoProcess({
        file: 'apps/edge/src/supervise.ts',
        args,
        onLine: trouble(name),
        onTrouble: trouble(name),
      }),
    )
  }
  return {
    ovenPort,
    pumpsPort,
    async stop() {
      await Promise.all(running.map((one) => one.stop()))
    },
  }
}
type Common = Parameters<typeof hostAgent>[0]

const file = (dataDir: string) => path.join(dataDir, 'machines.json')

/** The keys of the demo's devices, kept so that its agents can pair again at the next start. */
export const keepMachines = (dataDir: string, made: readonly DemoMachine[]) =>
  writeFile(file(dataDir), JSON.stringify(made), { mode: 0o600 })

export const keptMachines = async (dataDir: string) =>
  JSON.parse(await readFile(file(dataDir), 'utf8')) as DemoMachine[]
