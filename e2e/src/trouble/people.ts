import { setTimeout as wait } from 'node:timers/promises'
import { deviceOfValue, writtenValue } from './numbers.ts'
import type { Reply } from './person.ts'
import { addSender, type Organization, type World } from './world.ts'
import { revokeGuest, revokeKey } from './revoked-people.ts'

type Acting = { world: World; own: Organization; other: Organization }
const platform = (org: string) => `platform/api/v1/organizations/${org}`
const fewestDevices = 3
let writes = 0

/** Refused, or no answer; anything else crosses the border between the two organizations. */
function mustBeRefused({ world, own, other }: Acting, reply: Reply, what: string) {
  world.findings.count(
    reply.status >= 400 && reply.status < 500
      ? 'foreign calls refused'
      : 'foreign calls unanswered',
  )
  if (reply.status >= 200 && reply.status < 300)
    world.findings.fault(
      `${own.name} got ${reply.status} for ${what} of ${other.name}: ${reply.text}`,
    )
  mustNotTell({ world, own, other }, reply, what)
}

function mustNotTell({ world, own, other }: Acting, { text, server }: Reply, what: string) {
  if (text.includes(other.marker))
    world.findings.fault(`server ${server} told ${own.name} of ${other.name}: ${what}: ${text}`)
}

const acts = {
  async list(acting: Acting) {
    const { name, admin } = acting.own
    const path = `mappings/api/v1/devices?organization=${name}&pageSize=100`
    mustNotTell(acting, await admin.ask(['GET', path]), 'the list')
  },
  async values(acting: Acting) {
    const { own, world } = acting
    const sender = world.chance.pick(own.senders)
    const query = new URLSearchParams({
      modelPath: sender.path,
      since: new Date(Date.now() - 30_000).toISOString(),
      limit: '1000',
    })
    const path = `${platform(own.name)}/devices/${sender.deviceId}/tags?${query}`
    const reply = await own.admin.ask(['GET', path])
    mustNotTell(acting, reply, 'values')
    if (reply.status !== 200) return
    const series = JSON.parse(reply.text) as { data: [number, number][] }[]
    for (const [, v] of series.flatMap(({ data }) => data))
      if (deviceOfValue(v) !== sender.index)
        world.findings.fault(`device ${sender.index} has a value of ${deviceOfValue(v)}`)
  },
  async write({ own, world }: Acting) {
    const sender = world.chance.pick(own.senders)
    const v = writtenValue(sender.index, (writes += 1))
    const path = `${platform(own.name)}/devices/${sender.deviceId}/tags`
    const data = [{ modelPath: sender.path, v }]
    const { status, text } = await own.admin.ask(['POST', path, { data, timeoutMs: 3_000 }])
    world.findings.count(`writes answered ${status}`)
    if (status === 200 && text.includes('"confirmed"')) world.findings.count('writes confirmed')
  },
  async foreign(acting: Acting) {
    const { own, other, world } = acting
    const { deviceId, path, index } = world.chance.pick(other.senders)
    const from = `since=${Date.now() - 60_000}`
    for (const org of [own.name, other.name]) {
      const device = `${platform(org)}/devices/${deviceId}`
      const body = { data: [{ modelPath: path, v: writtenValue(0, index) }], timeoutMs: 0 }
      const order = { command: 'agent.health', input: {} }
      mustBeRefused(acting, await own.admin.ask(['GET', `${device}/tags?${from}`]), 'values')
      mustBeRefused(acting, await own.admin.ask(['POST', `${device}/tags`, body]), 'a write')
      mustBeRefused(
        acting,
        await own.admin.ask(['POST', `${device}/agent/commands`, order]),
        'a command',
      )
      mustBeRefused(acting, await own.admin.ask(['DELETE', `${device}/activationKey`]), 'a key')
    }
  },
  async sync({ own, world }: Acting) {
    const { deviceId } = world.chance.pick(own.senders)
    const path = `${platform(own.name)}/devices/${deviceId}/status/sync`
    const { status } = await own.admin.ask(['POST', path])
    world.findings.count(`configurations sent again, answered ${status}`)
  },
}

/** Acts on end until the run is over. */
export async function actLikePeople(acting: Acting) {
  const { world } = acting
  const all = [
    acts.list,
    acts.values,
    acts.values,
    acts.write,
    acts.write,
    acts.write,
    acts.foreign,
    acts.sync,
  ]
  while (!world.isOver()) {
    await world.chance.pick(all)(acting)
    await wait(world.chance.between(50, 400))
  }
}

/** Revokes one right after the other, and replaces what is gone. */
export async function revokeRights(acting: Acting) {
  const { world, own } = acting
  const ways = [revokeDevice, revokeDevice, deleteDevice, revokeKey, revokeGuest]
  while (!world.isOver()) {
    await world.chance.pick(ways)(world, own)
    await wait(world.chance.between(500, 3_000))
  }
}

/** Takes the right of a device by one call, and lets another device come in its place. */
async function replaceDevice(world: World, own: Organization, path: (id: string) => string) {
  if (own.senders.length < fewestDevices) return
  const sender = world.chance.pick(own.senders)
  own.senders.splice(own.senders.indexOf(sender), 1)
  own.revoked.push(sender)
  const { status, text } = await own.admin.askUntil('DELETE', path(sender.deviceId))
  if (status >= 300 && status !== 404)
    world.findings.fault(`a right could not be revoked: ${status} ${text}`)
  sender.revoked()
  await addSender(world, own)
}

async function revokeDevice(world: World, own: Organization) {
  await replaceDevice(world, own, (id) => `${platform(own.name)}/devices/${id}/activationKey`)
  world.findings.count('keys of devices revoked')
}

async function deleteDevice(world: World, own: Organization) {
  await replaceDevice(world, own, (id) => `mappings/api/v1/devices/${id}?organization=${own.name}`)
  world.findings.count('devices deleted')
}
