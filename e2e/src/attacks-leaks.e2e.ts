import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ask } from './asking.ts'
import { openLive } from './live.ts'
import { mustNotRise, ruleOf } from './rising.ts'
import {
  core,
  type Data,
  listed,
  make,
  ok,
  refused,
  tenantWorld,
  type TenantWorld,
} from './tenant-world.ts'

let world: TenantWorld
let as: TenantWorld['as']
let own: TenantWorld['own']
let foreign: TenantWorld['foreign']
beforeAll(async () => {
  world = await tenantWorld()
  ;({ as, own, foreign } = world)
})
afterAll(() => world.longreach.stop())

test('attack 58: nothing is kept for, or read from, a person of another organization (dashboards wait)', async () => {
  const { ask } = as.anna
  const [luca] = await listed(as.paola.ask, `${core('acqua')}/users?username=luca`)
  const property = (user: string | number) =>
    `core/api/v1/users/${user}/services/portal/properties/secret`
  await ok(as.luca.ask('PUT', property('mine'), 'mine alone'))
  const [tom] = await listed(ask, `${core('nordwerk')}/users?username=tom`)
  await ok(as.tom.ask('PUT', property('mine'), 'mine alone'))
  for (const user of [luca?.id ?? 0, 'luca', tom?.id ?? 0, 'tom', '__proto__']) {
    await refused(ask('GET', property(user)), 403, 404)
    await refused(ask('PUT', property(user), 'taken'), 403, 404)
  }
  expect((await as.luca.ask('GET', property('mine'))).text).toBe('"mine alone"')
  const path = `${core('acqua')}/userPreferences`
  await refused(ask('POST', path, { serviceName: 'portal', value: 'x' }), 404)
  await refused(ask('GET', path), 404)
  // What one saved for oneself in alarms and notifications.
  const mine = (service: string, org: string) => `${service}?organization=${org}`
  const views = 'platform/api/v1/alarms/views'
  const view = await make<{ id: string }>(as.luca.ask, mine(views, 'acqua'), {
    name: 'secret view',
    shared: false,
    content: { list: 'open', filters: { q: 'secret view' } },
  })
  const hide = { quiet: { from: '01:23', to: '04:56', zone: 'UTC', through: 6 } }
  const preferences = 'notification/api/v1/preferences'
  await ok(as.luca.ask('PUT', mine(preferences, 'acqua'), hide))
  for (const somebody of [as.anna, as.tom]) {
    for (const service of [views, preferences, 'notification/api/v1/inbox'])
      await refused(somebody.ask('GET', mine(service, 'acqua')), 404)
    await refused(somebody.ask('DELETE', mine(`${views}/${view.id}`, 'nordwerk')), 403, 404)
    const own = await somebody.ask('GET', mine(preferences, 'nordwerk'))
    expect(own.text).not.toContain('01:23')
  }
  // Not shared: colleagues do not see it either.
  expect((await ok(as.paola.ask('GET', mine(views, 'acqua')))).text).not.toContain('secret view')
})

test('attack 59: one question about devices of two organizations answers about one', async () => {
  const { ask } = as.anna
  const body = { deviceIds: [foreign.device, own.device, 'Z'.repeat(22)] }
  for (const way of ['roles/areAuthorized', 'areAuthorized']) {
    const answer = await ok(ask('POST', `${core('nordwerk')}/${way}`, body))
    expect(Object.keys(answer.json<object>())).toEqual([own.device])
  }
  await refused(ask('POST', `${core('acqua')}/areAuthorized`, body), 404)
  for (const asked of [`deviceId=${foreign.device}`, `deviceGroup=${foreign.policy}`])
    await refused(ask('GET', `${core('nordwerk')}/isAuthorized?${asked}`), 404)
  const added = { groupsToAdd: [own.group, foreign.group], rolesToAdd: [own.role, foreign.role] }
  const might = `${core('nordwerk')}/testApplicationPermissions`
  await refused(ask('POST', might, added), 404, 422)
})

