import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startedFolder } from './longreach.ts'
import { descendantsOf, living, startProgram } from './program.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const poll = { timeout: 120_000 }
const owner = {
  SETUP_USER: 'eva',
  SETUP_PASSWORD: 'a-long-enough-word',
  SETUP_ORGANIZATION: 'plant',
}

/** Settings of a server in a folder of its own, which is empty where `first` is said. */
async function environment(more: Record<string, string> = {}, when?: 'first') {
  const kept = when === undefined ? await startedFolder('start') : undefined
  const folder = kept ?? (await mkdtemp(path.join(os.tmpdir(), 'longreach-crash-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return { PORT: '0', MQTT_PORT: '0', DATA_DIR: folder, ...more }
}

const addresses = (output: string) =>
  [...output.matchAll(/ready at (http:\S+) /g)].map(([, address = '']) => address)

/** The server's own process: it runs the files that its sources were joined into. */
const serverProgram = /\.cache\/server\/[^/]+\/main\.js/

/** The process below that runs this program. */
async function processOf(below: number, program: RegExp) {
  for (const pid of await descendantsOf(below)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') // it ended meanwhile
    if (program.test(command)) return pid
  }
  throw new Error(`nothing runs ${program.source}`)
}

const setUp = async (url: string) => (await fetch(`${url}/svc/core/api/v1/setup`)).json()

test('a server that is killed starts again with all its data, and then ends in order', async () => {
  const env = await environment(owner)
  const program = startProgram('scripts/run.mjs', ['start'], { env })
  onTestFinished(program.stop)
  await expect.poll(() => addresses(program.output()), poll).toHaveLength(1)
  const pid = program.child.pid ?? 0
  const server = await processOf(pid, serverProgram)
  process.kill(server, 'SIGKILL')
  await expect.poll(() => addresses(program.output()), poll).toHaveLength(2)
  expect(program.output()).toContain('Longreach ended with SIGKILL; it starts again in 1 s.')
  expect(await processOf(pid, serverProgram)).not.toBe(server)
  expect(await setUp(addresses(program.output())[1] ?? '')).toEqual({ needed: false })
  const all = await descendantsOf(pid)
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  await expect.poll(() => living(all), poll).toEqual([])
})

test('a bad setting is told once and the start not tried again', async () => {
  const bad = startProgram('scripts/run.mjs', ['start'], {
    env: await environment({ PORT: 'abc' }),
  })
  expect(await bad.ended).toBe(1)
  expect(bad.output().match(/These settings need to be changed/g)).toHaveLength(1)
  expect(bad.output()).not.toContain('starts again')
})

test('SIGTERM to npm ends the server, its database and itself', async () => {
  const env = await environment()
  const npm = spawn('npm', ['start'], { cwd: root, env: { ...process.env, ...env } })
  onTestFinished(() => void npm.kill('SIGKILL'))
  let output = ''
  npm.stdout.on('data', (data: Buffer) => (output += data.toString()))
  await expect.poll(() => addresses(output), poll).toHaveLength(1)
  const all = await descendantsOf(npm.pid ?? 0)
  expect(all.length).toBeGreaterThan(2)
  npm.kill('SIGTERM')
  await expect.poll(() => living(all), poll).toEqual([])
})

test('the server ends in order when what watches over it is killed', async () => {
  const program = startProgram('scripts/run.mjs', ['start'], { env: await environment() })
  await expect.poll(() => addresses(program.output()), poll).toHaveLength(1)
  const all = await descendantsOf(program.child.pid ?? 0)
  program.child.kill('SIGKILL')
  await expect.poll(() => living(all), poll).toEqual([])
})

test('neither the database nor what the server starts later gets the first password', async () => {
  const masterKey = 'ab'.repeat(32)
  const env = await environment({ ...owner, MASTER_KEY: masterKey }, 'first')
  const program = startProgram('apps/server/src/main.ts', [], { env })
  onTestFinished(program.stop)
  await expect.poll(() => addresses(program.output()), poll).toHaveLength(1)
  const database = await processOf(program.child.pid ?? 0, /bin\/postgres/)
  const given = await readFile(`/proc/${database}/environ`, 'utf8')
  expect(given).toContain('PATH=')
  for (const secret of [owner.SETUP_PASSWORD, masterKey]) {
    expect(given).not.toContain(secret)
    expect(program.output()).not.toContain(secret)
  }
})
