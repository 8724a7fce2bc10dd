import { addPerson, coreAuthorizer, seed, type Seeded } from '@longreach/core/testing'
import { coreContract } from '@longreach/core/contract'
import { actions, resources } from '@longreach/authorization/permissions'
import type { Access, Endpoint } from '@longreach/kit/contract'
import type { Caller } from '@longreach/kit/service'
import { memoryNetwork } from '@longreach/kit/fabric-testing'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { mappingsContract } from '@longreach/mappings/contract'
import { platformContract } from '@longreach/platform/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chosenServices } from './services.ts'

/** Calls open to everybody or to every signed-in person, with the reason. */
const open: Record<string, string> = {
  'core.applicationPermissions': 'says which permissions there are, the same to everybody',
  'core.instance': 'says only which installation this is',
  'core.loginInfo': 'is asked before anybody can sign in; answers the name of a realm',
  'core.setupNeeded': 'is asked before anybody exists',
  'core.setup': 'is guarded by the one-time token of the console',
  'core.onboarding': 'says whether people may register, and to what they would agree',
  'core.myInvitations': 'is about the caller alone',
  'core.acceptInvitation': 'is about the caller alone',
  'core.declineInvitation': 'is about the caller alone',
  'core.requestAccess': 'asks to be let in; answered alike whatever there is, and counted',
  'core.selfOnBoarding': 'registers a person; off unless the installation is open, and counted',
  'core.confirmOnBoarding': 'is guarded by the token that was mailed',
  'core.agreementsLast': 'is about the realm of the caller',
  'core.agreementsCheck': 'is about the caller alone',
  'core.acceptAgreements': 'is about the caller alone, in their realm',
  'core.mine': 'answers memberships of the caller',
  'core.mineRealms': 'answers memberships of the caller',
  'core.myIp': 'answers the address of the caller',
  'core.me': 'answers the caller',
  'core.ownAccount': 'is about the caller alone',
  'core.updateOwnAccount': 'is about the caller alone',
  'core.removeOwnCredential': 'is about the caller alone, with a young sign-in',
  'core.endOwnSession': 'is about the caller alone',
  'core.userExists': 'answers for the realm of the caller',
  'core.property': 'is about the caller alone',
  'core.setProperty': 'is about the caller alone',
  'notifications.calendar': 'its address is the secret',
  'notifications.pulseAlive':
    'says only whether alarms are delivered, for programs that look from outside',
  'platform.exportFileByTicket':
    'is guarded by a link that its owner was given for one file, and by the rules of the organization',
  'platform.validateFormula': 'judges a text that the caller brings, and answers nothing else',
  'dashboards.dashboardSchema': 'describes the form of documents, the same to everybody',
  'mappings.assignPreset': 'asks for devices:update in the organization of the device it finds',
}

/** Calls that check the permission in their handler, because they learn the organization there. */
const inside: Record<string, Access> = {
  'mappings.assignPreset': 'devices:update',
  // A group's own administrators may too.
  'core.groupMembers': 'usergroups:read',
  'core.addGroupMember': 'usergroups:update',
  'core.removeGroupMember': 'usergroups:update',
  // Everybody may ask about themselves.
  'core.userAccess': 'users:read',
}

/** Routes of other protocols than the contracts; each has its own guard and tests. */
const otherProtocols = [
  /^\/auth\/realms\/:/, // OpenID Connect and the pages of identity
  /^\/auth\/resources\//, // styles and scripts of those pages
  /^\/auth\/admin\//, // administration tools: only tokens of the realm master (admin-rest.test.ts)
  /^\/manage\/access\//, // sign-in by a form, with its own cookie (form-login.test.ts)
  /^\/manage\/commands\/commands\.access\.client\.ping$/, // keep-alive of that form's session
  /^\/svc\/identity\/access\/login$/, // that form, by its other address
  /^\/pairing\//, // activation keys and device certificates
  /^\/svc\/mappings\/api\/v1\/dashboards\/assets\/:sha256\/:name$/, // files by signed addresses (assets.test.ts)
  /\/openapi\.json$/, // documents without any data
  /^\*$/, // CORS preflight
]

const own = ['owner', 'administrator', 'viewer', 'parentInherit', 'member'] as const
const strangers = ['foreigner', 'neighbour', 'parentPlain'] as const
type Actor = 'nobody' | 'house' | (typeof own)[number] | (typeof strangers)[number]
const actors: readonly Actor[] = ['nobody', 'house', ...own, ...strangers]

const look = ['portal:access', ...['organizations', 'devices', 'devicegroups', 'models'].map(read)]
const viewer = [...look, ...['dashboards', 'notifications', 'alarms'].map(read)]
const engineer = [
  ...viewer,
  ...['devices', 'devicegroups', 'models', 'dashboards', 'notifications'].flatMap((resource) => [
    `${resource}:create`,
    `${resource}:update`,
  ]),
  'devices:access',
  'alarms:create',
  'alarms:update',
  'alarms:delete',
  'alarms:ack',
  'alarms:reset',
  'alarms:clear',
  'vpn:read',
  'vpn:access',
]
/** Permissions of an administrator: all except the owner's. */
const administrator = resources
  .flatMap((resource) => actions.map((action): string => `${resource}:${action}`))
  .filter((permission) => permission !== 'organizations:delete')
