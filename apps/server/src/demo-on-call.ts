import { client } from '@longreach/kit/client'
import { notificationsContract } from '@longreach/notifications/contract'
import type { Composed } from './compose.ts'
import { type Owner, ownerOf } from './demo-seed.ts'

const weekMs = 7 * 86_400_000

/** People who are told of the alarms of an organization: those who take turns, and one behind them. */
const plans = [
  { organization: 'nordwerk.sonnenkorn', turns: ['eva', 'max'], behind: 'eva', below: false },
  { organization: 'acqua', turns: ['luca', 'paola'], behind: 'paola', below: false },
  // The builder looks after the ovens of its customers.
  { organization: 'nordwerk', turns: ['tom', 'anna'], behind: 'anna', below: true },
]

/**
 * Makes an on-call schedule, an escalation and a notification rule in organizations of the demo, as their
 * owners. What is there already stays.
 */
export async function seedOnCall(server: Composed, people: readonly Owner[], began: number) {
  for (const plan of plans) {
    const calls = client(
      notificationsContract,
      await server.fetchAsPerson(ownerOf(people, plan.organization)),
    )
    const query = { organization: plan.organization }
    const schedule = await scheduleOf(calls, query, { turns: plan.turns, from: began - weekMs })
    const escalation = await escalationOf(calls, query, { schedule, behind: plan.behind })
    const { data } = await calls.notifications({ query: { ...query, page: 0, pageSize: 100 } })
    if (data.some(({ name }) => name === ruleName)) continue
    const body = {
      name: ruleName,
      description:
        'High and critical alarms go to the person on call, and on if nobody acknowledges.',
      minimumSeverity: 5,
      recipientFilters: [{ type: 'schedule' as const, id: schedule }],
      longreach: {
        channels: ['inbox' as const, 'mail' as const],
        escalation,
        onReturn: true,
        below: plan.below,
      },
    }
    await calls.createNotification({ query, body })
  }
}

const ruleName = 'Person on call'
const scheduleName = 'On call'
const escalationName = 'Until somebody acknowledges'

type Calls = ReturnType<typeof client<typeof notificationsContract>>
type Query = { organization: string }

async function scheduleOf(
  calls: Calls,
  query: Query,
  { turns, from }: { turns: string[]; from: number },
) {
  const { data } = await calls.schedules({ query })
  const known = data.find(({ name }) => name === scheduleName)
  if (known) return known.id
  const layer = { people: turns, everyDays: 7, handOver: { day: 1, time: '08:00' }, from }
  const body = { name: scheduleName, zone: 'Europe/Rome', layers: [layer], overrides: [] }
  return (await calls.createSchedule({ query, body })).id
}

async function escalationOf(
  calls: Calls,
  query: Query,
  { schedule, behind }: { schedule: string; behind: string },
) {
  const { data } = await calls.escalations({ query })
  const known = data.find(({ name }) => name === escalationName)
  if (known) return known.id
  const steps = [
    { afterMin: 10, to: [{ type: 'schedule' as const, id: schedule }] },
    { afterMin: 30, to: [{ type: 'user' as const, id: behind }] },
  ]
  return (await calls.createEscalation({ query, body: { name: escalationName, steps, repeat: 1 } }))
    .id
}
