import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type DemoModel, hostModel, ovenModel, pumpsModel } from '@longreach/edge/demo-models'
import { client } from '@longreach/kit/client'
import { mappingsContract } from '@longreach/mappings/contract'
import { platformContract } from '@longreach/platform/contract'
import type { Composed } from './compose.ts'
import { ownerOf, type SeededPerson } from './demo-seed.ts'

/** Machines of the demo and their organizations. */
const machines = [
  {
    name: 'oven',
    label: 'oven-line-1',
    description: 'Three-zone tunnel oven, read over Modbus TCP',
    serialNumber: 'NW-OL3-0147',
    position: { lat: 51.3127, lon: 9.4797 },
    organization: 'nordwerk.sonnenkorn',
    model: ovenModel,
  },
  {
    name: 'pumps',
    label: 'pump-station-3',
    description: 'Two-pump booster station with tank, read over OPC UA',
    serialNumber: 'AS-PS2-0032',
    position: { lat: 45.4064, lon: 11.8768 },
    organization: 'acqua',
    model: pumpsModel,
  },
  {
    name: 'host',
    label: 'gateway-hq',
    description: 'The computer that runs this demo, with its own figures since the demo began',
    serialNumber: 'GW-0001',
    position: { lat: 53.0793, lon: 8.8017 },
    organization: 'nordwerk',
    model: hostModel,
  },
] as const

type DemoMachinePlan = (typeof machines)[number]

export type DemoMachine = {
  name: 'oven' | 'pumps' | 'host'
  label: string
  organization: string
  deviceId: string
  activationKey: string
}

/**
 * Makes models, presets, devices and activation keys through the API, as each organization's owner.
 */
export async function seedMachines(
  server: Composed,
  people: readonly SeededPerson[],
): Promise<DemoMachine[]> {
  const make = async ({ name, organization, model, ...device }: DemoMachinePlan) => {
    const owner = ownerOf(people, organization)
    const fetch = await server.fetchAsPerson(owner)
    const mappings = client(mappingsContract, fetch)
    const query = { organization }
    const bodies: DemoModel = model()
    await mappings.createModel({ query, body: bodies.model })
    const preset = await mappings.createPreset({ query, body: bodies.preset })
    const body = { ...device, presetId: preset.id }
    const { deviceId } = await mappings.createDevice({ query, body })
    const params = { org: organization, deviceId }
    const { activationKey } = await client(platformContract, fetch).issueActivationKey({
      params,
      body: {},
    })
    return { name, label: device.label, organization, deviceId, activationKey }
  }
  return Promise.all(machines.map(make))
}

const file = (dataDir: string) => path.join(dataDir, 'machines.json')

/** Stores the keys of the demo's devices, so that its agents can pair again at the next start. */
export const saveMachines = (dataDir: string, made: readonly DemoMachine[]) =>
  writeFile(file(dataDir), JSON.stringify(made), { mode: 0o600 })

export const readMachines = async (dataDir: string) =>
  JSON.parse(await readFile(file(dataDir), 'utf8')) as DemoMachine[]
