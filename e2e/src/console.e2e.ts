import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openBrowser, signIn } from './browser.ts'
import { type DemoFile, startedFolder, startLongreach } from './longreach.ts'
import { descendantsOf, living, type Program, startProgram } from './program.ts'

const owner = { username: 'eva', password: 'a pass phrase of tests 7' }
const setup = { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password }
const ports = { PORT: '0', MQTT_PORT: '0' }
const patient = { timeout: 120_000 }
const run = 'scripts/run.mjs'
const ready = /ready at (http:\S+) \(MQTT/

let top: string
const folder = (name: string) => path.join(top, name)
beforeAll(async () => {
  top = await mkdtemp(path.join(os.tmpdir(), 'longreach-console-'))
  await chmod(top, 0o755) // as root the database runs as another user, who must come through
})
afterAll(() => rm(top, { recursive: true, force: true }))

/** `npm run <command>`, to its end. */
async function toEnd(command: string[], env: Record<string, string>) {
  const program = startProgram(run, command, { env: { ...ports, ...env } })
  return { code: await program.ended, output: program.output() }
}

/** Start the product, to be stopped and removed at the end of the test whatever its outcome. */
async function started(env: Record<string, string> = {}) {
  const longreach = await startLongreach({ env })
  onTestFinished(() => longreach.stop())
  return longreach
}

test('a folder in use is refused in a sentence, and another one runs beside it', async () => {
  const first = await started(setup)
  const refused = await toEnd(['start'], { DATA_DIR: first.dataDir })
  expect(refused.code).toBe(1)
  expect(refused.output.trim().split('\n')).toEqual([
    `Another Longreach is running with the folder ${first.dataDir}`,
  ])
  const second = await started()
  expect([second.url, second.mqttPort]).not.toEqual([first.url, first.mqttPort])
  const needed = async (url: string) => (await fetch(`${url}/svc/core/api/v1/setup`)).json()
  expect(await needed(second.url)).toEqual({ needed: true })
  await second.stop('keep')
  expect(await needed(first.url)).toEqual({ needed: false })
  const taken = await toEnd(['start'], {
    DATA_DIR: second.dataDir,
    PORT: new URL(first.url).port,
  })
  expect(taken.code).toBe(1)
  expect(taken.output).toMatch(/EADDRINUSE|in use/)
  expect(taken.output).not.toContain(' at ')
})

test.each([
  [{ PORT: 'abc' }, 'PORT'],
  [{ MQTT_PORT: '70000' }, 'MQTT_PORT'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
  [{ SETUP_USER: 'eva' }, 'SETUP_PASSWORD'],
])('a bad setting %j ends the start with code 1 and its name', async (env, name) => {
  const { code, output } = await toEnd(['start'], { DATA_DIR: folder('never'), ...env })
  expect(code).toBe(1)
  const [head, ...lines] = output.trim().split('\n')
  expect(head).toBe('These settings need to be changed:')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(name)
  await expect(stat(folder('never'))).rejects.toThrow('ENOENT')
})

test('the link of reset-admin sets the password of the owner once, while the server runs', async () => {
  const longreach = await started(setup)
  const browser = await openBrowser()
  onTestFinished(() => browser.close())
  const printed = await toEnd(['reset-admin', owner.username], { DATA_DIR: longreach.dataDir })
  expect(printed).toMatchObject({ code: 0 })
  const [link = ''] = /http:\S+/.exec(printed.output) ?? []
  expect(new URL(link).origin).toBe(longreach.url)

  const page = await browser.newPage({ locale: 'en-US' })
  await page.goto(link)
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor(patient)
  const changed = { username: owner.username, password: 'quite another phrase 8' }
  await page.getByLabel('New password', { exact: true }).fill(changed.password)
  await page.getByLabel('Repeat the new password').fill(changed.password)
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('Password saved').waitFor(patient)
  await page.getByRole('link', { name: 'Go to the portal' }).click()
  await signIn(page, owner)
  await page.getByText('Incorrect user name or password.').waitFor(patient)
  await signIn(page, changed)
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor(patient)

  const late = await browser.newPage({ locale: 'en-US' })
  await late.goto(link)
  await late.getByText('This link has expired').waitFor(patient)

  const nobody = await toEnd(['reset-admin', 'nobody'], { DATA_DIR: longreach.dataDir })
  expect(nobody.code).toBe(1)
  expect(nobody.output).toContain('No owner is called nobody. Owners: eva')
  await longreach.stop('keep')
  const alone = await toEnd(['reset-admin'], { DATA_DIR: longreach.dataDir })
  expect(alone).toMatchObject({ code: 0 })
  expect(alone.output).toContain(`${longreach.url}/auth/realms/main/`)
  await expect(stat(path.join(longreach.dataDir, 'postgres/postmaster.pid'))).rejects.toThrow(
    'ENOENT',
  )
})

/** A terminal sends Ctrl-C to the whole group in front of it; a service manager ends one process. */
const signals = {
  'Ctrl-C': (pid: number) => process.kill(-pid, 'SIGINT'),
  SIGTERM: (pid: number) => process.kill(pid, 'SIGTERM'),
}

const demos: (DemoFile & { file: string; printed: string })[] = []
test.each([
  ['start', 'Ctrl-C'],
  ['start', 'SIGTERM'],
  ['demo', 'Ctrl-C'],
  ['demo', 'SIGTERM'],
] as const)('%s leaves no process after %s', async (command, signal) => {
  // Each demo makes people of its own; how a server ends does not depend on its first start.
  const kept = command === 'start' ? await startedFolder(command) : undefined
  const dataDir = kept ?? folder(`${command}-${signal}`)
  if (kept !== undefined) onTestFinished(() => rm(kept, { recursive: true, force: true }))
  const program = startProgram(run, [command], {
    env: { ...ports, DATA_DIR: dataDir },
    detached: true,
  })
  const pid = program.child.pid ?? 0
  try {
    await expect.poll(program.output, patient).toMatch(ready)
    let pids: number[] = []
    const count = async () => {
      pids = [pid, ...(await descendantsOf(pid))]
      return pids.length
    }
    // The server and its database; in the demo two machines and three agents too.
    await expect.poll(count, patient).toBeGreaterThan(command === 'demo' ? 8 : 3)
    signals[signal](pid)
    expect(await program.ended).toBe(0)
    await expect.poll(() => living(pids), patient).toEqual([])
  } finally {
    await endGroup(program, pid)
  }
  if (command === 'start') return
  const file = path.join(dataDir, 'demo.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const told = JSON.parse(await readFile(file, 'utf8')) as DemoFile
  demos.push({ ...told, file, printed: program.output() })
})

/** After a failure nothing may be left either. */
async function endGroup(program: Program, pid: number) {
  if (program.child.exitCode !== null || program.child.signalCode !== null) return
  process.kill(-pid, 'SIGTERM')
  await program.ended
}

test('a demo that no terminal reads prints no password and no key, but where they are', () => {
  expect(demos).toHaveLength(2)
  for (const { people, apiKey, file, printed } of demos) {
    const secrets = [...people.map(({ password }) => password), apiKey.key]
    expect(secrets.filter((secret) => printed.includes(secret))).toEqual([])
    expect(printed).toContain(`How to sign in is in ${file}.`)
  }
})

test('the people of two demos have different passwords', () => {
  const passwords = demos.flatMap(({ people }) => people.map(({ password }) => password))
  expect(passwords.length).toBeGreaterThan(4)
  expect(new Set(passwords).size).toBe(passwords.length)
  expect(passwords.filter((password) => password.length < 16)).toEqual([])
})
