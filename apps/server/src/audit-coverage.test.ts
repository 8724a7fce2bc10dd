import { auditContract } from '@longreach/audit/contract'
import { callNameOf, type Contract, type Endpoint } from '@longreach/kit/contract'
import type { AnyService, Authorizer } from '@longreach/kit/service'
import { serviceOf, person, type TestServer, testServer } from '@longreach/kit/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { chosenServices } from './services.ts'

/**
 * Copy of a service whose handlers do nothing, for every call that is not GET: its audit entries
 * then are those that the kit writes on its own.
 */
const emptied = (service: AnyService): AnyService => {
  const { service: name, base, endpoints }: Contract = service.contract
  const plain = Object.entries(endpoints).map(([key, endpoint]) => {
    const { params: _, ...rest } = endpoint
    const anything = { query: z.looseObject({}), body: z.unknown(), result: z.undefined() }
    return [key, { ...rest, ...anything }] as const
  })
  const handlers = plain.map(([key]) => [key, async () => undefined] as const)
  return serviceOf<object>()({
    contract: { service: name, base, errors: {}, endpoints: Object.fromEntries(plain) },
    migrations: new URL('./', import.meta.url), // holds none
    handlers: () => Object.fromEntries(handlers) as never, // one for each endpoint above
  })
}

const everything: Authorizer = async (_, reference) => ({
  organization: {
    id: 1,
    resourceId: reference ?? 'nordwerk',
    name: 'nordwerk',
    label: 'Nordwerk',
    realm: 'nordwerk',
    dataEnabled: true,
    vpnEnabled: true,
  },
  capability: {
    grants: new Proxy({}, { get: () => 511 }), // grants everything
    deviceGroups: [],
  },
  below: false,
})

let server: TestServer
let services: AnyService[]
beforeAll(async () => {
  services = await chosenServices(undefined)
  server = await testServer(services.map(emptied), { admit: () => everything })
})
afterAll(() => server.close())

const anna = person('anna', 'nordwerk', 'nordwerk')

type OneCall = { name: string; contract: Contract; endpoint: Endpoint }
const calls = (): OneCall[] =>
  services.flatMap(({ contract }: { contract: Contract }) =>
    Object.entries(contract.endpoints)
      .filter(([, { method }]) => method !== 'GET')
      .map(([name, endpoint]) => ({
        name: callNameOf(contract, name, endpoint),
        contract,
        endpoint,
      })),
  )
const isForServices = ({ endpoint: { access } }: OneCall) => access === 'service'

async function make({ contract, endpoint }: OneCall, body?: unknown) {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    name === 'org' ? 'nordwerk' : 'x1',
  )
  const answer = await server.fetchAs(anna)(
    `${endpoint.base ?? contract.base}${path}?organization=nordwerk`,
    {
      method: endpoint.method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    },
  )
  return answer.status
}

type Line = { call: string; outcome: string; actor: { sub: string }; organization: string }
async function left() {
  const { rows } = await sql<{ payload: Line; text: string }>`delete from bus.event
    where topic = 'audit.recorded' returning payload, payload::text as text`.execute(
    server.database.db,
  )
  return rows
}

test('every call that changes something leaves one line, whatever its handler forgets', async () => {
  const wrong: string[] = []
  let made = 0
  for (const call of calls().filter((one) => !isForServices(one))) {
    const status = await make(call)
    const lines = await left()
    made += 1
    const silent = call.endpoint.reads === true || call.endpoint.audit === 'own'
    const expected = silent ? [] : [`${call.name} done anna nordwerk`]
    const found = lines.map(
      ({ payload: { call: name, outcome, actor, organization } }) =>
        `${name} ${outcome} ${actor.sub} ${organization}`,
    )
    if (status >= 300 || found.join() !== expected.join()) {
      wrong.push(`${call.name} ${status}: ${found.join() || 'nothing'}`)
    }
  }
  expect(wrong).toEqual([])
  expect(made).toBeGreaterThan(60)
})

test('only calls whose handlers decide about the trail write all of its lines themselves', () => {
  const own = calls().filter(({ endpoint }) => endpoint.audit === 'own')
  expect(own.map(({ name }) => name).toSorted()).toEqual([
    // An entry for each alarm that changed, also of a job.
    'alarms.acknowledge',
    'alarms.acknowledgeAll',
    'alarms.clear',
    'alarms.clearAll',
    'alarms.reset',
    'alarms.resetAll',
    'alarms.shelveAlarms',
    'core.moveDevice', // it stands in the trails of both organizations
    // An upload changes nothing that others see before it is finished.
    'dashboards.cancelAssetUpload',
    // The draft's own history says what was changed; the trail has what is published.
    'dashboards.changeDraft',
    'dashboards.restoreDraft',
    'dashboards.startAssetUpload', // as its cancellation
    'notifications.readInbox', // reading one's own messages changes nothing that others see
    'platform.commandAgent', // only commands that change the gateway
  ])
})

