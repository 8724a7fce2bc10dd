import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { coreContract } from '@longreach/core/contract'
import { coreAuthorizer, seed } from '@longreach/core/testing'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chosenServices } from './services.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer(await chosenServices(undefined), { admit: coreAuthorizer })
  const { people } = await seed(server)
  const core = server.as(people.owner, coreContract)
  await core.createUserGroup({ params: { org: 'nordwerk' }, body: { name: 'night shift' } })
  await server.settle()
})
afterAll(() => server.close())

/** Runs the command as a person does, on the test's database with the test's master key. */
async function verify() {
  const { host, user, database } = server.database.connection
  const program = fileURLToPath(new URL('./verify-audit.ts', import.meta.url))
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`,
      DATA_DIR: server.site.dataDir,
      MASTER_KEY: '07'.repeat(32),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const [said, code] = await Promise.all([text(child.stdout), ended])
  return { said, code }
}

test('verify-audit says that the trail is intact, with exit code 0', async () => {
  const { said, code } = await verify()
  expect(said).toMatch(/^The audit trail is intact: \d+ lines, \d+ links\.\n$/)
  expect(code).toBe(0)
})

test('verify-audit names the first broken line, with exit code 1', async () => {
  await server.database.pool.query(`update audit.entry set label = 'x' where seq in (2, 4)`)
  const { said, code } = await verify()
  expect(said).toBe(
    'The audit trail is broken (changed): Entry 2 was changed, of 2026-01-05T12:00:00.000Z.\n',
  )
  expect(code).toBe(1)
})
