import { argument, hasSwitch, type Line, print, say } from './report.ts'
import { actingFigures } from './triggers/acting.ts'
import { ingestRates } from './triggers/ingest.ts'

// npm run bench -- triggers [--devices=500] [--values=200] [--turns=5] [--tries=100] [--at-once=100] [--firings=40]
// --acting leaves ingest out.
const devices = argument('devices', 500)
const onEach = 2
const size = { devices, values: argument('values', 200), turns: argument('turns', 5), onEach }

if (!hasSwitch('acting')) {
  say(`ingest with ${devices * onEach} triggers, ${onEach} on every value`)
  const rates = await ingestRates(size)
  print('Values that become durable', [
    {
      what: `values a second, judged by ${devices * onEach} triggers`,
      unit: '1/s',
      ours: rates.triggers,
      peers: { 'without triggers': rates.plain, 'as many rules': rates.rules },
      better: 'more',
      goal: '0.93 × without',
    },
  ])
}

say('a value, a device, a receiver')
const acting = await actingFigures({
  tries: argument('tries', 100),
  atOnce: argument('at-once', 100),
  firings: argument('firings', 40),
})
const sorted = (list: readonly number[]) => list.toSorted((a, b) => a - b)
const share = (list: readonly number[], part: number) =>
  sorted(list)[Math.min(list.length - 1, Math.floor(list.length * part))] ?? 0
const timesOf = (what: string, list: readonly number[]): Line[] =>
  [0.5, 0.99].map((part) => ({
    what: `${what}, ${part === 0.5 ? 'median' : '99th percentile'}`,
    unit: 'ms',
    ours: share(list, part),
    peers: {
      'alarm of a rule on the same value': share(acting.alarm, part),
      'the call alone': share(acting.direct, part),
    },
    better: 'less',
  }))
print('From the message of a value to the action', [
  ...timesOf('webhook received', acting.webhook),
  ...timesOf('attribute set', acting.attribute),
])
print('Fired at once', [
  {
    what: 'runs that are durable',
    unit: '1/s',
    ours: acting.runsPerSecond,
    peers: { 'alarms of rules': acting.alarmsPerSecond },
    better: 'more',
  },
])
