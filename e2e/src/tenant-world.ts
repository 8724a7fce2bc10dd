import { type Answer, type Ask, enter, addSignedInPerson } from './asking.ts'
import { personOf } from './calls.ts'
import { type DemoFile, demoFile, type Longreach, startLongreach } from './longreach.ts'

export type Listed = {
  content: { id: number; name: string; username: string; label: string }[]
  totalElements: number
}
export type Data = { data: { id: string; name: string }[]; totalElements: number }

/** Ids of one thing of each kind in an organization. */
type Things = {
  device: string
  policy: number
  group: number
  role: number
  user: number
  model: string
  preset: string
}
const people = ['anna', 'tom', 'dario', 'eva', 'max', 'paola', 'luca'] as const
type Somebody = Awaited<ReturnType<typeof enter>>

export type TenantWorld = {
  longreach: Longreach
  demo: DemoFile
  url: string
  /** The people of the demo, signed in. */
  as: Record<(typeof people)[number], Somebody>
  /** Things of nordwerk, and of acqua, which has nothing to do with it. */
  own: Things
  foreign: Things
  /** Somebody new in an organization of the realm nordwerk. */
  join: (
    organization: string,
    username: string,
    ...roles: string[]
  ) => ReturnType<typeof addSignedInPerson>
}

/** The demo with its people signed in, and something of every kind in two root organizations. */
export async function tenantWorld(env: Record<string, string> = {}): Promise<TenantWorld> {
  const longreach = await startLongreach({ program: 'demo', machines: 'off', env })
  const demo = await demoFile(longreach)
  const { url } = demo
  const entered = await Promise.all(
    people.map(async (name) => [name, await enter(url, personOf(demo, name))] as const),
  )
  const as = Object.fromEntries(entered) as TenantWorld['as']
  return {
    longreach,
    demo,
    url,
    as,
    own: await things(as.anna.ask, 'nordwerk'),
    foreign: await things(as.paola.ask, 'acqua'),
    join: (organization, username, ...roles) =>
      addSignedInPerson(url, personOf(demo, 'anna'), { organization, username, roles }),
  }
}

async function things(ask: Ask, org: string): Promise<Things> {
  const first = async (kind: string) => {
    const answer = await ask('GET', `mappings/api/v1/${kind}?organization=${org}`)
    return answer.json<Data>().data[0]?.id ?? ''
  }
  const rules = [{ resource: 'devices', actions: ['read'] }]
  const made = async (kind: string, body: object) =>
    (await make(ask, `${core(org)}/${kind}`, body)).id
  return {
    device: await first('devices'),
    model: await first('models'),
    preset: await first('presets'),
    policy: await made('securityPolicies', { name: 'night' }),
    group: await made('userGroups', { name: 'night' }),
    role: await made('roles', { name: 'night', label: 'Night', rules }),
    user: (await listed(ask, `${core(org)}/users`))[0]?.id ?? 0,
  }
}

/** Address of an organization in core. */
export const core = (org: string | number) => `core/api/v1/organizations/${org}`

/** The call has to succeed. */
export async function ok(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
  return answer
}

export const make = async <T = { id: number }>(ask: Ask, path: string, body: unknown) =>
  (await ok(ask('POST', path, body))).json<T>()

export const listed = async (ask: Ask, path: string) =>
  (await ok(ask('GET', path))).json<Listed>().content

const inside = /node_modules|\.ts:\d|\bat .+:\d+:\d+|postgres|\bselect \*|\bconstraint\b/i

/** The call has to be refused with one of these statuses, and without a word about the inside. */
export async function refused(asked: Promise<Answer>, ...statuses: number[]): Promise<Answer> {
  const answer = await asked
  if (statuses.includes(answer.status) && !inside.test(answer.text)) return answer
  throw new Error(`not refused with ${String(statuses)}: ${answer.status} ${answer.text}`)
}

/** Devices of nordwerk, once every service knows them. */
export async function newDevices(ask: Ask, labels: readonly string[]): Promise<string[]> {
  const path = 'mappings/api/v1/devices?organization=nordwerk'
  const ids = await Promise.all(
    labels.map(async (label) => (await make<{ id: string }>(ask, path, { label })).id),
  )
  for (const id of ids) {
    while ((await listed(ask, `${core('nordwerk')}/devices?deviceId=${id}`)).length === 0) {
      await new Promise((done) => setTimeout(done, 50))
    }
  }
  return ids
}
