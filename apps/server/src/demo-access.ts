import { client } from '@longreach/kit/client'
import { coreContract } from '@longreach/core/contract'
import type { Composed } from './compose.ts'
import { actAs, ownerOf, type SeededPerson } from './demo-seed.ts'

export type DemoKey = { organization: string; label: string; key: string }
type Placed = { label: string; organization: string; deviceId: string }

/** Device groups of the demo, with their devices. */
const deviceGroups = [
  { organization: 'nordwerk.sonnenkorn', name: 'Baking hall', labels: ['oven-line-1'] },
  {
    organization: 'nordwerk.sonnenkorn',
    name: 'Erfurt branch',
    labels: ['oven-erfurt-1', 'oven-erfurt-2'],
  },
  {
    organization: 'nordwerk',
    name: 'Ovens under contract',
    labels: ['oven-line-1', 'oven-torino-1', 'oven-torino-2', 'oven-annecy'],
  },
  { organization: 'acqua', name: 'Pump stations', labels: ['pump-station-3'] },
]

/** User groups of the demo, with their members and roles. */
const userGroups = [
  {
    organization: 'nordwerk',
    name: 'Service team',
    members: ['tom'],
    roles: ['Service engineer'],
  },
  {
    organization: 'nordwerk.sonnenkorn',
    name: 'Bakery',
    members: ['eva', 'max'],
    roles: ['Viewer'],
  },
]

const terms = {
  type: 'TERM' as const,
  defaultName: 'Terms of use',
  texts: {
    en: {
      title: 'Terms of use',
      text: 'Values of the machines are used for their service and are not given to others. Whoever writes a set-point looks at the machine first.',
    },
    de: {
      title: 'Nutzungsbedingungen',
      text: 'Die Werte der Maschinen dienen ihrem Service und werden nicht weitergegeben. Wer einen Sollwert schreibt, sieht zuerst nach der Maschine.',
    },
  },
}

/** Adds device groups, user groups, an agreement that everybody accepted, and an API key. */
export async function seedAccess(
  server: Composed,
  people: readonly SeededPerson[],
  placed: readonly Placed[],
): Promise<DemoKey> {
  const [key] = await Promise.all([
    seedKey(server, people),
    seedTerms(server, people),
    ...deviceGroups.map((group) => seedDeviceGroup(server, people, { ...group, placed })),
    ...userGroups.map((group) => seedUserGroup(server, people, group)),
  ])
  return key
}

type DeviceGroup = (typeof deviceGroups)[number]

async function seedDeviceGroup(
  server: Composed,
  people: readonly SeededPerson[],
  { organization: org, name, labels, placed }: DeviceGroup & { placed: readonly Placed[] },
) {
  const core = await actAs(server, ownerOf(people, org))
  const devices = placed.filter(({ label }) => labels.includes(label))
  if (devices.length === 0) return
  const { id } = await core.createSecurityPolicy({ params: { org }, body: { name } })
  const params = { org, policy: String(id) }
  const add = devices.map(({ deviceId }) => deviceId)
  await core.changePolicyDevices({ params, body: { add } })
}

async function seedUserGroup(
  server: Composed,
  people: readonly SeededPerson[],
  { organization: org, name, members, roles }: (typeof userGroups)[number],
) {
  const core = await actAs(server, ownerOf(people, org))
  const { content: users } = await core.users({ params: { org }, query: { pageSize: 500 } })
  const { content: known } = await core.roles({ params: { org }, query: { pageSize: 500 } })
  const membersId = users.filter(({ username }) => members.includes(username)).map(({ id }) => id)
  const rolesId = known.filter(({ label }) => roles.includes(label)).map(({ id }) => id)
  await core.createUserGroup({ params: { org }, body: { name, membersId, rolesId } })
}

async function seedTerms(server: Composed, people: readonly SeededPerson[]) {
  const org = 'nordwerk'
  const core = await actAs(server, ownerOf(people, org))
  const { id } = await core.createAgreement({ params: { org }, body: terms })
  const accept = async (person: SeededPerson) => {
    const fetch = await server.fetchAsPerson(person)
    await client(coreContract, fetch).acceptAgreements({ body: { ids: [id] } })
  }
  await Promise.all(people.filter(({ realm }) => realm === org).map(accept))
}

async function seedKey(server: Composed, people: readonly SeededPerson[]): Promise<DemoKey> {
  const [organization, label] = ['nordwerk', 'Energy report']
  const core = await actAs(server, ownerOf(people, organization))
  const { key } = await core.createApiKey({
    params: { org: organization },
    body: { label, permissions: ['devices:read', 'models:read'] },
  })
  return { organization, label, key }
}
