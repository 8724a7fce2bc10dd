import { pino } from 'pino'
import { expect, test } from 'vitest'
import { hostSource } from './source-host.ts'
import { createTagTable } from './tags.ts'

test('this machine tells its load, memory and disk, and nothing that it cannot measure', async () => {
  const source = hostSource({ type: 'host', name: 'host', pollMs: 100 }, pino({ level: 'silent' }))
  const table = createTagTable()
  source.start((readings) => table.accept(readings))
  const poll = { timeout: 60_000 }
  for (const tag of ['host.cpu.load', 'host.memory.used', 'host.uptime', 'host.memory.available']) {
    await expect.poll(() => table.value(tag), poll).toBeTypeOf('number')
  }
  await source.stop()
  expect(table.value('host.memory.used')).toBeGreaterThan(0)
  expect(table.value('host.memory.used')).toBeLessThanOrEqual(100)
  for (const { name } of source.tags()) expect(table.value(name)).not.toBeNull()
  await expect(source.write('host.cpu.load', 1)).rejects.toThrow('cannot be written')
})
