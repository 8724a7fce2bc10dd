import { afterAll, beforeAll, expect, test } from 'vitest'
import { band, query, type TriggersTest, triggersTest } from '../triggers-testing.ts'

let server: TriggersTest
beforeAll(async () => {
  server = await triggersTest()
})
afterAll(() => server.close())

const path = 'Oven:1/temperature'
const level = { type: 'ON_LEVEL', modelPathMatcher: path, level: 5 }
const changed = { type: 'ON_CHANGED', modelPathMatcher: path }
const link = { type: 'CONNECTION', source: 'IOT', status: 'ON' }
const each = { type: 'PASSTHROUGH', modelPathMatcher: path }
const all = { type: 'AND_OPERATOR', innerPolicies: [band, each] }
const nested = (depth: number): object =>
  depth === 0 ? band : { type: 'OR_OPERATOR', innerPolicies: [nested(depth - 1)] }
const year = 31_536_000_000

type Case = [what: string, policy: unknown, place: string, code: string]
const many = (field: string, base: object, values: unknown[], code: string): Case[] =>
  values.map((value) => [
    `${(base as { type: string }).type} ${field} ${JSON.stringify(value)?.slice(0, 30)}`,
    { ...base, [field]: value },
    `policy.${field}`,
    code,
  ])

const policies: Case[] = [
  ['a text', 'ANALOG_BAND', 'policy', 'wrong_type'],
  ['a list', [band], 'policy', 'wrong_type'],
  ['an unknown type', { ...band, type: 'SOMETHING' }, 'policy.type', 'not_one_of'],
  ['no type', { modelPathMatcher: path }, 'policy.type', 'not_one_of'],
  ...[band, level, changed, each].flatMap((base) => [
    ...many('modelPathMatcher', base, [undefined], 'missing'),
    ...many('modelPathMatcher', base, [7], 'wrong_type'),
    ...many('modelPathMatcher', base, [''], 'too_short'),
    ...many('modelPathMatcher', base, ['//'], 'invalid'),
    ...many('modelPathMatcher', base, [`Oven:1/${'x'.repeat(1_000)}`], 'too_long'),
    ...many('uuid', base, [7], 'wrong_type'),
    ...many('uuid', base, ['x'.repeat(300)], 'too_long'),
  ]),
  ...[band, level, link].flatMap((base) => [
    ...many('time', base, ['10', 1.5], 'wrong_type'),
    ...many('time', base, [-1], 'too_small'),
    ...many('time', base, [year + 1], 'too_large'),
  ]),
  ...[band, level].flatMap((base) => [
    ...many('min', base, ['50', true], 'wrong_type'),
    ...many('max', base, ['50', {}], 'wrong_type'),
    ...many('minOrEqual', base, [1], 'wrong_type'),
    ...many('maxOrEqual', base, ['yes'], 'wrong_type'),
  ]),
  ...many('inside', band, ['yes', 0], 'wrong_type'),
  ['a band without limits', { ...band, min: undefined }, 'policy.min', 'missing'],
  ['a band upside down', { ...band, max: 10 }, 'policy.max', 'band_order'],
  ...many('changeMask', changed, ['EVERYTHING', 1], 'not_one_of'),
  ...many('skipFirstNChanges', changed, [-1], 'too_small'),
  ...many('skipFirstNChanges', changed, [1_000_001], 'too_large'),
  ...many('skipFirstNChanges', changed, ['2', 0.5], 'wrong_type'),
  ...many('deadband', changed, [-0.1], 'too_small'),
  ...many('deadband', changed, ['1'], 'wrong_type'),
  ...many('isPercentage', changed, [1], 'wrong_type'),
  ...many('level', level, ['5', true], 'wrong_type'),
  ['a level without any', { ...level, level: undefined }, 'policy.level', 'missing'],
  ...many('levelBool', level, [1, 'on'], 'wrong_type'),
  ...many('mode', level, ['ON_BOTH'], 'not_one_of'),
  ...many('skipFirstChanges', level, [-1], 'too_small'),
  ...many('skipFirstChanges', level, ['1'], 'wrong_type'),
  ...many('source', link, ['WIFI'], 'not_one_of'),
  ...many('status', link, [true, 'UP'], 'not_one_of'),
  ...many('status', link, [undefined], 'missing'),
  ...many('innerPolicies', all, ['x'], 'wrong_type'),
  ...many('innerPolicies', all, [[]], 'too_few'),
  ...many('type', all, ['XOR_OPERATOR'], 'not_one_of'),
  [
    'a fault in a group of a group',
    { ...all, innerPolicies: [band, { ...all, innerPolicies: [each, { ...band, min: 'x' }] }] },
    'policy.innerPolicies.1.innerPolicies.1.min',
    'wrong_type',
  ],
  ['groups too deep', nested(40), `policy${'.innerPolicies.0'.repeat(16)}`, 'too_deep'],
  [
    'too many parts',
    {
      ...all,
      innerPolicies: Array.from({ length: 4 }, () => ({
        ...all,
        innerPolicies: Array.from({ length: 20 }, () => each),
      })),
    },
    '',
    'too_many_leaves',
  ],
]

