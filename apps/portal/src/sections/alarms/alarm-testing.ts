import type { alarmsContract } from '@longreach/alarms/contract'
import type { Reply } from '../../page-answers.ts'
import { countOf, severityNames } from '../../parts/alarms/severity.ts'

type Endpoints = (typeof alarmsContract)['endpoints']
type Page = Reply<Endpoints['listAlarms']>
export type TestAlarm = Page['data'][number]
type More = Partial<Omit<TestAlarm, 'longreach'>> & { longreach?: Partial<TestAlarm['longreach']> }

const minute = 60_000

/** Id as devices and alarms have them, of a short name. */
export const testId = (name: string) => name.padEnd(22, '0')

/** Open alarm of a rule: a temperature above its limit for 12 minutes, not acknowledged. */
export function testAlarm(name: string, { longreach, ...more }: More = {}): TestAlarm {
  const since = Date.now() - 12 * minute
  return {
    id: testId(name),
    realmId: 'nordwerk',
    orgResourceId: 'nordwerk',
    deviceId: testId('oven'),
    deviceLabel: 'Oven line 1',
    name: 'Zone too hot',
    description: 'Zone too hot',
    tag: '',
    severity: 5,
    status: 'ACTIVE',
    ack: 'REQUIRED',
    reset: 'NOT_REQUIRED',
    enabled: 'ENABLED',
    alarmEnabled: 'ENABLED',
    action: 'NO_ACK',
    updatedAt: since,
    eventTimestamp: since,
    comment: null,
    platformAction: false,
    value_double: 236.4,
    ...more,
    longreach: {
      rule: '0f5b1c7e-64a7-4c1c-9d4e-6a5c1f7b2d10',
      version: 3,
      instance: '2',
      class: 'Process',
      maxSeverity: more.severity ?? 5,
      raises: 1,
      since,
      returnedAt: null,
      closedAt: null,
      heardAt: since,
      shelf: null,
      suppressed: false,
      firstOut: null,
      late: false,
      withdrawn: false,
      unconfirmed: false,
      assignee: null,
      comments: 0,
      cause: 'The heater is stuck on, or the fan stands still.',
      consequence: 'The product burns; above 260 °C the insulation is damaged.',
      response: 'Switch the zone to manual and lower its set-point to 180 °C.',
      respondBy: since + 30 * minute,
      link: '',
      command: null,
      path: 'Oven:1/zones[2]/temperature',
      words: { value: 236.4, limit: 230, values: {} },
      texts: {
        en: '{device}: zone at {value|1} °C, limit {limit} °C',
        de: '{device}: Zone bei {value|1} °C, Grenze {limit} °C',
      },
      ...longreach,
    },
  }
}

/** Page of a list with the counts of its alarms. */
export function testPage(alarms: readonly TestAlarm[], more: Partial<Page['counts']> = {}): Page {
  const bySeverity = Array.from({ length: 7 }, (_, severity) =>
    alarms.reduce((sum, alarm) => sum + (alarm.severity === severity ? 1 : 0), 0),
  )
  return {
    data: [...alarms],
    next: null,
    at: Date.now(),
    counts: {
      total: severityNames.reduce((sum, name) => sum + countOf(bySeverity, name), 0),
      isExact: true,
      bySeverity,
      unacknowledged: alarms.filter(({ ack }) => ack === 'REQUIRED').length,
      shelved: 0,
      suppressed: 0,
      ...more,
    },
  }
}

type Change = Reply<Endpoints['alarmDetail']>['history'][number]

/** Change of an alarm in its history. */
export const testChange = (
  n: number,
  kind: string,
  at: number,
  {
    longreach,
    ...more
  }: Partial<Omit<Change, 'longreach'>> & { longreach?: Partial<Change['longreach']> } = {},
): Change => ({
  status: 'ACTIVE',
  ack: 'REQUIRED',
  reset: 'NOT_REQUIRED',
  enabled: 'ENABLED',
  action: 'NO_ACK',
  description: '',
  severity: 5,
  updatedAt: at,
  value: null,
  ...more,
  longreach: { n, kind, heardAt: at, by: null, comment: null, reason: null, ...longreach },
})

/** Task that acknowledges many alarms, half done. */
export const testTask = (): Reply<Endpoints['jobs']>['data'][number] => ({
  id: '7',
  kind: 'alarm-action',
  label: 'ack',
  state: 'PROCESSING',
  total: 4_000,
  done: 2_000,
  failed: 0,
  error: null,
  errorCode: null,
  result: null,
  createdAt: new Date(),
  updatedAt: new Date(),
})