/** Calls that only read although they are not GET, with the reason. */
const reading: Record<string, string> = {
  'identity.signInStates': 'asks about many people',
  'core.consequences': 'asks about a form that is not saved yet',
  'core.testApplicationPermissions': 'asks about permissions of an application',
  'core.areAuthorized': 'asks many questions at once',
  'core.roleImpact': 'asks about a form that is not saved yet',
  'core.groupImpact': 'asks about a form that is not saved yet',
  'core.userImpact': 'asks about a form that is not saved yet',
  'core.ticketPermissions': 'for the server alone, about many organizations',
  'core.resolveApiKey': 'has the key in its body, for the server alone',
  'core.permittedDevice': 'for the server alone, asks whether a person may do something',
  'core.findPlaces': 'asks what names mean',
  'core.moveLosses': 'for the server alone, about a move that is not made yet',
  'dashboards.assetUrls': 'has its names in the body',
  'mappings.searchModels': 'has its filters in the body',
  'mappings.searchModelPaths': 'has its filters in the body',
  'mappings.validateModel': 'asks about a model that is not saved yet',
  'mappings.validatePreset': 'asks about a preset that is not saved yet',
  'mappings.searchDevices': 'has its filters in the body',
  'mappings.deviceAggregations': 'has its filters in the body',
  'mappings.exportDevices': 'has its filters in the body',
  'mappings.devicesChosen': 'for the server alone, with its filters in the body',
  'mappings.devicesDescribed': 'for the server alone, about many devices',
  'mappings.checkMove': 'asks about a move that is not made yet',
  'mappings.modelImpact': 'asks about a model that is not saved yet',
  'mappings.dryRun': 'asks about a preset that is not saved yet',
  'platform.queryTags': 'has its sources in the body',
  'platform.activity': 'asks about many devices',
  'platform.searchComments': 'asks about many devices',
  'platform.validateFormula': 'asks about a formula that is not saved yet',
  'mappings.judgePreset': 'for the server alone, about a preset that is not saved yet',
  'platform.previewRetention': 'asks about a rule that is not saved yet',
  'platform.estimateExport': 'asks about a file that is not made yet',
  'audit.verify': 'checks, and changes nothing',
  'notifications.tryNotification': 'asks about a rule that is not saved yet',
  'core.recipients': 'for the server alone, about many people',
  'alarms.searchAlarms': 'has its filters in the body',
  'alarms.listAlarms': 'has its filters in the body',
  'alarms.validateRule': 'asks about a rule that is not saved yet',
  'platform.tryRule': 'asks about a rule that is not saved yet',
  'platform.tryTrigger': 'asks about the past of devices',
  'platform.tryTriggerData': 'asks about a trigger that is not saved yet',
  'triggers.validateTrigger': 'asks about a trigger that is not saved yet',
  'notifications.checkOutgoing': 'for the server alone, about messages that are not kept yet',
}

test('a call that leaves no line has a reason', () => {
  const silent = calls().filter(({ endpoint }) => endpoint.reads === true)
  expect(silent.map(({ name }) => name).toSorted()).toEqual(Object.keys(reading).toSorted())
})

/** Field names of secrets: not the list that masks them, but an independent one. */
const secretWords = /pass|secret|token|otp|pin$|credential|recovery|apikey|activation|private/i

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** Paths of the fields of a body whose names suggest a secret. */
function secretsIn(schema: Schema, path: string[] = []): string[][] {
  const inside = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(secretWords.test(name) && holdsText(field) ? [[...path, name]] : []),
    ...secretsIn(field, [...path, name]),
  ])
  const items = schema.items ? secretsIn(schema.items, [...path, '0']) : []
  return [...fields, ...items, ...inside.flatMap((one) => secretsIn(one, path))]
}

const holdsText = ({ type, anyOf, items }: Schema): boolean =>
  type === 'string' ||
  (items !== undefined && holdsText(items)) ||
  (anyOf?.some(holdsText) ?? false)

const canary = 'canary-5e1f'

/** Body with a recognizable value at each path. */
function bodyWith(paths: readonly (readonly string[])[]) {
  const body: Record<string, unknown> = {}
  for (const path of paths) {
    let at = body
    for (const name of path.slice(0, -1)) at = (at[name] ??= {}) as Record<string, unknown>
    at[path.at(-1) ?? ''] = canary
  }
  return body
}

test('no secret that a call may carry stands in the trail', async () => {
  const found: string[] = []
  const leaked: string[] = []
  for (const call of calls().filter((one) => !isForServices(one))) {
    const { body } = call.endpoint
    if (!body) continue
    const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema // the input form of the schema
    const paths = secretsIn(schema)
    found.push(...paths.map((path) => `${call.name} ${path.join('.')}`))
    expect(await make(call, bodyWith(paths))).toBeLessThan(300)
    for (const { text } of await left())
      if (text.includes(canary)) leaked.push(`${call.name} ${text}`)
  }
  expect(leaked).toEqual([])
  expect(found).toContain('core.createUser password')
  expect(found.length).toBeGreaterThan(5)
})

test('the trail of the audit service itself is asked for by its own permission [A-02 in part]', () => {
  const { report: _, setRetention, ...rest } = auditContract.endpoints
  expect(Object.values(rest).every(({ access }) => access === 'audit:access')).toBe(true)
  expect(setRetention.access).toBe('organizations:update')
})