type Refused = { status: number; details: Record<string, unknown> }
const refusal = (body: unknown): Promise<Refused> =>
  server.admin.createTrigger({ query, body: body as never }).then(
    () => {
      throw new Error('the trigger was saved')
    },
    (error: Refused) => error,
  )

type Issue = { place: string; code: string; message: string }

/** True when a refusal names a fault at its place, and the first of all in its words. */
function names({ details }: Refused, place: string, code: string) {
  const [first, ...others] = (details['issues'] ?? []) as Issue[]
  if (!first || details['field'] !== `triggerData.${first.place}`) return false
  if (!String(details['message']).includes(first.message)) return false
  const found = [first, ...others].find((issue) => issue.code === code)
  return found?.message !== undefined && (place === '' || found.place === place)
}

test('[R-23] each field of each policy: the answer names the place, the fault and the way out', async () => {
  const wrong: unknown[] = []
  for (const [what, policy, place, code] of policies) {
    const refused = await refusal({ name: 'x', triggerData: { policy } })
    if (refused.status !== 422 || !names(refused, place, code)) wrong.push({ what, refused })
  }
  expect(wrong).toEqual([])
  expect((await server.admin.triggers({ query })).totalElements).toBe(0)
})

const hook = { type: 'WEBHOOK_ACTION', webhookConfig: { url: 'https://mes.example/hook' } }
const mail = { type: 'EMAIL_ACTION', emailConfig: { emailTo: 'a@b.example' } }
const chat = { type: 'TELEGRAM_ACTION', telegramConfig: { token: '1:abc', chatId: 1 } }
const teams = { type: 'TEAMS_ACTION', teamsConfig: { endpoint: 'https://teams.example/x' } }
const attribute = { type: 'ATTRIBUTE_ACTION', attribute: 'hot' }
const write = { type: 'WRITE', path: 'Oven:1/speed' }
const alarm = { type: 'ALARM', name: 'Hot' }
const inConfig = (base: object, config: string, fields: object) => ({
  ...base,
  [config]: { ...(base as Record<string, object>)[config], ...fields },
})

