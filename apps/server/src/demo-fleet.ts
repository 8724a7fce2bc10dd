import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { tunnelOvenModel } from '@longreach/edge/demo-models'
import { client } from '@longreach/kit/client'
import { mappingsContract } from '@longreach/mappings/contract'
import { platformContract } from '@longreach/platform/contract'
import type { Composed } from './compose.ts'
import { type FleetMachine, fleetMachines, fleetOrganizations } from './demo-fleet-machines.ts'
import { actAs, ownerOf, type SeededPerson } from './demo-seed.ts'

const builder = 'nordwerk'

export type FleetMember = Pick<FleetMachine, 'label' | 'organization' | 'link'> & {
  deviceId: string
  activationKey: string
}

/**
 * Makes the builder's customers and their ovens, with a model and a preset shared by the builder.
 */
export async function seedFleet(server: Composed, people: readonly SeededPerson[]) {
  const owner = ownerOf(people, builder)
  const core = await actAs(server, owner)
  await Promise.all(
    fleetOrganizations.map(({ name, label, below }) =>
      core.createOrganization({ params: { org: below }, query: {}, body: { name, label } }),
    ),
  )
  const fetch = await server.fetchAsPerson(owner)
  const mappings = client(mappingsContract, fetch)
  const platform = client(platformContract, fetch)
  const query = { organization: builder }
  const { model, preset } = tunnelOvenModel()
  const { id: modelId } = await mappings.createModel({ query, body: model })
  await mappings.shareModel({ params: { id: modelId }, query, body: { data: true } })
  const { id: presetId } = await mappings.createPreset({ query, body: preset })
  await mappings.sharePreset({ params: { id: presetId }, query, body: { data: true } })
  const make = async ({
    town,
    country,
    position,
    serialNumber,
    ...member
  }: FleetMachine): Promise<FleetMember> => {
    const { label, organization } = member
    const description = `Three-zone tunnel oven in ${town}, ${country}`
    const tags = [country.toLowerCase(), 'tunnel-oven']
    const body = { label, description, serialNumber, position, tags, presetId }
    const { deviceId } = await mappings.createDevice({ query: { organization }, body })
    const params = { org: organization, deviceId }
    const { activationKey } = await platform.issueActivationKey({ params, body: {} })
    return { ...member, deviceId, activationKey }
  }
  const fleet = await Promise.all(fleetMachines.map(make))
  for (const [name, question] of segments) {
    const body = { name, shared: true, content: { question } }
    await mappings.createSegment({ query, body })
  }
  return fleet
}

/** Segments of the list of devices, shared in the builder's organization. */
const segments = [
  ['Not connected', { connected: false }],
  ['Ovens in Italy', { data: 'tags in ("it")' }],
] as const

const fleetFile = (folder: string) => path.join(folder, 'fleet-members.json')

/** Stores the fleet's keys, so that its agents can pair again at the next start. */
export const saveFleet = (folder: string, fleet: readonly FleetMember[]) =>
  writeFile(fleetFile(folder), JSON.stringify(fleet), { mode: 0o600 })

/** Fleet of an earlier start; empty for a demo without one. */
export async function readFleet(folder: string): Promise<FleetMember[]> {
  try {
    return JSON.parse(await readFile(fleetFile(folder), 'utf8')) as FleetMember[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
