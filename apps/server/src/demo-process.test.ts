import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openPlant } from './demo-plan.ts'

const poll = { timeout: 120_000 }

/** True when the machine on this port answers. */
const isThere = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (there: boolean) => {
      socket.destroy()
      resolve(there)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })

test('a plant that is killed comes back with its machines where they were, and ends when it is told to', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-plant-'))
  const told: string[] = []
  const own = { organization: 'nordwerk', activationKey: 'AAAA-BBBB' }
  const machines = (['oven', 'pumps'] as const).map((name) => ({
    ...own,
    name,
    label: name,
    deviceId: name,
  }))
  const plant = openPlant((line) => void told.push(line))
  onTestFinished(async () => {
    await plant.stop()
    await rm(folder, { recursive: true, force: true })
  })
  // Nothing listens there, so that the agents keep trying: the machines work without them.
  const endpoint = 'http://127.0.0.1:9'
  const play = { endpoint, machines, fleet: [], began: Date.now(), folder }
  const { oven = 0, pumps = 0 } = await plant.play(play)
  expect([await isThere(oven), await isThere(pumps)]).toEqual([true, true])
  const first = plant.pid()
  process.kill(first, 'SIGKILL')
  await expect.poll(() => isThere(oven), poll).toBe(false)
  await expect.poll(() => Promise.all([isThere(oven), isThere(pumps)]), poll).toEqual([true, true])
  expect(plant.pid()).not.toBe(first)
  expect(told.join('')).toContain('demo-plant.ts ended with SIGKILL; it starts again')
  await plant.stop()
  expect([await isThere(oven), await isThere(pumps)]).toEqual([false, false])
})

test('a plant that is not yet needed ends when it is told to', async () => {
  const plant = openPlant((line) => expect.unreachable(line))
  await plant.stop()
  expect(() => process.kill(plant.pid(), 0)).toThrow('ESRCH')
})
