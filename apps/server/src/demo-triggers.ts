import { receiverHost } from '@longreach/edge/demo-receiver'
import { client } from '@longreach/kit/client'
import type { OutsideSettings } from '@longreach/kit/outside-address'
import { notificationsContract } from '@longreach/notifications/contract'
import { triggersContract } from '@longreach/triggers/contract'
import type { Composed } from './compose.ts'
import { type Owner, ownerOf } from './demo-seed.ts'

const plant = 'acqua'
const builder = 'nordwerk'
const model = 'PumpStation:1'
const oven = 'TunnelOven:1'
const minuteMs = 60_000

/** Settings by which the demo's receiver of webhooks may be called, and no other address of this machine. */
export const withReceiver = ({ networks }: OutsideSettings): OutsideSettings => ({
  http: true,
  networks: [...networks, receiverHost],
})

/** Address of the page of the demo's receiver. */
export const receiverUrl = (port: number) => `http://${receiverHost}:${port}/`

/** Triggers of the pump station: its first pump follows the tank, and the office hears when it works hard. */
const triggersTo = (hook: string | undefined) => [
  speed('Pump 1 faster while the tank fills', { type: 'ON_LEVEL', level: 50 }, 95),
  speed('Pump 1 back to its usual speed', { type: 'ON_LEVEL', level: 38, mode: 'ON_EXIT' }, 85),
  ...(hook === undefined
    ? []
    : [
        {
          name: 'Pump 1 at its current limit',
          triggerData: {
            policy: {
              type: 'ANALOG_BAND',
              modelPathMatcher: `${model}/pump1/current`,
              min: 20,
              minOrEqual: false,
            },
            actions: [
              {
                type: 'WEBHOOK_ACTION' as const,
                webhookConfig: { url: hook },
                throttlingIntervalInMSec: 10 * minuteMs,
              },
            ],
            longreach: {
              description: 'The office of the plant hears of it, at most every ten minutes.',
            },
          },
        },
      ]),
]

/** Triggers of the builder for the ovens of its customers: service is notified of faults, and the devices know their energy. */
const builderTriggers = (hook: string | undefined) => [
  {
    name: 'Energy of each oven',
    triggerData: {
      policy: { type: 'ON_CHANGED', modelPathMatcher: `${oven}/energy`, deadband: 10 },
      actions: [{ type: 'ATTRIBUTE_ACTION' as const, attribute: 'energyKWh' }],
      longreach: {
        below: true,
        description: 'Each 10 kWh the counter becomes an attribute, by which devices are found.',
      },
    },
  },
  ...(hook === undefined
    ? []
    : [
        {
          name: 'Heater fault at a customer',
          triggerData: {
            policy: { type: 'ON_LEVEL', modelPathMatcher: `${oven}/fault`, levelBool: true },
            actions: [
              {
                type: 'WEBHOOK_ACTION' as const,
                webhookConfig: { url: hook },
                throttlingIntervalInMSec: 10 * minuteMs,
              },
            ],
            longreach: {
              below: true,
              description: 'The service desk of the builder is notified before the customer calls.',
            },
          },
        },
      ]),
]

/** Trigger that writes the speed of the first pump when the level of the tank crosses a limit. */
const speed = (
  name: string,
  policy: { type: string; level: number; mode?: string },
  value: number,
) => ({
  name,
  triggerData: {
    policy: { ...policy, modelPathMatcher: `${model}/level` },
    longreach: {
      actions: [{ type: 'WRITE' as const, path: `${model}/pump1/speedSetPoint`, value }],
    },
  },
})

type Seeded = {
  /** Port of the receiver of webhooks, where there is one. */
  port: number | undefined
  hasFleet: boolean
}

/**
 * Makes the triggers of the demo, and a channel with a rule of notifications by which alarms reach the same
 * receiver, as the owners of their organizations. What is there already stays.
 */
export async function seedTriggers(
  server: Composed,
  people: readonly Owner[],
  { port, hasFleet }: Seeded,
) {
  const url = port === undefined ? undefined : receiverUrl(port)
  const fetch = await server.fetchAsPerson(ownerOf(people, plant))
  await makeTriggers(fetch, plant, triggersTo(url && `${url}triggers`))
  if (hasFleet) {
    const asBuilder = await server.fetchAsPerson(ownerOf(people, builder))
    await makeTriggers(asBuilder, builder, builderTriggers(url && `${url}service`))
  }
  if (url !== undefined) await seedChannel(client(notificationsContract, fetch), `${url}alarms`)
}

type Fetch = Awaited<ReturnType<Composed['fetchAsPerson']>>
type Body = ReturnType<typeof triggersTo | typeof builderTriggers>[number]

async function makeTriggers(fetch: Fetch, organization: string, bodies: readonly Body[]) {
  const calls = client(triggersContract, fetch)
  const query = { organization }
  const { content } = await calls.triggers({ query: { ...query, pageSize: 500 } })
  const known = new Set(content.map(({ name }) => name))
  for (const body of bodies) {
    if (!known.has(body.name)) await calls.createTrigger({ query, body })
  }
}

const channelName = 'Plant office'

async function seedChannel(
  calls: ReturnType<typeof client<typeof notificationsContract>>,
  url: string,
) {
  const query = { organization: plant }
  const { data } = await calls.channels({ query })
  if (data.some(({ name }) => name === channelName)) return
  const channel = await calls.createChannel({
    query,
    body: { name: channelName, type: 'webhook', config: { url } },
  })
  await calls.createNotification({
    query,
    body: {
      name: channelName,
      description: 'Alarms of medium severity and above go to the receiver of webhooks.',
      minimumSeverity: 3,
      recipientFilters: [{ type: 'channel', id: channel.id }],
      longreach: { onReturn: true },
    },
  })
}