function read(resource: string) {
  return `${resource}:read`
}

/** Permissions of people in nordwerk.service: all, a list, or none. */
const rights: Partial<Record<Actor, readonly string[] | 'all'>> = {
  owner: 'all',
  administrator,
  viewer,
  parentInherit: engineer,
  member: [],
}

type Cell = 'through' | 'sign in' | 'missing permission' | 'no such organization'

/** Expected cell of the matrix, from the contract alone. */
function expected(access: readonly Access[], actor: Actor): Cell {
  if (access.includes('public')) return 'through'
  if (actor === 'nobody') return 'sign in'
  const house = actor === 'house'
  if (access.includes(house ? 'service' : 'signed-in')) return 'through'
  if (access.every((one) => one === 'service' || one === 'signed-in')) return 'missing permission'
  const held = rights[actor]
  if (house || held === undefined) return 'no such organization'
  const holds = held === 'all' || access.some((one) => one === 'member' || held.includes(one))
  return holds ? 'through' : 'missing permission'
}

let server: TestServer
/** A second process on the database of the first. */
let second: TestServer
let seeded: Seeded
const target = 'nordwerk.service'
const marker = 'canary-7f3a'
const ids: Record<string, string> = {}

beforeAll(async () => {
  const network = memoryNetwork()
  const options = { admit: coreAuthorizer, wire: async () => network.wire() }
  server = await testServer(await chosenServices(undefined), options)
  second = await testServer(await chosenServices(undefined), { ...options, beside: server })
  seeded = await seed(server)
  const core = server.as(seeded.people.owner, coreContract)
  const params = { org: target }
  // An organization with others below it cannot be deleted, so these exist during the whole test.
  for (const [org, label] of [
    [target, marker],
    ['nordwerk.press', 'kept'],
  ] as const) {
    await core.createOrganization({ params: { org }, query: {}, body: { name: 'kept', label } })
  }
  const mappings = server.as(seeded.people.owner, mappingsContract)
  const device = await mappings.createDevice({
    query: { organization: target },
    body: { label: `${marker}-oven`, description: marker },
  })
  await server.settle()
  const rules = [{ resource: 'devices' as const, actions: ['read' as const] }]
  const role = await core.createRole({ params, body: { name: marker, label: marker, rules } })
  const group = await core.createUserGroup({ params, body: { name: marker } })
  const policy = await core.createSecurityPolicy({ params, body: { name: marker } })
  const person = { username: marker, password: 'a long pass phrase 7', lastName: marker }
  const user = await core.createUser({ params, body: person })
  const view = await server
    .as(seeded.people.owner, platformContract)
    .createView({ params, body: { name: marker, query: {}, shared: true } })
  Object.assign(ids, {
    view: view.id,
    deviceId: device.id,
    device: device.id,
    id: device.id,
    name: `${marker}-oven`,
    role: String(role.id),
    roles: String(role.id),
    group: String(group.id),
    policy: String(policy.id),
    policies: String(policy.id),
    user: String(user.id),
    sub: user.sub,
    service: 'portal',
    property: 'locale',
    key: marker,
  })
})
afterAll(async () => {
  await second?.close()
  await server?.close()
})
const processes = ['first', 'second'] as const
const processNamed = (name: (typeof processes)[number]) => (name === 'first' ? server : second)

const calls = async () =>
  (await chosenServices(undefined)).flatMap(({ contract }) =>
    Object.entries(contract.endpoints).flatMap(([name, endpoint]) =>
      [endpoint.path, ...(endpoint.also ?? [])].map((path) => ({
        name: `${contract.service}.${name}`,
        base: endpoint.base ?? contract.base,
        path,
        endpoint,
      })),
    ),
  )
type OneCall = Awaited<ReturnType<typeof calls>>[number]

const nowhere: Record<string, string> = { deviceId: 'Z'.repeat(22), id: 'Z'.repeat(22) }

async function ask(
  asked: TestServer,
  call: OneCall,
  { actor, values }: { actor: Actor; values: Record<string, string> },
) {
  const org = values['org'] ?? target
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? '999999')
  const house: Caller = { kind: 'service', sub: 'test', username: 'test', realm: '' }
  const caller = actor === 'nobody' ? undefined : actor === 'house' ? house : seeded.people[actor]
  const url = `${call.base}${path}${call.path.includes(':org') ? '' : `?organization=${org}`}`
  const answer = await asked.fetchAs(caller)(url, { method: call.endpoint.method })
  const text = await answer.text()
  const json = (answer.headers.get('content-type') ?? '').includes('json')
  const body = json && text !== '' ? (JSON.parse(text) as { code?: string } | null) : null
  return { status: answer.status, code: body?.code ?? '', text }
}

function cellOf({ status, code }: { status: number; code: string }): Cell | string {
  if (status === 401) return 'sign in'
  if (code === 'auth.missing_permission') return 'missing permission'
  if (code === 'auth.no_such_organization') return 'no such organization'
  return status >= 500 ? `failed: ${status} ${code}` : 'through'
}

