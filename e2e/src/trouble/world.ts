import { randomBytes } from 'node:crypto'
import { addSignedInPerson } from '../asking.ts'
import { makePreset, signInByHttp } from '../calls.ts'
import { pair } from '../device.ts'
import { owner, type ServerGroup } from '../server-group.ts'
import type { Chance } from './chance.ts'
import type { Findings } from './findings.ts'
import { makePerson, type SignedIn, within } from './person.ts'
import { type Sender, startSender } from './sender.ts'
import type { Uptimes } from './uptimes.ts'

/** Organization of a run, with a person who may do everything there. */
export type Organization = {
  name: string
  /** Text in all names that it gives. */
  marker: string
  presetId: string
  admin: SignedIn
  /** Role of people who only look. */
  viewerRole: number
  senders: Sender[]
  /** Those whose right was revoked; they keep trying. */
  revoked: Sender[]
}
export type World = {
  group: ServerGroup
  uptimes: Uptimes
  findings: Findings
  chance: Chance
  organizations: [Organization, Organization]
  /** Number of the next device. */
  nextIndex: () => number
  isOver: () => boolean
}

const adminRole = 'app_administrator'
const viewerRole = 'app_viewer'

/** Makes an organization below that of the owner, with an administrator who has no right elsewhere. */
export async function makeOrganization(
  { servers }: ServerGroup,
  chance: Chance,
  name: string,
): Promise<Organization> {
  const url = servers[0]?.own ?? ''
  const call = await signInByHttp(url, owner)
  const marker = `${name}${randomBytes(4).toString('hex')}`
  const org = `${owner.organization}.${name}`
  await call('POST', `core/api/v1/organizations/${owner.organization}`, { name, label: marker })
  const joining = { organization: org, username: `adam-${name}`, roles: [adminRole] }
  const person = await addSignedInPerson(url, owner, joining)
  const admin = makePerson(servers, chance, person)
  const presetId = await makePreset(await signInByHttp(url, person), org, marker)
  const { text } = await admin.ask(['GET', `core/api/v1/organizations/${org}/roles?pageSize=500`])
  const { content } = JSON.parse(text) as { content: { id: number; name: string }[] }
  const role = content.find((one) => one.name === viewerRole)?.id ?? 0
  return { name: org, marker, presetId, admin, viewerRole: role, senders: [], revoked: [] }
}

/** Adds a device, pairs it and lets it send. */
export async function addSender(world: World, organization: Organization) {
  const { admin, marker, presetId, name } = organization
  const index = world.nextIndex()
  const body = { label: `${marker} ${index}`, presetId }
  const made = await admin.askUntil('POST', `mappings/api/v1/devices?organization=${name}`, body)
  const { deviceId } = JSON.parse(made.text) as { deviceId: string }
  const paired = await pairAnywhere(world, organization, deviceId)
  const path = `${marker}:1/double`
  const sender = startSender(
    { deviceId, organization: name, index, path, paired },
    { servers: world.group.servers, ...world },
  )
  organization.senders.push(sender)
  world.findings.count('devices paired')
}

async function pairAnywhere({ group, chance }: World, { admin, name }: Organization, id: string) {
  const key = `platform/api/v1/organizations/${name}/devices/${id}/activationKey`
  for (;;) {
    const { status, text } = await admin.askUntil('POST', key, {})
    if (status >= 300) continue // the platform has not heard of the device yet
    const { activationKey } = JSON.parse(text) as { activationKey: string }
    const paired = await within(pair(chance.pick(group.servers).own, activationKey), 15_000).catch(
      () => undefined, // a server that is needed for it does not run
    )
    if (paired) return paired
  }
}
