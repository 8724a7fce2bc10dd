import type { triggersContract } from '@longreach/triggers/contract'
import type { Reply } from '../../page-answers.ts'

type Endpoints = (typeof triggersContract)['endpoints']
export type TestTrigger = Reply<Endpoints['trigger']>
type TestRun = Reply<Endpoints['runsOfTrigger']>['data'][number]
type TestRunDetail = Reply<Endpoints['run']>

const minute = 60_000

/** Id of a test's thing by its number. */
export const uuidOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

const mail = {
  type: 'EMAIL_ACTION',
  uuid: 'mail',
  disabled: false,
  throttlingIntervalInMSec: 300_000,
  emailConfig: { emailTo: 'shift@nordwerk.example', subject: '', template: '', xdays: [1, 2, 3] },
}
const hook = {
  type: 'WEBHOOK_ACTION',
  uuid: 'hook',
  disabled: false,
  throttlingIntervalInMSec: 300_000,
  webhookConfig: {
    headers: { 'x-key': '' },
    method: 'POST',
    url: 'https://mes.nordwerk.example/oven',
    template: '',
    xdays: [],
  },
}

/** Policy with a condition, and one of two others. */
const nestedPolicy = {
  type: 'AND_OPERATOR',
  uuid: 'root',
  innerPolicies: [
    {
      type: 'ANALOG_BAND',
      uuid: 'band',
      modelPathMatcher: 'Oven:1/zones[*]/temperature',
      min: 180,
      max: 200,
      time: 10_000,
    },
    {
      type: 'OR_OPERATOR',
      uuid: 'either',
      innerPolicies: [
        { type: 'ON_LEVEL', uuid: 'door', modelPathMatcher: 'Oven:1/door/open', levelBool: true },
        { type: 'CONNECTION', uuid: 'link', source: 'IOT', status: 'OFF', time: 120_000 },
      ],
    },
  ],
}

/** Trigger that fired 120 times since yesterday and ran 14 times. */
export function testTrigger(n: number, more: Partial<TestTrigger> = {}): TestTrigger {
  const { longreach, ...others } = more
  return {
    id: uuidOf(n),
    name: `Oven ${n} in its band`,
    orgResourceId: 'nordwerk',
    updatedAt: Date.now() - 3 * 86_400_000,
    disabled: false,
    deviceGroups: ['7'],
    owner: 'erika',
    triggerData: {
      policy: nestedPolicy.innerPolicies[0],
      actions: [hook],
      locale: 'en',
      timezone: 'Europe/Berlin',
      longreach: { actions: [], below: false, description: '' },
    },
    ...others,
    longreach: {
      version: 3,
      createdAt: Date.now() - 9 * 86_400_000,
      state: 'active',
      stopped: null,
      secrets: ['hook/headers.x-key'],
      counters: { counterIn: 120, counterOut: 14, counterThrottled: 96 },
      lastRunAt: Date.now() - 7 * minute,
      ...longreach,
    },
  }
}

/** Trigger with nested groups and three actions. */
export const nestedTrigger = (n: number, more: Partial<TestTrigger> = {}) =>
  testTrigger(n, {
    triggerData: {
      policy: nestedPolicy,
      actions: [mail, hook],
      locale: 'en',
      timezone: 'Europe/Berlin',
      longreach: {
        actions: [
          {
            type: 'WRITE',
            uuid: 'write',
            disabled: false,
            xdays: [],
            path: 'Oven:1/speed',
            value: 20,
          },
        ],
        below: false,
        description: 'Slows the oven down while a zone is in its band and the door is open.',
      },
    },
    ...more,
  })

const oven = 'oven000000000000000000'

/** Run that acted: the mail was sent. */
export const testRun = (n: number, more: Partial<TestRun> = {}): TestRun => ({
  id: uuidOf(1000 + n),
  triggerId: uuidOf(1),
  triggerName: 'Oven 1 in its band',
  orgResourceId: 'nordwerk',
  deviceId: oven,
  deviceLabel: 'Oven line 1',
  firedAt: Date.now() - n * 7 * minute,
  at: Date.now() - n * 7 * minute + 240,
  kind: 'acted',
  reason: 'fired',
  text: 'fired',
  isDone: true,
  actions: [
    { type: 'EMAIL_ACTION', state: 'DONE' },
    { type: 'WEBHOOK_ACTION', state: 'DONE' },
  ],
  ...more,
})

