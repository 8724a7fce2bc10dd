import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ask } from './asking.ts'
import {
  core,
  type Data,
  listed,
  type Listed,
  make,
  newDevices,
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

test('attack 50: token, path and body name different organizations in all six orders', async () => {
  const places = ['nordwerk', 'nordwerk.sonnenkorn', 'acqua']
  const anna = as.anna
  for (const token of places) {
    for (const path of places.filter((one) => one !== token)) {
      const body = places.find((one) => one !== token && one !== path) ?? ''
      const session = `organization=${token}&orgResourceId=${token}`
      const named = { organization: body, orgResourceId: body, organizationId: body, org: body }
      const name = `mixed-${places.indexOf(token)}${places.indexOf(path)}`
      const role = { name, label: name, rules: [] }
      const roles = `${core(path)}/roles`
      await refused(anna.ask('POST', roles, { ...role, ...named }), path === 'acqua' ? 404 : 400)
      await refused(anna.ask('POST', `${roles}?${session}`, role), path === 'acqua' ? 404 : 400)
      const made = await anna.ask('POST', roles, role)
      if (path === 'acqua') expect(made.status).toBe(404)
      else expect(made.json<{ orgResourceId: string }>().orgResourceId).toBe(path)
      const devices = `mappings/api/v1/devices?organization=${path}`
      const query = `org=${token}&orgResourceId=${token}`
      const device = { label: name }
      const mixed = anna.ask('POST', devices, { ...device, ...named })
      await refused(mixed, path === 'acqua' ? 404 : 400)
      const asked = anna.ask('POST', `${devices}&${query}`, device)
      await refused(asked, path === 'acqua' ? 404 : 400)
      const built = await anna.ask('POST', devices, device)
      if (path === 'acqua') expect(built.status).toBe(404)
      else expect(built.json<{ orgResourceId: string }>().orgResourceId).toBe(path)
    }
  }
  const twice = await anna.ask(
    'GET',
    'mappings/api/v1/devices?organization=nordwerk&organization=acqua',
  )
  expect(twice.text).not.toContain(foreign.device)
  const there = await as.paola.ask('GET', `${core('acqua')}/roles?search=mixed&pageSize=100`)
  expect(there.json<Listed>().content).toEqual([])
  const devices = await as.paola.ask(
    'GET',
    'mappings/api/v1/devices?organization=acqua.*&search=mixed',
  )
  expect(devices.json<Data>().data).toEqual([])
})

test('attack 51: the name of a foreign organization in a query opens nothing (licences and limits wait)', async () => {
  const { ask } = as.anna
  for (const name of ['acqua', 'acqua.*', '*.acqua', String(foreign.role), 'nordwerk,acqua']) {
    for (const path of [
      `mappings/api/v1/devices?organization=${name}`,
      `mappings/api/v1/models/names?organization=${name}`,
      `audit/api/v1/entries?organization=${name}`,
      `audit/api/v1/export?organization=${name}`,
      `core/api/v1/organizations/users?organization=${name}`,
      `license/api/v1/limits?orgResourceId=${name}`,
      `platform/api/v1/alarms/severityCount?organization=${name}`,
      `platform/api/v1/alarms/rules?organization=${name}`,
      `platform/api/v1/alarms/shelves?organization=${name}`,
      `platform/api/v1/alarms/views?organization=${name}`,
      `platform/api/v1/alarms/settings?organization=${name}`,
      `platform/api/v1/alarms/report?organization=${name}&from=0&to=1`,
      `platform/api/v1/alarms/actions?organization=${name}`,
      `notification/api/v1/deliveries/log?organization=${name}`,
      `notification/api/v1/notifications?organization=${name}`,
      `trigger/api/v1/triggers?organization=${name}`,
      `trigger/api/v1/runs?organization=${name}`,
      `mappings/api/v1/dashboards?organization=${name}`,
      `mappings/api/v1/dashboards/trash?organization=${name}`,
    ]) {
      await refused(ask('GET', path), 404)
    }
  }
  const people = await ask(
    'GET',
    'core/api/v1/organizations/users?organization=nordwerk&orgResourceId=acqua',
  )
  expect(people.status === 404 || people.json<Listed>().content.length === 0).toBe(true)
  for (const filters of [
    { organizations: ['acqua'] },
    { organizations: ['acqua', 'nordwerk'] },
    { deviceIds: [foreign.device] },
    { searchFields: ['orgResourceId'], searchValues: ['acqua'], matchAny: true },
  ]) {
    for (const scopedOrganization of ['acqua', 'acqua.*', undefined]) {
      const body = { filters, scopedOrganization, pageSize: 500 }
      const found = await ask('POST', 'mappings/api/v1/devices/search?organization=nordwerk', body)
      expect(found.text).not.toContain(foreign.device)
    }
  }
})

test("attack 52: an import token moves one device of one's own, once (that it expires is shown in core)", async () => {
  const { ask } = as.anna
  const paola = as.paola.ask
  const { token } = await make<{ token: string }>(paola, `${core('acqua')}/importToken`, {})
  const move = (who: Ask, device = '', organizationImportToken: string, org = 'nordwerk') =>
    who('POST', `${core(org)}/devices/${device}/move`, { organizationImportToken })
  // A token of one person does not move a device of another, for neither of them.
  await refused(move(paola, own.device, token, 'acqua'), 404)
  await refused(move(paola, own.device, token), 404)
  await refused(move(as.max.ask, own.device, token, 'nordwerk.sonnenkorn'), 403)
  for (const bad of ['x', `${token}x`, token.toUpperCase(), `${token}\u0000`, '%', '../../x'])
    await refused(move(ask, own.device, bad), 400, 422)
  const [id, other] = await newDevices(ask, ['traveller', 'second traveller'])
  await ok(move(ask, id, token))
  await refused(move(ask, other, token), 422)
  await refused(move(ask, id, token), 404, 422)
  const { token: back } = await make<{ token: string }>(ask, `${core('nordwerk')}/importToken`, {})
  await refused(move(ask, id, back), 404)
  expect((await ask('GET', `mappings/api/v1/devices/${id}?organization=nordwerk`)).status).toBe(404)
})

test("attack 53: a dealer reaches a client's client only by a role that reaches down, and not past private access", async () => {
  const dealer = 'nordwerk.alpdrive'
  const dario = as.dario.ask
  await make(dario, core(dealer), { name: 'client' })
  await make(dario, core(`${dealer}.client`), { name: 'site' })
  const role = (await listed(as.anna.ask, `${core(dealer)}/roles?name=app_dealer`))[0]?.id
  const copy = { name: 'near-dealer', label: 'Near dealer', copyOf: role, inherit: false }
  await make(as.anna.ask, `${core(dealer)}/roles`, copy)
  const near = await world.join(dealer, 'near', 'near-dealer')
  const far = await world.join(dealer, 'far', 'app_dealer')
  const chief = await world.join(`${dealer}.client`, 'chief', 'app_administrator')
  const of = (org: string) => [
    core(org),
    `${core(org)}/users`,
    `${core(org)}/roles`,
    `mappings/api/v1/devices?organization=${org}`,
    `platform/api/v1/organizations/${org}/devices`,
  ]
  await ok(near.ask('GET', `${core(dealer)}/users`))
  for (const org of [`${dealer}.client`, `${dealer}.client.site`]) {
    for (const path of of(org)) {
      await refused(near.ask('GET', path), 404)
      await ok(far.ask('GET', path))
    }
  }
  const change = { privateAccess: true, allowDisablePrivateAccess: false }
  await ok(chief.ask('PUT', core(`${dealer}.client`), change))
  for (const org of [`${dealer}.client`, `${dealer}.client.site`]) {
    for (const path of of(org)) {
      for (const { ask } of [near, far, as.tom, as.anna]) await refused(ask('GET', path), 404)
    }
  }
  for (const path of of(`${dealer}.client.site`)) await ok(chief.ask('GET', path))
})

test('private access holds for all below, for a device itself and for what is done to it', async () => {
  const dealer = 'nordwerk.alpdrive'
  const organization = `${dealer}.vault`
  await make(as.dario.ask, core(dealer), { name: 'vault' })
  const { ask: inside } = await world.join(organization, 'keeper', 'app_administrator')
  const place = `mappings/api/v1/devices?organization=${organization}`
  const hidden = await make<{ id: string }>(inside, place, { label: 'hidden machine' })
  const change = { privateAccess: true, allowDisablePrivateAccess: false }
  await ok(inside('PUT', core(organization), change))
  const action = { kind: 'addTags', tags: ['taken'] }
  for (const { ask } of [as.tom, as.anna]) {
    for (const reach of ['nordwerk.*', `${dealer}.*`, '*']) {
      const query = `organization=${reach}`
      for (const answer of [
        await ask('GET', `mappings/api/v1/devices?pageSize=500&${query}`),
        await ask('GET', `mappings/api/v1/devices/facets?${query}`),
        await ask('POST', `mappings/api/v1/devices/search?${query}`, { data: 'label ~= "hidden"' }),
        await ask('GET', `platform/api/v1/organizations/${reach}/devices?pageSize=500`),
        await ask('GET', `audit/api/v1/entries?pageSize=500&resource=devices&${query}`),
      ]) {
        // The id stands in the trail of who tried it.
        expect(answer.text).not.toMatch(/hidden machine/)
      }
      const selection = { ids: [hidden.id] }
      await ask('POST', `mappings/api/v1/devices/bulk?${query}`, { action, selection, label: 'x' })
    }
    for (const org of ['nordwerk', dealer, `${dealer}.*`]) {
      const path = `platform/api/v1/organizations/${org}/devices/${hidden.id}`
      for (const what of ['tags', 'configuration', 'timeline', 'logs', 'activationKey']) {
        await refused(ask('GET', `${path}/${what}`), 404)
      }
      await refused(ask('POST', `${path}/comments`, { text: 'x' }), 404)
    }
  }
  const kept = await inside(
    'GET',
    `mappings/api/v1/devices/${hidden.id}?organization=${organization}`,
  )
  expect(kept.json<{ value: { tags: string[] } }>().value.tags).toEqual([])
})

test('attack 54: a parent without inherit reads nothing of its child', async () => {
  const { ask } = await world.join('nordwerk', 'plain', 'app_operator')
  const below = 'nordwerk.sonnenkorn'
  const [{ id: device } = { id: '' }] = (
    await as.anna.ask('GET', `mappings/api/v1/devices?organization=${below}`)
  ).json<Data>().data
  for (const path of [
    core(below),
    `${core(below)}/users`,
    `${core(below)}/devices`,
    `mappings/api/v1/devices?organization=${below}`,
    `mappings/api/v1/devices/${device}?organization=nordwerk`,
    `mappings/api/v1/devices/${device}?organization=nordwerk.*`,
    `mappings/api/v1/devices/${device}?organization=*`,
    `platform/api/v1/organizations/nordwerk/devices/${device}/tags?modelPath=**`,
    `platform/api/v1/organizations/nordwerk/devices/${device}/series`,
    `platform/api/v1/organizations/${below}/devices/${device}/status`,
  ]) {
    await refused(ask('GET', path), 404)
  }
  for (const organization of ['*', 'nordwerk.*']) {
    const found = await ask(
      'GET',
      `mappings/api/v1/devices?pageSize=500&organization=${organization}`,
    )
    expect(found.text).toContain(own.device)
    expect(found.text).not.toContain(device)
  }
  const tree = await ask('GET', `${core('nordwerk')}/tree`)
  expect(tree.text).not.toMatch(/sonnenkorn|alpdrive/i)
  const inside = await ask('GET', `${core('nordwerk')}/organizations`)
  expect(inside.text).not.toMatch(/sonnenkorn|alpdrive/i)
  const counted = await ask('GET', `${core('nordwerk')}/dependencies`)
  expect(counted.text).not.toMatch(/sonnenkorn|alpdrive/i)
})

test('of roles together only those that reach down count below', async () => {
  const below = 'nordwerk.sonnenkorn'
  const rules = [{ resource: 'devices', actions: ['read'] }]
  const role = { name: 'far-reader', label: 'Far reader', rules, inherit: true }
  await make(as.anna.ask, `${core('nordwerk')}/roles`, role)
  const { ask } = await world.join('nordwerk', 'mixed', 'far-reader', 'app_operator')
  const ovens = `mappings/api/v1/devices?organization=${below}&search=oven-line-1`
  const [{ id: device } = { id: '' }] = (await as.anna.ask('GET', ovens)).json<Data>().data
  const path = `platform/api/v1/organizations/nordwerk/devices/${device}`
  const writing = { data: [{ modelPath: 'x', v: 1 }], timeoutMs: 0 }
  await ok(ask('GET', `${path}/configuration`))
  await refused(ask('POST', `${path}/tags`, writing), 403)
  await refused(ask('POST', `${path}/status/sync`), 403)
  // The role that reaches down names no model paths: it gives all of them, to read.
  const temperature = `${path}/tags?modelPath=OvenLine:1/zone1/temperature`
  const values = await ok(ask('GET', temperature))
  expect(values.json<{ deviceId: string }[]>()).toMatchObject([{ deviceId: device }])
  const place = `mappings/api/v1/devices/${device}?organization=nordwerk.*`
  await refused(ask('PATCH', place, { label: 'taken' }), 404)
})

test("attack 55: a child changes nothing of its parent's roles, groups, models and presets (themes wait)", async () => {
  const { ask } = await world.join('nordwerk.sonnenkorn', 'child', 'app_administrator')
  const roles = await listed(as.anna.ask, `${core('nordwerk')}/roles?pageSize=500`)
  const ready = roles.find(({ name }) => name === 'app_viewer')?.id ?? 0
  for (const org of ['nordwerk', 'nordwerk.sonnenkorn']) {
    for (const role of [own.role, ready]) {
      await refused(ask('PUT', `${core(org)}/roles/${role}`, { label: 'taken' }), 404)
      await refused(ask('DELETE', `${core(org)}/roles/${role}?force=true`), 404)
      await refused(ask('PUT', `${core(org)}/roles/${role}/modelPathPermissions`, []), 404)
    }
    await refused(ask('PUT', `${core(org)}/userGroups/${own.group}`, { name: 'taken' }), 404)
    await refused(ask('PUT', `${core(org)}/securityPolicies/${own.policy}`, { name: 'taken' }), 404)
    await refused(ask('PUT', `${core(org)}/users/${own.user}`, { firstName: 'taken' }), 404)
    for (const [kind, id] of [
      ['models', own.model],
      ['presets', own.preset],
      ['mappings', own.preset],
    ]) {
      for (const organization of [org, `${org}.*`, '*']) {
        const path = `mappings/api/v1/${kind}/${id}?organization=${organization}`
        await refused(ask('PUT', path, { name: 'taken:1.0.0', data: {} }), 404)
        await refused(ask('DELETE', path), 404)
      }
    }
  }
  await refused(ask('PUT', core('nordwerk'), { label: 'taken' }), 404)
  const kept = await as.anna.ask('GET', `${core('nordwerk')}/roles/${own.role}`)
  expect(kept.json<{ label: string }>().label).toBe('Night')
})

test('attack 56: a device group takes no device of a foreign organization, also behind one that is its own', async () => {
  const { ask } = as.anna
  const group = `${core('nordwerk')}/securityPolicies/${own.policy}`
  await refused(ask('POST', `${group}/devices/${foreign.device}`), 404)
  await refused(ask('POST', `${group}/devices/${own.device},${foreign.device}`), 404)
  await refused(ask('PUT', `${group}/devices`, { add: [own.device, foreign.device] }), 404)
  await refused(ask('PUT', `${group}/devices`, { add: [], remove: [foreign.device] }), 404)
  const theirs = `${core('nordwerk')}/securityPolicies/${foreign.policy}`
  await refused(ask('POST', `${theirs}/devices/${own.device}`), 404)
  await refused(
    ask('POST', `${core('acqua')}/securityPolicies/${foreign.policy}/devices/${own.device}`),
    404,
  )
  const held = await ask('GET', `${group}/devices`)
  expect(held.json<Listed>().content).toEqual([])
  const { id } = await world.join('nordwerk', 'seen', 'app_viewer')
  const user = `${core('nordwerk')}/users/${id}/securityPolicies`
  await refused(ask('POST', `${user}/${own.policy},${foreign.policy}`), 404)
  expect(await listed(ask, user)).toEqual([])
})

test("attack 57: no list of ids brings in something foreign behind what is one's own", async () => {
  const { ask } = as.anna
  const group = `${core('nordwerk')}/userGroups/${own.group}`
  const before = await ask('GET', group)
  await refused(ask('POST', `${group}/roles/${own.role},${foreign.role}`), 404)
  await refused(ask('POST', `${group}/roles/${foreign.role}`), 404)
  await refused(ask('POST', `${group}/securityPolicies/${own.policy},${foreign.policy}`), 404)
  await refused(ask('POST', `${group}/members/${foreign.user}`), 404)
  const pairs = {
    rolesId: [own.role, foreign.role],
    policiesId: [own.policy, foreign.policy],
    membersId: [own.user, foreign.user],
    adminUserMembersId: [own.user, foreign.user],
  }
  for (const [field, ids] of Object.entries(pairs)) {
    await refused(ask('PUT', group, { [field]: ids }), 404, 422)
    const made = ask('POST', `${core('nordwerk')}/userGroups`, { name: field, [field]: ids })
    await refused(made, 404, 422)
  }
  for (const field of ['memberOf', 'regularUserOf', 'adminUserOf', 'rolesId']) {
    const ids = field === 'rolesId' ? pairs.rolesId : [own.group, foreign.group]
    const body = { username: field.toLowerCase(), password: 'a long pass phrase 7', [field]: ids }
    await refused(ask('POST', `${core('nordwerk')}/users`, body), 404, 422)
    const found = await listed(ask, `${core('nordwerk')}/users?username=${field.toLowerCase()}`)
    expect(found).toEqual([])
  }
  const rule = { resource: 'devices', actions: ['read'], deviceGroup: foreign.policy }
  const role = { name: 'crossing', label: 'Crossing', rules: [rule] }
  await refused(ask('POST', `${core('nordwerk')}/roles`, role), 404, 422)
  const copy = { name: 'crossing', label: 'Crossing', copyOf: foreign.role }
  await refused(ask('POST', `${core('nordwerk')}/roles`, copy), 404, 422)
  const after = await ask('GET', group)
  expect(after.text).toBe(before.text)
})

test('no id of a foreign organization does anything inside of a body', async () => {
  const { ask } = as.anna
  const paola = as.paola.ask
  const mapped = (path: string) => `mappings/api/v1/${path}?organization=nordwerk`
  const told = (path: string) => `platform/api/v1/organizations/nordwerk/${path}`
  const there = (path: string) => `platform/api/v1/organizations/acqua/${path}`
  const view = await make(paola, there('views'), {
    name: 'theirs',
    shared: true,
    query: { a: 'b' },
  })
  const content = { deviceIds: [foreign.device] }
  const theirs = { name: 'theirs', shared: true, content }
  const segment = await make(paola, 'mappings/api/v1/segments?organization=acqua', theirs)
  const comment = await make(paola, there(`devices/${foreign.device}/comments`), { text: 'theirs' })
  const rule = await ok(paola('PUT', there('retention'), { path: 'x/**', keepDays: 9 }))
  const action = { kind: 'addTags', tags: ['taken'] }
  const selection = { ids: [foreign.device] }
  const bulk = await make(paola, 'mappings/api/v1/devices/bulk?organization=acqua', {
    action: { kind: 'addTags', tags: ['tidy'] },
    selection,
    label: 'theirs',
  })
  const ruleId = rule.json<{ id: string }>().id

  for (const path of [
    told(`views/${view.id}`),
    told(`devices/${foreign.device}/comments`),
    told(`devices/${foreign.device}/timeline`),
    told(`devices/${foreign.device}/storage`),
    told(`devices/${foreign.device}/agent`),
    mapped(`jobs/${bulk.id}`),
    mapped(`jobs/${bulk.id}/failures`),
    `${mapped('devices')}&segment=${segment.id}`,
    mapped(`presets/${foreign.preset}`),
    mapped(`presets/${foreign.preset}/deviceConfiguration`),
    mapped(`models/${foreign.model}/usage`),
  ]) {
    await refused(ask('GET', path), 404)
  }
  const tree = { type: 'object', properties: { a: { type: 'double' } } }
  for (const [method, path, body] of [
    ['PUT', told(`views/${view.id}`), { name: 'taken', version: 1 }],
    ['DELETE', told(`views/${view.id}`)],
    ['PATCH', mapped(`segments/${segment.id}`), { name: 'taken' }],
    ['PUT', mapped(`segments/${segment.id}/devices`), { add: [own.device] }],
    ['DELETE', mapped(`segments/${segment.id}`)],
    ['POST', told(`devices/${foreign.device}/comments`), { text: 'taken' }],
    ['PATCH', told(`devices/${foreign.device}/comments/${comment.id}`), { text: 'taken' }],
    ['PATCH', told(`devices/${own.device}/comments/${comment.id}`), { text: 'taken' }],
    ['DELETE', told(`devices/${own.device}/comments/${comment.id}`)],
    ['POST', told('comments/search'), { deviceIds: [own.device, foreign.device] }],
    ['DELETE', told(`retention/${ruleId}`)],
    ['POST', mapped(`jobs/${bulk.id}/cancel`)],
    ['POST', mapped(`jobs/${bulk.id}/retry`)],
    ['POST', mapped(`presets/${foreign.preset}/assign`), { deviceIds: [own.device] }],
    ['POST', mapped('presets/dryRun'), { data: tree, presetId: foreign.preset }],
    ['POST', mapped(`models/${foreign.model}/impact`), { data: tree }],
    ['POST', mapped('models/validate'), { modelId: foreign.model, data: tree }],
    ['PUT', mapped(`models/${foreign.model}/subOrgsEnabledToView`), { data: true }],
    ['POST', mapped(`devices/${foreign.device}/restore`), {}],
    ['DELETE', mapped(`devices/trash/${foreign.device}`)],
    ['POST', mapped(`devices/${foreign.device}/configuration/resend`), {}],
    ['POST', told(`devices/${foreign.device}/agent/commands`), { kind: 'restart' }],
  ] as const) {
    await refused(ask(method, path, body), 404, 400)
  }
  const both = [own.device, foreign.device]
  const mixed = { name: 'mixed', content: { deviceIds: both } }
  const picked = await make<{ id: string }>(ask, mapped('segments'), mixed)
  const held = await ask('GET', `${mapped('devices')}&segment=${picked.id}`)
  expect(held.json<Data>().data.map(({ id }) => id)).toEqual([own.device])
  const preset = { presetId: foreign.preset }
  await refused(ask('POST', mapped('devices'), { label: 'crossed', ...preset }), 404, 422)
  await refused(ask('PUT', mapped(`devices/${own.device}`), preset), 404, 422)
  const sources = both.map((deviceId) => ({ deviceId, modelPath: '**' }))
  await refused(ask('POST', told('devices/tags/query'), { sources }), 404)
  for (const [path, body] of [
    ['devices/bulk', { action, selection: { ids: both } }],
    [
      'devices/bulk',
      { action: { kind: 'setPreset', ...preset }, selection: { ids: [own.device] } },
    ],
    ['devices/bulk', { action: { kind: 'delete' }, selection }],
    [`presets/${own.preset}/assign`, { deviceIds: [foreign.device] }],
  ] as const) {
    const named = path === 'devices/bulk' ? { label: 'x' } : {}
    const { id } = await make<{ id: string }>(ask, mapped(path), { ...body, ...named })
    const ended = async () => (await ask('GET', mapped(`jobs/${id}`))).json<{ state: string }>()
    await expect.poll(ended, { timeout: 60_000 }).toMatchObject({ state: 'DONE', failed: 1 })
    const { text } = await ask('GET', mapped(`jobs/${id}/failures`))
    expect(text).toMatch(/not_found|no_such_preset/)
  }
  const device = await paola('GET', `mappings/api/v1/devices/${foreign.device}?organization=acqua`)
  expect(device.json<{ value: object }>().value).toMatchObject({ deleted: false })
  expect(device.text).not.toContain('taken')
})