test('attack 60: no search, history, writing or export goes across organizations', async () => {
  const { ask } = as.anna
  const here = 'platform/api/v1/organizations/nordwerk'
  const sources = [own.device, foreign.device].map((deviceId) => ({ deviceId, modelPath: '**' }))
  const since = new Date(Date.now() - 3_600_000).toISOString()
  await refused(ask('POST', `${here}/devices/tags/query`, { sources, since }), 404)
  const series = await ok(ask('GET', `${here}/devices/${own.device}/series`))
  const [modelPath] = series.json<{ modelPath: string }[]>().map((one) => one.modelPath)
  const rows = sources.map((one) => ({ ...one, modelPath, data: [[Date.now(), 1]] }))
  for (const order of [rows, rows.toReversed()])
    await refused(ask('POST', `${here}/devices/bulkInsertTags`, order), 404)
  for (const rest of ['tags', 'series', 'status', 'configuration', 'availableTags', 'console'])
    await refused(ask('GET', `${here}/devices/${foreign.device}/${rest}`), 404)
  await refused(ask('GET', `${here}/devicesByName/pump-station-3/tags?modelPath=**`), 404)
  const group = await ok(ask('GET', `${here}/deviceGroups/${foreign.policy}/tags?modelPath=**`))
  expect(group.json()).toEqual([])
  await refused(ask('GET', `${here}/deviceByAlias?alias=pump-station-3`), 404)
  const write = { data: [{ modelPath: 'Pumps:1/x', v: 1 }] }
  await refused(ask('POST', `${here}/devices/${foreign.device}/tags`, write), 404)
  for (const expression of [
    'orgResourceId == "acqua"',
    'label ~= "pump" or orgResourceId ~= "acqua"',
    'label == "x") or (1 == 1',
    'label == "x" or true == true',
  ]) {
    const body = { data: expression, pageSize: 500 }
    for (const organization of ['nordwerk', 'nordwerk.*', '*']) {
      const path = `mappings/api/v1/devices/search?organization=${organization}`
      expect((await ask('POST', path, body)).text).not.toContain(foreign.device)
    }
  }
  await noForeignAlarm(ask)
  await refused(as.paola.ask('GET', 'audit/api/v1/export?organization=nordwerk'), 404)
  for (const text of ['acqua', 'paola', foreign.device]) {
    for (const organization of ['nordwerk', 'nordwerk.*', '*']) {
      const file = await ok(
        ask('GET', `audit/api/v1/export?organization=${organization}&text=${text}`),
      )
      // Of the caller's own: what was refused, and the exports before, which hold the text asked for.
      const lines = file.text.split('\n').filter((line) => !/refused|audit\.export/.test(line))
      expect(lines.slice(1).join('')).not.toMatch(/paola/)
    }
  }
})

const alarms = 'platform/api/v1/alarms'

type ForeignAlarm = { id: string; deviceId: string }

/** An alarm of acqua is told to somebody of nordwerk by no call that takes ids or organizations. */
async function noForeignAlarm(ask: Ask) {
  const theirs = await ok(as.paola.ask('POST', `${alarms}/search?organization=acqua`, {}))
  const [alarm] = theirs.json<{ data: ForeignAlarm[] }>().data
  if (!alarm) throw new Error('acqua has no alarm')
  for (const org of ['acqua', 'acqua.*']) await notByOrganization(ask, org)
  for (const org of ['nordwerk', 'nordwerk.*', '*']) await notByItsId(ask, org, alarm)
  await notActedOn(ask, alarm)
}

async function notByOrganization(ask: Ask, org: string) {
  const query = `organization=${org}`
  for (const path of [
    `${alarms}/severityCount?${query}`,
    `${alarms}/severityCountByDevice?${query}`,
    `${alarms}/report?${query}&from=0&to=1`,
    `${alarms}/actions?${query}`,
    `${alarms}/rules/export?${query}`,
    `notification/api/v1/deliveries/log?${query}`,
    `notification/api/v1/failedNotifications?${query}`,
    `trigger/api/v1/runs?${query}`,
  ])
    await refused(ask('GET', path), 404)
  for (const kind of ['search', 'list'])
    await refused(ask('POST', `${alarms}/${kind}?${query}`, {}), 404)
  await refused(ask('POST', `${alarms}/search`, { scopedOrganization: org }), 404)
}

