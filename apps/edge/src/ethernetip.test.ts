import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { cipTypes, startEthernetIpServer } from './ethernetip-server-for-tests.ts'
import { listEthernetIp } from './list-ethernetip.ts'
import { ethernetIpSource } from './source-ethernetip.ts'
import { checkSources, type EthernetIpSettings, SourceConnection } from './source-settings.ts'
import { createTagTable } from './tags.ts'
import { testSource } from './test-source.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})
const poll = { timeout: 60_000, interval: 20 }

async function controller() {
  const plc = await startEthernetIpServer({
    Speed: { type: cipTypes.REAL, value: 48.5 },
    Count: { type: cipTypes.DINT, value: -70_000 },
    Step: { type: cipTypes.INT, value: 12 },
    Running: { type: cipTypes.BOOL, value: true },
  })
  ends.push(plc.close)
  return plc
}
const tags = [
  { name: 'speed', tag: 'Speed', writable: true },
  { name: 'count', tag: 'Count', type: 'integer', writable: true },
  { name: 'step', tag: 'Step', type: 'integer' },
  { name: 'running', tag: 'Running', type: 'boolean', writable: true },
]

function started(host: string, more: object[] = []) {
  const source = { type: 'ethernetip', host, pollMs: 50, timeoutMs: 30_000 }
  const checked = checkSources([{ ...source, tags: [...tags, ...more] }])
  if (!checked.ok) throw new Error(`${checked.field}: ${checked.message}`)
  const one = ethernetIpSource(checked.sources[0] as EthernetIpSettings, pino({ level: 'silent' }))
  const table = createTagTable()
  one.start((readings) => table.accept(readings))
  ends.push(one.stop)
  return { source: one, table }
}

test('tags of a controller are read with their types, and one it lacks is bad with the reason', async () => {
  const plc = await controller()
  const { table } = started(plc.host, [{ name: 'absent', tag: 'Absent' }])
  const values = () => Object.fromEntries(tags.map(({ name }) => [name, table.value(name)]))
  await expect.poll(values, poll).toEqual({ speed: 48.5, count: -70_000, step: 12, running: true })
  await expect
    .poll(() => table.last('absent'), poll)
    .toMatchObject({ good: false, reason: 'Absent: the controller does not know this tag' })
})

test('a value written to a controller is in its tag and read back', async () => {
  const plc = await controller()
  const { source, table } = started(plc.host)
  await expect.poll(() => table.value('running'), poll).toBe(true)
  expect(await source.write('speed', 12.5)).toBe(12.5)
  expect(await source.write('count', 99)).toBe(99)
  expect(await source.write('running', false)).toBe(false)
  expect(plc.tags.get('Count')?.value).toBe(99)
  await expect(source.write('step', 1)).rejects.toThrow('cannot be written')
})

test('the list of tags is there to be picked from, and the test names the controller', async () => {
  const plc = await controller()
  const source = SourceConnection.parse({ type: 'ethernetip', host: plc.host, timeoutMs: 30_000 })
  const { tags: listed } = await listEthernetIp(source)
  expect(listed.map(({ tag, type }) => [tag, type])).toEqual([
    ['Speed', 'double'],
    ['Count', 'integer'],
    ['Step', 'integer'],
    ['Running', 'boolean'],
  ])
  const { steps } = await testSource(source, { dataDir: '.', log: pino({ level: 'silent' }) })
  expect(steps.map(({ ok }) => ok)).toEqual([true, true])
  expect(steps[1]?.detail).toContain('TEST LOGIX')
})

test('a controller that goes away makes its tags bad', async () => {
  const plc = await controller()
  const { table } = started(plc.host)
  await expect.poll(() => table.value('speed'), poll).toBe(48.5)
  await plc.close()
  await expect.poll(() => table.last('speed')?.good, poll).toBe(false)
})