type ActionCase = [action: object, field: string]
const ofEvery = (base: object): ActionCase[] => [
  [{ ...base, disabled: 'no' }, 'disabled'],
  [{ ...base, stateful: 1 }, 'stateful'],
  [{ ...base, throttlingIntervalInMSec: -1 }, 'throttlingIntervalInMSec'],
  [{ ...base, throttlingIntervalInMSec: 1.5 }, 'throttlingIntervalInMSec'],
  [{ ...base, throttlingIntervalInMSec: year + 1 }, 'throttlingIntervalInMSec'],
  [{ ...base, uuid: '' }, 'uuid'],
  [{ ...base, uuid: 7 }, 'uuid'],
]
const ofMessage = (base: object, config: string): ActionCase[] => [
  [{ ...base, [config]: undefined }, config],
  [{ ...base, [config]: 'x' }, config],
  [inConfig(base, config, { template: 7 }), `${config}.template`],
  [inConfig(base, config, { template: 'x'.repeat(20_001) }), `${config}.template`],
  [inConfig(base, config, { xdays: 'Monday' }), `${config}.xdays`],
  [inConfig(base, config, { xdays: [7] }), `${config}.xdays.0`],
  [inConfig(base, config, { xdays: [1.5] }), `${config}.xdays.0`],
]
const wireActions: ActionCase[] = [
  [{ type: 'SMS_ACTION' }, 'type'],
  [{}, 'type'],
  ...[hook, mail, chat, teams, attribute].flatMap(ofEvery),
  ...ofMessage(hook, 'webhookConfig'),
  ...ofMessage(mail, 'emailConfig'),
  ...ofMessage(chat, 'telegramConfig'),
  ...ofMessage(teams, 'teamsConfig'),
  [inConfig(hook, 'webhookConfig', { url: '' }), 'webhookConfig.url'],
  [inConfig(hook, 'webhookConfig', { url: 5 }), 'webhookConfig.url'],
  [
    inConfig(hook, 'webhookConfig', { url: `https://x.example/${'x'.repeat(2_000)}` }),
    'webhookConfig.url',
  ],
  [inConfig(hook, 'webhookConfig', { method: 'TRACE' }), 'webhookConfig.method'],
  [inConfig(hook, 'webhookConfig', { headers: ['a'] }), 'webhookConfig.headers'],
  [inConfig(hook, 'webhookConfig', { headers: { a: 1 } }), 'webhookConfig.headers.a'],
  [inConfig(mail, 'emailConfig', { emailTo: undefined }), 'emailConfig.emailTo'],
  [inConfig(mail, 'emailConfig', { emailTo: 5 }), 'emailConfig.emailTo'],
  [inConfig(mail, 'emailConfig', { subject: 'x'.repeat(1_001) }), 'emailConfig.subject'],
  [inConfig(mail, 'emailConfig', { emailFrom: 5 }), 'emailConfig.emailFrom'],
  [inConfig(chat, 'telegramConfig', { chatId: '' }), 'telegramConfig.chatId'],
  [inConfig(chat, 'telegramConfig', { chatId: 1.5 }), 'telegramConfig.chatId'],
  [inConfig(chat, 'telegramConfig', { token: 5 }), 'telegramConfig.token'],
  [inConfig(teams, 'teamsConfig', { endpoint: 5 }), 'teamsConfig.endpoint'],
  [{ ...attribute, attribute: '' }, 'attribute'],
  [{ ...attribute, attribute: { name: '' } }, 'attribute'],
  [{ ...attribute, attribute: { name: 'hot', value: {} } }, 'attribute'],
]
const ownActions: ActionCase[] = [
  [{ type: 'SING' }, 'type'],
  ...[write, alarm].flatMap(ofEvery),
  [{ ...write, path: '' }, 'path'],
  [{ ...write, path: undefined }, 'path'],
  [{ ...write, path: 'x'.repeat(501) }, 'path'],
  [{ ...write, deviceId: 'oven' }, 'deviceId'],
  [{ ...write, value: {} }, 'value'],
  [{ ...write, xdays: [9] }, 'xdays.0'],
  [{ ...alarm, name: ' ' }, 'name'],
  [{ ...alarm, severity: 7 }, 'severity'],
  [{ ...alarm, severity: -1 }, 'severity'],
  [{ ...alarm, severity: 2.5 }, 'severity'],
  [{ ...alarm, text: 'x'.repeat(2_001) }, 'text'],
]

type Field = { field: string; message: string }
const firstField = ({ details }: Refused) => (details['fields'] as Field[])[0]