async function notByItsId(ask: Ask, org: string, { id, deviceId }: ForeignAlarm) {
  const query = `organization=${org}`
  const answers = [
    await ask('POST', `${alarms}/search?${query}`, { data: `deviceId == "${deviceId}"` }),
    await ask('POST', `${alarms}/list?${query}`, { deviceId }),
    await ask('POST', `${alarms}/search?${query}`, { data: 'name ~= "*"', pageSize: 1_000 }),
    await ask('GET', `${alarms}/severityCountByDevice?${query}&pageSize=1000`),
  ]
  for (const { text } of answers) {
    expect(text).not.toContain(id)
    expect(text).not.toContain(deviceId)
  }
  for (const path of [
    `${alarms}/${id}?${query}`,
    `${alarms}/${id}/detail?${query}`,
    `notification/api/v1/why?${query}&alarm=${id}`,
    `notification/api/v1/told?${query}&alarm=${id}`,
  ])
    await refused(ask('GET', path), 404)
}

async function notActedOn(ask: Ask, { id, deviceId }: ForeignAlarm) {
  const here = 'organization=nordwerk'
  for (const action of ['ack', 'reset', 'clear'])
    await refused(ask('POST', `${alarms}/action/${action}?${here}`, { id }), 404)
  await refused(ask('POST', `${alarms}/${id}/comments?${here}`, { comment: 'x' }), 404)
  await refused(ask('PUT', `${alarms}/${id}/assignee?${here}`, { assignee: 'anna' }), 404)
  const shelf = { reason: 'other', note: '', until: Date.now() + 3_600_000 }
  for (const target of [
    { type: 'alarm', id },
    { type: 'device', id: deviceId },
  ])
    await refused(ask('POST', `${alarms}/shelves?${here}`, { ...shelf, target }), 400, 404, 422)
}

test('attack 61: a live socket subscribes to nothing foreign', async () => {
  const live = await openLive(world.url)
  live.send({ op: 'hello', token: as.anna.access_token, organization: 'nordwerk' })
  expect(await live.next('ready')).toBeDefined()
  let id = 0
  for (const device of [foreign.device, 'Z'.repeat(22), '__proto__', '%', `${own.device}/../x`]) {
    for (const kind of ['values', 'status', 'console', 'alarms', 'inbox']) {
      live.send({ op: 'sub', id: (id += 1), kind, device, path: '**' })
      expect(await live.next('sub')).toEqual({
        op: 'sub',
        id,
        ok: false,
        code: 'platform.not_found',
      })
    }
  }
  for (const kind of ['status', 'alarms', 'inbox']) {
    live.send({ op: 'sub', id: (id += 1), kind, device: '*', below: true })
    expect(await live.next('sub')).toMatchObject({ ok: true })
  }
  const theirs = await ok(as.paola.ask('POST', `${alarms}/search?organization=acqua`, {}))
  const [alarm] = theirs.json<Data>().data
  const comment = { comment: 'seen by acqua alone' }
  await ok(as.paola.ask('POST', `${alarms}/${alarm?.id}/comments?organization=acqua`, comment))
  const path = `platform/api/v1/organizations/acqua/devices/${foreign.device}/status/sync`
  await ok(as.paola.ask('POST', path))
  live.send({ op: 'ping' })
  await live.next('pong')
  expect(JSON.stringify(live.frames)).not.toContain(foreign.device)
  expect(JSON.stringify(live.frames)).not.toContain(alarm?.id)
  // Another person's token on this socket ends it.
  live.send({ op: 'token', token: as.paola.access_token })
  expect(await live.closed).toBe(4401)
  for (const organization of ['acqua', 'acqua.*', '*']) {
    const other = await openLive(world.url)
    other.send({ op: 'hello', token: as.max.access_token, organization })
    expect([4403, 4400]).toContain(await other.closed)
  }
})

