import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { readProgram } from '@longreach/device-protocol/agent-program'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  configurationText,
  newDeviceId,
  testPlatform,
  type TestPlatform,
} from '../../../services/platform/src/platform-testing.ts'

const org = 'exor'
const poll = { timeout: 170_000, interval: 100 }
const root = path.resolve(import.meta.dirname, '../../..')
const ends: (() => Promise<unknown>)[] = []
let platform: TestPlatform

beforeAll(async () => {
  platform = await testPlatform()
})
afterEach(async () => {
  delete process.env['AGENT_DIR']
  for (const end of ends.splice(0).toReversed()) await end()
})
afterAll(() => platform.close())

async function folder() {
  const dir = await mkdtemp(path.join(tmpdir(), 'longreach-update-'))
  ends.push(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** Copy of the agent's program, changed like a later version. */
async function laterVersion(change: (main: string) => string, about?: (text: string) => string) {
  const dir = await folder()
  for (const file of Object.keys((await readProgram(root)).files))
    await cp(path.join(root, file), path.join(dir, file), { recursive: true })
  const rewrite = async (file: string, with_: (text: string) => string) =>
    writeFile(path.join(dir, file), with_(await readFile(path.join(dir, file), 'utf8')))
  await rewrite('apps/edge/src/main.ts', change)
  if (about) await rewrite('apps/edge/package.json', about)
  process.env['AGENT_DIR'] = dir
}

/** Real agent under its supervisor, connected. */
async function supervised(trialS: number) {
  const deviceId = newDeviceId()
  const configuration = configurationText({ 'host.uptime': { type: 'integer' } })
  const master = { label: 'Gateway', realm: 'exor', orgResourceId: org, groups: [], configuration }
  platform.register.devices.set(deviceId, master)
  const owner = platform.member('owner', org)
  const params = { org, deviceId }
  const { activationKey } = await owner.issueActivationKey({ params, body: {} })
  const dataDir = await folder()
  const args = ['--activation-key', activationKey, '--endpoint', platform.site.origin]
  const child = spawn(
    process.execPath,
    [path.join(root, 'apps/edge/src/supervise.ts'), ...args, '--data-dir', dataDir],
    { env: { ...process.env, EDGE_TRIAL_S: String(trialS) } },
  )
  const lines: string[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(line))
  createInterface(child.stderr).on('line', (line) => lines.push(line))
  ends.push(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
  const agent = () => owner.agent({ params })
  await expect.poll(() => agent().then(({ health }) => health?.version), poll).toBeDefined()
  const installed = (await agent()).health?.version ?? ''
  const update = async () => {
    const { available } = await agent()
    const version = available?.version ?? ''
    const body = { command: 'agent.update', input: { version } } as const
    return { version, answer: await owner.commandAgent({ params, body }) }
  }
  return { agent, update, installed, dataDir, lines }
}

test('a real agent is updated by command, and stays on the version that connects', async () => {
  const { agent, update, installed, dataDir } = await supervised(600)
  await laterVersion((main) => `${main}\n// a later version\n`)
  const { version, answer } = await update()
  expect(version).not.toBe(installed)
  expect(answer).toMatchObject({ state: 'DONE', result: { state: 'trying', version } })
  await expect.poll(() => agent().then(({ health }) => health?.version), poll).toBe(version)
  await expect.poll(() => agent().then(({ health }) => health?.update?.state), poll).toBe('done')
  const kept = await readdir(path.join(dataDir, 'program'))
  expect(kept).toEqual(expect.arrayContaining([version, 'state.json']))
})

test('a version that ends before it connects gives its place back to the one before', async () => {
  const { agent, update, installed } = await supervised(600)
  await laterVersion(() => `throw new Error('broken')\n`)
  const { version } = await update()
  await expect
    .poll(() => agent().then(({ health }) => health?.update), poll)
    .toMatchObject({
      state: 'rolled_back',
      version,
      reason: expect.stringContaining('ended with 1'),
    })
  expect((await agent()).health?.version).toBe(installed)
})

test('a version that runs and never connects is taken back after its time', async () => {
  const { agent, update, installed } = await supervised(2)
  await laterVersion(() => `setInterval(() => undefined, 1_000)\n`)
  const { version } = await update()
  await expect
    .poll(() => agent().then(({ health }) => health?.update), poll)
    .toMatchObject({ state: 'rolled_back', version, reason: 'it did not connect within 2 s' })
  expect((await agent()).health?.version).toBe(installed)
})

test('a version that needs other packages is refused before anything is changed', async () => {
  const { update, dataDir } = await supervised(600)
  await laterVersion(
    (main) => main,
    (text) => text.replace(/"mqtt": "[^"]+"/, '"mqtt": "99.0.0"'),
  )
  const { answer } = await update()
  expect(answer.error).toMatchObject({ code: 'not_possible' })
  expect(answer.error?.message).toContain('mqtt 99.0.0')
  expect(await readdir(path.join(dataDir, 'program'))).toEqual([])
})
