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
      const role = { name, label: name, rules: [], ...named }
      const made = await anna.ask('POST', `${core(path)}/roles?${session}`, role)
      if (path === 'acqua') expect(made.status).toBe(404)
      else expect(made.json<{ orgResourceId: string }>().orgResourceId).toBe(path)
      const query = `organization=${path}&org=${token}&orgResourceId=${token}`
      const device = { label: name, ...named }
      const built = await anna.ask('POST', `mappings/api/v1/devices?${query}`, device)
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

test('attack 51: the name of a foreign organization in a query opens nothing (licences, limits and alarms wait)', async () => {
  const { ask } = as.anna
  for (const name of ['acqua', 'acqua.*', '*.acqua', String(foreign.role), 'nordwerk,acqua']) {
    for (const path of [
      `mappings/api/v1/devices?organization=${name}`,
      `mappings/api/v1/models/names?organization=${name}`,
      `audit/api/v1/entries?organization=${name}`,
      `audit/api/v1/export?organization=${name}`,
      `core/api/v1/organizations/users?organization=${name}`,
      `license/api/v1/limits?orgResourceId=${name}`,
      `platform/api/v1/alarms/last?orgResourceId=${name}`,
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
  // Not theirs: neither the owner of the token nor somebody else takes a device by it.
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