/** Well-formed ids of each kind that do not exist. */
const nothing = { number: 2_000_000_000, text: randomBytes(16).toString('base64url') }

/** An answer without the id that was asked for; an id of 4 is no part of the status 404. */
const withoutId = (text = '', id: string | number) =>
  text.replaceAll(new RegExp(`(?<![\\w-])${id}(?![\\w-])`, 'g'), '')

test('attack 62: what belongs to others answers as what is not there, to the letter (time is not measured)', async () => {
  const { ask } = as.anna
  const pairs: [string, string | number, string | number][] = [
    ['roles', foreign.role, nothing.number],
    ['userGroups', foreign.group, nothing.number],
    ['securityPolicies', foreign.policy, nothing.number],
    ['users', foreign.user, nothing.number],
  ]
  const paths = pairs.map(
    ([kind, theirs, none]) => [`${core('nordwerk')}/${kind}/`, theirs, none] as const,
  )
  const devices = (way: string) => [way, foreign.device, nothing.text] as const
  const asked = [
    ...paths,
    devices('mappings/api/v1/devices/'),
    ['mappings/api/v1/models/', foreign.model, nothing.text] as const,
    ['mappings/api/v1/presets/', foreign.preset, nothing.text] as const,
    devices('platform/api/v1/organizations/nordwerk/devices/'),
    ['core/api/v1/organizations/', 'acqua', 'aqcua'] as const,
  ]
  for (const [way, theirs, none] of asked) {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const rest = way.startsWith('platform') ? '/status' : ''
      const query = way.startsWith('core') ? '' : '?organization=nordwerk'
      const body = method === 'PUT' ? { name: 'x:1.0.0', label: 'x', data: {} } : undefined
      const [one, other] = await Promise.all(
        [theirs, none].map((id) => ask(method, `${way}${id}${rest}${query}`, body)),
      )
      expect(one?.status).toBe(other?.status)
      expect(withoutId(one?.text, theirs)).toBe(withoutId(other?.text, none))
    }
  }
  // Counts and `last` go by what the caller sees.
  for (const path of [
    'mappings/api/v1/devices?organization=nordwerk.*&search=pump-station',
    'mappings/api/v1/devices?organization=nordwerk.*&deviceId=' + foreign.device,
    'mappings/api/v1/models?organization=nordwerk.*&search=Pump',
  ]) {
    const page = (await ok(ask('GET', path))).json<Data & { last: boolean; totalPages: number }>()
    expect(page).toMatchObject({ data: [], totalElements: 0, last: true })
  }
})

/** Ids and names in an answer: whose it is. */
const whatItIs = /"(?:id|name|label|username|resourceId|orgResourceId)":(?:"[^"]*"|\d+)/g

test('attack 63: the same address answers each caller their own, also at once and with an ETag', async () => {
  const paths = [
    'core/api/v1/users/mine',
    'core/api/v1/organizations/mine',
    'mappings/api/v1/devices?organization=*',
    'mappings/api/v1/models?organization=*',
    'audit/api/v1/entries?organization=',
  ]
  for (const path of paths) {
    const asked = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? as.anna : as.paola))
    const answers = await Promise.all(asked.map(({ ask }) => ask('GET', path)))
    // When it was answered, and how the machines are, may differ.
    const texts = answers.map(({ text }) => (text.match(whatItIs) ?? []).join())
    const [anna, paola, ...more] = texts
    expect(anna).not.toBe(paola)
    if (path.startsWith('audit')) continue
    for (const [at, text] of more.entries()) expect(text).toBe(at % 2 === 0 ? anna : paola)
    const first = await fetch(`${world.url}/svc/${path}`, {
      headers: { authorization: `Bearer ${as.anna.access_token}` },
    })
    const etag = first.headers.get('etag') ?? '*'
    const again = await as.paola.ask('GET', path, undefined, { 'if-none-match': etag })
    expect(again.status).toBe(200)
    // No proxy between may keep what only this caller may see.
    expect(first.headers.get('cache-control') ?? '').toMatch(/no-store|private/)
  }
})