test('[R-23] each field of each action: the answer names it and says what it must be', async () => {
  const places = [
    [wireActions, 'triggerData.actions.0', (action: object) => ({ actions: [action] })],
    [
      ownActions,
      'triggerData.longreach.actions.0',
      (action: object) => ({ longreach: { actions: [action] } }),
    ],
  ] as const
  for (const [cases, place, dataOf] of places) {
    for (const [action, field] of cases) {
      const what = JSON.stringify(action).slice(0, 200)
      const refused = await refusal({ name: 'x', triggerData: { policy: band, ...dataOf(action) } })
      expect([what, refused.status]).toEqual([what, 400])
      const named = firstField(refused)
      expect([what, named?.field.startsWith(`${place}.${field}`)]).toEqual([what, true])
      expect([what, named?.message !== '']).toEqual([what, true])
    }
  }
  expect((await server.admin.triggers({ query })).totalElements).toBe(0)
})

const good = { name: 'x', triggerData: { policy: band } }
const bodies: [body: unknown, field: string][] = [
  [{ ...good, name: '' }, 'name'],
  [{ ...good, name: ' ' }, 'name'],
  [{ ...good, name: 7 }, 'name'],
  [{ ...good, name: 'x'.repeat(201) }, 'name'],
  [{ triggerData: good.triggerData }, 'name'],
  [{ ...good, disabled: 'no' }, 'disabled'],
  [{ ...good, deviceGroups: 'all' }, 'deviceGroups'],
  [{ ...good, deviceGroups: [-1] }, 'deviceGroups.0'],
  [{ ...good, deviceGroups: ['seven'] }, 'deviceGroups.0'],
  [{ ...good, deviceGroups: Array(101).fill(1) }, 'deviceGroups'],
  [{ name: 'x' }, 'triggerData'],
  [{ ...good, triggerData: 'x' }, 'triggerData'],
  [{ ...good, triggerData: {} }, 'triggerData.policy'],
  [{ ...good, triggerData: { ...good.triggerData, actions: {} } }, 'triggerData.actions'],
  [
    {
      ...good,
      triggerData: { ...good.triggerData, actions: Array.from({ length: 21 }, () => attribute) },
    },
    'triggerData.actions',
  ],
  [{ ...good, triggerData: { ...good.triggerData, locale: 5 } }, 'triggerData.locale'],
  [{ ...good, triggerData: { ...good.triggerData, timezone: 5 } }, 'triggerData.timezone'],
  [
    { ...good, triggerData: { ...good.triggerData, longreach: { below: 'yes' } } },
    'triggerData.longreach.below',
  ],
  [
    {
      ...good,
      triggerData: { ...good.triggerData, longreach: { description: 'x'.repeat(2_001) } },
    },
    'triggerData.longreach.description',
  ],
  [{ ...good, longreach: { version: 'x' } }, 'longreach.version'],
]

test('[R-23] each field around them, and the questions of the lists, are named when they are wrong', async () => {
  for (const [body, field] of bodies) {
    const refused = await refusal(body)
    const what = JSON.stringify(body).slice(0, 200)
    expect([what, refused.status, firstField(refused)?.field.startsWith(field)]).toEqual([
      what,
      400,
      true,
    ])
  }
  const id = crypto.randomUUID()
  const calls = [
    [() => server.admin.triggers({ query: { ...query, orderBy: 'owner' as never } }), 'orderBy'],
    [() => server.admin.runs({ query: { ...query, kind: 'all' as never } }), 'kind'],
    [() => server.admin.runs({ query: { ...query, from: 'yesterday' } }), 'from'],
    [() => server.admin.trigger({ params: { id: 'seven' }, query }), 'id'],
    [
      () => server.admin.counters({ params: { id }, query: { ...query, dateFrom: 'x' } }),
      'dateFrom',
    ],
  ] as const
  for (const [one, field] of calls) {
    const refused = await one().then(
      () => undefined,
      (error: Refused) => error,
    )
    expect([field, refused?.status, refused && firstField(refused)?.field]).toEqual([
      field,
      400,
      field,
    ])
  }
})
