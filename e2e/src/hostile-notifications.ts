import { addressRow, type HostileRow, type Kind, many, row } from './hostile-row.ts'

const service = 'notification/api/v1'
const org = 'organization=main'
const good = { name: 'Hostile', enabled: false }
const posted = (path: string, answered: number, body: unknown): Kind => ({
  method: 'POST',
  path: `${service}/${path}?${org}`,
  good: body,
  answered,
})
const asked = (path: string): Kind => ({
  method: 'GET',
  path: `${service}/${path}?${org}`,
  good: undefined,
  answered: 200,
})
const rule = (kind: Kind, name: string, more: object) =>
  row(kind, `notifications: ${name}`, () => ({ ...good, ...more }), [400, 413, 422])
const create = posted('notifications', 201, good)
const brackets = `${'('.repeat(5_000)}name == "x"${')'.repeat(5_000)}`

/** Requests to the notification service. */
export const rows: readonly HostileRow[] = [
  rule(create, 'a rule with 100,000 recipients', {
    recipientFilters: many(100_000, (n) => `p${n}`),
  }),
  rule(create, 'a name pattern of 10,000 stars', {
    nameFilters: many(100, () => '*a'.repeat(5_000)),
  }),
  rule(create, 'an expression of 5,000 brackets', { extraFilters: [brackets] }),
  rule(create, '100,000 hours', {
    longreach: { times: many(100_000, () => ({ from: '00:00', to: '01:00' })) },
  }),
  row(
    posted('notifications/try', 200, { notification: good, alarmIds: [] }),
    'notifications: a trial with 10,000 alarms',
    () => ({ notification: good, alarmIds: many(10_000, (n) => String(n).padStart(22, '0')) }),
    [400, 413],
  ),
  row(
    posted('channels', 201, {
      name: 'Hostile',
      type: 'webhook',
      config: { url: 'https://example.org/hook' },
    }),
    'notifications: a template of nested loops',
    () => ({
      name: 'Loops',
      type: 'webhook',
      config: {
        url: 'https://example.org/hook',
        template: `${'{{#alarms}}'.repeat(800)}${'{{/alarms}}'.repeat(800)}`,
      },
    }),
    [400, 413, 422],
  ),
  row(
    posted('escalations', 201, {
      name: 'Hostile',
      steps: [{ afterMin: 1, to: [{ type: 'address', id: 'a@b.example' }] }],
    }),
    'notifications: an escalation of 100,000 steps',
    () => ({ name: 'Steps', steps: many(100_000, () => ({ afterMin: 0, to: [] })) }),
    [400, 413],
  ),
  row(
    posted('schedules', 201, { name: 'Hostile', zone: 'UTC', layers: [] }),
    'notifications: a schedule of 100,000 people',
    () => ({
      name: 'People',
      zone: 'UTC',
      layers: [
        {
          people: many(100_000, (n) => `p${n}`),
          everyDays: 1,
          handOver: { day: 0, time: '00:00' },
          from: 0,
        },
      ],
    }),
    [400, 413],
  ),
  row(
    { ...posted('inbox/read', 200, {}), path: `${service}/inbox/read?${org}` },
    'notifications: 100,000 messages read at once',
    () => ({ ids: many(100_000, () => crypto.randomUUID()) }),
    [400, 413],
  ),
  row(
    posted('push', 201, {
      endpoint: 'https://push.example/hostile',
      keys: {
        p256dh:
          'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
        auth: 'tBHItJI5svbpez7KI4CCXg',
      },
      label: 'Hostile',
    }),
    'notifications: a browser whose endpoint has a million characters',
    () => ({
      endpoint: `https://push.example/${'a'.repeat(1_000_000)}`,
      keys: { p256dh: 'A'.repeat(500_000), auth: 'A'.repeat(500_000) },
      label: 'Hostile',
    }),
    [400, 413],
  ),
  addressRow(
    asked('push'),
    'notifications: a secret address of 6,000 characters',
    () => `${service}/schedules/calendar/${'a'.repeat(6_000)}.ics`,
  ),
  addressRow(
    asked('inbox'),
    'notifications: who was told of an alarm of 6,000 characters',
    () => `${service}/told?${org}&alarm=${'A'.repeat(6_000)}`,
  ),
  addressRow(
    asked('deliveries'),
    'notifications: the last of a million pages',
    () => `${service}/deliveries?${org}&page=1000000&pageSize=500`,
  ),
  addressRow(
    asked('deliveries/log'),
    'notifications: a log of a long text',
    () => `${service}/deliveries/log?${org}&text=${'%25_'.repeat(60)}&limit=500`,
  ),
  addressRow(
    asked('notifications'),
    'notifications: a search of 6,000 characters',
    () => `${service}/notifications?${org}&search=${'a'.repeat(6_000)}`,
  ),
]