test('attack 64: the last administrator stays, and nobody gives themselves what they lack', async () => {
  const paola = as.paola.ask
  const [me] = await listed(paola, `${core('acqua')}/users?username=paola`)
  const [mine] = await listed(
    paola,
    `${core('acqua')}/userGroups?userId=${me?.id}&type=SELF_USER_ANY`,
  )
  const roles = await listed(paola, `${core('acqua')}/roles?userGroupId=${mine?.id}&pageSize=500`)
  expect(roles.map(({ name }) => name)).toContain('app_owner')
  for (const { id } of roles.filter(({ name }) => name.startsWith('app_')))
    await refused(paola('DELETE', `${core('acqua')}/userGroups/${mine?.id}/roles/${id}`), 409, 422)
  await refused(paola('PUT', `${core('acqua')}/userGroups/${mine?.id}`, { rolesId: [] }), 409, 422)
  await refused(paola('DELETE', `${core('acqua')}/users/${me?.id}`), 409)
  await refused(paola('PUT', `${core('acqua')}/users/${me?.id}`, { enabled: false }), 409, 422)

  const permissions = ['portal:access', 'roles:read', 'roles:create', 'roles:update']
  const more = ['usergroups:read', 'usergroups:update', 'usergroups:create', 'users:read']
  const rules = [...permissions, ...more, 'users:create', 'users:update', 'devices:read'].map(
    ruleOf,
  )
  const editor = { name: 'editor', label: 'Editor', rules }
  const { id: role } = await make(as.anna.ask, `${core('nordwerk')}/roles`, editor)
  const erik = await world.join('nordwerk', 'erik', 'editor')
  await mustNotRise(erik.ask, { role, user: erik.id, device: own.device })
})

test('attack 65: an organization without IoT calls no IoT, and does not give it to itself', async () => {
  const org = 'nordwerk.sonnenkorn'
  const { ask } = as.anna
  const olga = await world.join(org, 'olga', 'app_administrator')
  const here = `platform/api/v1/organizations/${org}/devices`
  const [device] = (
    await ok(ask('GET', `mappings/api/v1/devices?organization=${org}`))
  ).json<Data>().data
  const path = `${here}/${device?.id}`
  const series = async (who: Ask) =>
    (await ok(who('GET', `${path}/series`))).json<{ modelPath: string; mode: string }[]>()
  /** First message of a live socket: the newest values. */
  const listens = async (token: string) => {
    const live = await openLive(world.url)
    live.send({ op: 'hello', token, organization: org })
    live.send({ op: 'sub', id: 1, kind: 'values', device: device?.id, path: '**' })
    await live.next('sub')
    live.send({ op: 'ping' })
    await live.next('pong')
    live.ws.close()
    return live.frames
  }
  const [known] = await series(olga.ask)
  expect(known).toBeDefined()
  await ok(ask('PUT', core(org), { dataEnabled: false }))
  for (const given of ['dataEnabled', 'dealer', 'allowHostname', 'storeEnabled'])
    await refused(olga.ask('PUT', core(org), { [given]: true }), 403)
  const modelPath = known?.modelPath ?? ''
  const model = { name: 'x:1.0.0', data: {} }
  await refused(olga.ask('GET', `mappings/api/v1/models?organization=${org}`), 403)
  await refused(olga.ask('POST', `mappings/api/v1/models?organization=${org}`, model), 403)
  await refused(olga.ask('POST', `${path}/tags`, { data: [{ modelPath, v: 1 }] }), 403, 422)
  const rows = [{ deviceId: device?.id, modelPath, data: [[Date.now(), 1]] }]
  await refused(olga.ask('POST', `${here}/bulkInsertTags`, rows), 403, 422)
  for (const { ask: who } of [olga, as.eva, as.max]) {
    expect(await series(who)).toEqual([])
    expect((await ok(who('GET', `${path}/tags?modelPath=**`))).json()).toEqual([])
  }
  expect((await listens(olga.access_token)).filter(({ op }) => op === 'values')).toEqual([])
  await ok(ask('PUT', core(org), { dataEnabled: true }))
  expect(await series(olga.ask)).not.toEqual([])
})