/** Actions of a run: one was done, one failed, one was throttled. */
const doneActions = (at: number): TestRunDetail['actions'] => [
  {
    uuid: 'mail',
    type: 'EMAIL_ACTION',
    state: 'DONE',
    request: 'To: shift@nordwerk.example\nSubject: Oven line 1: Oven 1 in its band',
    answer: '250 2.0.0 Ok: queued as 4XyZ',
    ms: 182,
    deliveryId: uuidOf(77),
    throttledUntil: null,
  },
  {
    uuid: 'hook',
    type: 'WEBHOOK_ACTION',
    state: 'FAILED',
    request:
      'POST https://mes.nordwerk.example/oven\n{"device":"Oven line 1","path":"Oven:1/zones[2]/temperature","value":191.25}',
    answer: '503 Service Unavailable',
    ms: 2_140,
    deliveryId: uuidOf(78),
    throttledUntil: null,
  },
  {
    uuid: 'write',
    type: 'WRITE',
    state: 'THROTTLED',
    request: '',
    answer: '',
    ms: null,
    deliveryId: null,
    throttledUntil: at + 45_000,
  },
]

/** Run with all that it saw and did: one input is hidden, one condition waits, one action failed. */
export function testRunDetail(run: TestRun, more: Partial<TestRunDetail> = {}): TestRunDetail {
  const at = run.firedAt
  return {
    ...run,
    version: 3,
    instance: '',
    owner: 'erika',
    inputs: [
      {
        path: 'Oven:1/zones[2]/temperature',
        value: 191.25,
        t: at,
        isCause: true,
        hidden: false,
      },
      { path: 'Oven:1/door/open', value: true, t: at - 40_000, isCause: false, hidden: false },
      { path: 'Oven:1/recipe', value: null, t: at - 90_000, isCause: false, hidden: true },
      { path: 'connection', value: 'ON', t: at - 3_600_000, isCause: false, hidden: false },
    ],
    conditions: [
      {
        place: 'policy.innerPolicies.0',
        path: 'Oven:1/zones[2]/temperature',
        truth: true,
        since: at - 10_000,
        timeMs: 10_000,
        dueAt: at,
      },
      {
        place: 'policy.innerPolicies.1.innerPolicies.0',
        path: 'Oven:1/door/open',
        truth: true,
        since: at - 40_000,
        timeMs: 0,
        dueAt: null,
      },
      {
        place: 'policy.innerPolicies.1.innerPolicies.1',
        path: '',
        truth: false,
        since: at - 3_600_000,
        timeMs: 120_000,
        dueAt: null,
      },
    ],
    actions: doneActions(at),
    chain: [],
    ...more,
  }
}

const kinds = [
  'webhookAction',
  'emailAction',
  'attributeAction',
  'telegramAction',
  'teamsAction',
] as const
type TestKind = (typeof kinds)[number]
type TestBlocked = Reply<Endpoints['blockedActions']>

/** Kinds of actions that do not run, with the reason of each. */
export function testBlocked(why: Partial<TestBlocked['longreach']['reasons']> = {}): TestBlocked {
  const of = <T>(value: (kind: TestKind) => T) =>
    Object.fromEntries(kinds.map((kind) => [kind, value(kind)])) as Record<TestKind, T> // all of them
  return {
    ...of((kind) => Boolean(why[kind])),
    longreach: {
      reasons: of((kind) => why[kind] ?? null),
      own: of((kind) => why[kind] === 'here'),
      changedAt: Object.values(why).includes('here') ? Date.now() - 3_600_000 : null,
      changedBy: Object.values(why).includes('here') ? 'rita' : null,
    },
  }
}

/** Conditions of the nested policy over a week that ends at a time, as a trial answers them. */
export function testConditions(to: number) {
  const from = to - 7 * 86_400_000
  const path = 'Oven:1/zones[0]/temperature'
  const lane = (
    place: string,
    ofPath: string,
    states: readonly ('no' | 'waits' | 'yes' | 'unknown' | 'several')[],
  ) => ({
    place,
    path: ofPath,
    instance: '',
    timeMs: 10_000,
    spans: states.map((state, index) => ({
      from: from + ((to - from) * index) / states.length,
      to: from + ((to - from) * (index + 1)) / states.length,
      state,
    })),
  })
  return [
    lane('policy.innerPolicies.0', path, [
      'unknown',
      'no',
      'waits',
      'yes',
      'no',
      'several',
      'no',
      'yes',
    ]),
    lane('policy.innerPolicies.1.innerPolicies.0', 'Oven:1/door/open', ['no', 'no', 'yes', 'no']),
    lane('policy.innerPolicies.1.innerPolicies.1', 'connection', [
      'no',
      'waits',
      'yes',
      'no',
      'no',
    ]),
  ]
}
