import { setTimeout as wait } from 'node:timers/promises'
import { openLive } from '../live.ts'
import { deviceOfValue } from './numbers.ts'
import { within } from './person.ts'
import type { Organization, World } from './world.ts'

const patienceMs = 10_000
/** First numbers of subscriptions on consoles, on foreign devices, and on the state of all. */
const [consoles, foreign, states] = [1_000, 2_000, 3_000]

/** Looks at devices over one live socket after the other, also at those of the other organization. */
export async function watchDevices(world: World, own: Organization, other: Organization) {
  while (!world.isOver()) {
    await watchOnce(world, own, other).catch(() => undefined) // the server went, or does not run
    await wait(world.chance.between(100, 1_000))
  }
}

async function watchOnce(world: World, own: Organization, other: Organization) {
  const { group, chance, findings } = world
  const token = await own.admin.token()
  const live = await within(openLive(chance.pick(group.servers).own), patienceMs)
  live.ws.addEventListener('message', ({ data }) =>
    checkFrame(world, { own, other, indexes }, String(data)),
  )
  live.send({ op: 'hello', token, organization: own.name })
  const indexes = own.senders.map(({ index }) => index)
  try {
    await within(live.next('ready'), patienceMs)
    findings.count('live sockets')
    for (const [id, { deviceId: device }] of own.senders.entries()) {
      live.send({ op: 'sub', id, kind: 'values', device, path: '**' })
      live.send({ op: 'sub', id: consoles + id, kind: 'console', device })
    }
    for (const [id, { deviceId: device }] of other.senders.entries())
      for (const [at, kind] of (['values', 'console', 'status'] as const).entries())
        live.send({ op: 'sub', id: foreign + 10 * id + at, kind, device, path: '**' })
    live.send({ op: 'sub', id: states, kind: 'status', device: '*' })
    await Promise.race([live.closed, wait(chance.between(3_000, 12_000))])
  } finally {
    live.ws.close()
  }
}

type Watching = { own: Organization; other: Organization; indexes: readonly number[] }
type Frame = { op: string; id?: number; ok?: boolean; device?: string; v?: unknown[][] }

function checkFrame({ findings }: World, watching: Watching, text: string) {
  const frame = JSON.parse(text) as Frame
  findings.count(`live ${frame.op}`)
  const { own, other } = watching
  if (text.includes(other.marker) || isForeign(frame, other) || isOfOther(frame, watching))
    findings.fault(`${own.name} saw over a live socket: ${text}`)
}

/** A frame about a device of the other organization. */
function isForeign({ op, id = 0, ok, device }: Frame, other: Organization) {
  if (op === 'sub') return id >= foreign && id < states && ok === true
  if (op === 'status') return other.senders.some(({ deviceId }) => deviceId === device)
  return op === 'frame' && id >= foreign
}

/** A value of another device than the one that was subscribed to. */
const isOfOther = ({ op, v: rows = [] }: Frame, { indexes }: Watching) =>
  op === 'values' &&
  rows.some(
    ([at, , , v]) =>
      typeof at !== 'number' || typeof v !== 'number' || deviceOfValue(v) !== indexes[at],
  )
