import { expect, test } from 'vitest'
import { AlarmIntake, alarmRate } from './alarm-intake.ts'

/** Intake whose writes wait until they are let go, with a clock that stands still. */
function intake() {
  const written: string[] = []
  const replaced: string[] = []
  const gates: PromiseWithResolvers<void>[] = []
  const clock = { now: 0 }
  const made = new AlarmIntake<string>({
    async write(reports) {
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      await gate.promise
      written.push(...reports)
    },
    replaced: (report) => void replaced.push(report),
    clock: () => clock.now,
  })
  return { made, written, replaced, gates, clock }
}

test('a report ends when it is written, and with the error of its transaction', async () => {
  const { made, written, gates } = intake()
  const first = made.add('a', 'a1')
  const others = [made.add('a', 'a2'), made.add('b', 'b1')]
  gates[0]?.resolve()
  await first
  expect(written).toEqual(['a1'])
  gates[1]?.reject(new Error('no database'))
  for (const one of await Promise.allSettled(others)) expect(one.status).toBe('rejected')
  const later = made.add('a', 'a3')
  gates[2]?.resolve()
  await later
  expect(written).toEqual(['a1', 'a3'])
})

test('above the rate the newest state of each alarm is kept, and the others end with it', async () => {
  const { made, written, replaced, gates, clock } = intake()
  const crowd = Array.from({ length: alarmRate.burst }, (_, index) => made.add('x', `x${index}`))
  const late = ['a1', 'b1', 'a2', 'a3'].map((report) => made.add(report.slice(0, 1), report))
  gates[0]?.resolve()
  await crowd[0]
  gates[1]?.resolve()
  await Promise.all(crowd)
  clock.now = 1_000
  await expect.poll(() => gates.length).toBe(3)
  gates[2]?.resolve()
  await Promise.all(late)
  expect(written.slice(alarmRate.burst)).toEqual(['b1', 'a3'])
  expect(replaced).toEqual(['a1', 'a2'])
})

test('10,000 names of one device: the newest state of each is written, at the rate of one device', async () => {
  const written: string[] = []
  const clock = { now: 0 }
  const made = new AlarmIntake<string>({
    write: async (reports) => void written.push(...reports),
    replaced: () => undefined,
    clock: () => clock.now,
  })
  const names = Array.from({ length: 10_000 }, (_, index) => `name ${index}`)
  const all = names.flatMap((name) => [
    made.add(name, `${name} up`),
    made.add(name, `${name} down`),
  ])
  await expect.poll(() => written.length).toBe(alarmRate.burst)
  clock.now = 1_000
  await expect.poll(() => written.length).toBe(alarmRate.burst + alarmRate.perSecond)
  let isDone = false
  void Promise.all(all).then(() => (isDone = true))
  while (!isDone) {
    const before = written.length
    clock.now += 10_000
    await expect.poll(() => isDone || written.length > before, { interval: 5 }).toBe(true)
  }
  const newest = new Map(written.map((report) => [report.replace(/ (up|down)$/, ''), report]))
  expect([...newest.keys()].toSorted()).toEqual(names.toSorted())
  for (const [name, report] of newest) expect(report).toBe(`${name} down`)
})