const accessOf = ({ access }: Endpoint, params: Record<string, string>): readonly Access[] => {
  const declared = typeof access === 'function' ? access(params) : access
  return typeof declared === 'string' ? [declared] : declared
}

test('every route is a call of a contract or a known other protocol [A-05]', async () => {
  const plain = (path: string) => path.replace(/:\w+(\|:\w+)*/g, ':')
  const declared = new Set((await calls()).map(({ base, path }) => plain(`${base}${path}`)))
  const unknown = routesOf(server.app.printRoutes({ commonPrefix: false })).filter(
    (route) => !declared.has(plain(route)) && !otherProtocols.some((one) => one.test(route)),
  )
  expect(unknown).toEqual([])
})

/**
 * Full paths from the printed tree of routes, in which four characters of indentation are one
 * level.
 */
function routesOf(tree: string) {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const found = /^([│├└─ ]*)(\S+)(?: \((.+)\))?$/.exec(line)
    if (!found) return []
    const [, indent = '', segment = '', methods] = found
    const depth = Math.max(indent.length / 4, 1)
    above[depth] = (above[depth - 1] ?? '') + segment
    return methods === undefined ? [] : [above[depth]]
  })
}

test('a call that asks for no permission has a reason [A-05]', async () => {
  const unguarded = (await calls())
    .filter(({ endpoint }) =>
      accessOf(endpoint, nowhere).some((one) => one === 'public' || one === 'signed-in'),
    )
    .map(({ name }) => name)
  expect([...new Set(unguarded)].toSorted()).toEqual(Object.keys(open).toSorted())
})

const cases = actors.flatMap((actor) => processes.map((process) => [actor, process] as const))

test.each(cases)(
  '%s gets through at the %s process exactly where the contracts say so [A-05]',
  async (actor, process) => {
    const asking = processNamed(process)
    const wrong: string[] = []
    let asked = 0
    for (const call of await calls()) {
      const cell = cellOf(await ask(asking, call, { actor, values: { ...nowhere, org: target } }))
      const known = rights[actor] === undefined ? undefined : inside[call.name]
      const should = expected(known ? [known] : accessOf(call.endpoint, nowhere), actor)
      asked += 1
      if (cell !== should) wrong.push(`${call.name} ${call.path}: ${cell}, not ${should}`)
    }
    expect(wrong).toEqual([])
    expect(asked).toBeGreaterThan(80)
  },
)

test.each(strangers.flatMap((actor) => processes.map((process) => [actor, process] as const)))(
  '%s sees nothing of the organization at the %s process, asked by its own ids [A-05]',
  async (actor, process) => {
    const asking = processNamed(process)
    const home = { foreigner: 'acqua', neighbour: 'nordwerk.press', parentPlain: 'nordwerk' }[actor]
    const leaks: string[] = []
    for (const org of [home, `${home}.*`, target, `${target}.*`]) {
      for (const call of await calls()) {
        const { status, text } = await ask(asking, call, { actor, values: { ...ids, org } })
        // A refusal may repeat the name from the request.
        if (text.replaceAll(`${marker}-oven`, '').includes(marker)) leaks.push(`${call.name} tells`)
        const named = /:(?!org\b|service\b|property\b|key\b|name\b|token\b)\w+/.test(call.path)
        const nothing =
          ['[]', '{}', '', 'false'].includes(text.trim()) && call.endpoint.method === 'GET'
        if (named && status < 300 && !nothing && !(call.name in open))
          leaks.push(`${call.name} ${org}: ${status}`)
      }
    }
    expect(leaks).toEqual([])
  },
)

test('a question about a tree goes by the rights that reach down [A-05]', async () => {
  const { nordwerk } = seeded.organizations
  const roles = ['app_operator', 'app_auditor'] // changes devices here; reads here and below
  const mixed = await addPerson(server, seeded.people.owner, {
    org: nordwerk,
    username: 'mixed',
    roles,
  })
  const mappings = server.as(mixed, mappingsContract)
  const query = { organization: 'nordwerk.*' }
  const id = ids['deviceId']!
  expect((await mappings.device({ params: { id }, query })).value.label).toBe(`${marker}-oven`)
  const change = mappings.updateDevice({ params: { id }, query, body: { label: 'changed' } })
  await expect(change).rejects.toMatchObject({ status: 404 })
})

test('after all that the organization is as it was [A-05]', async () => {
  const core = server.as(seeded.people.owner, coreContract)
  const params = { org: target }
  expect(await core.organization({ params })).toMatchObject({ status: 'ACTIVE', label: 'service' })
  expect((await core.userGroup({ params: { ...params, group: ids['group']! } })).name).toBe(marker)
  expect((await core.role({ params: { ...params, role: ids['role']! } })).name).toBe(marker)
  const mappings = server.as(seeded.people.owner, mappingsContract)
  const found = await mappings.device({
    params: { id: ids['deviceId']! },
    query: { organization: target },
  })
  expect(found.value.label).toBe(`${marker}-oven`)
})
