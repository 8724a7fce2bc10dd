import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import { startPostgres } from './embedded-postgres.ts'

const ask = async (connection: pg.ClientConfig, statement: string) => {
  const client = new pg.Client(connection)
  client.on('error', () => undefined) // the server is killed while it is connected
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

test('data survives a kill, after which the server comes back by itself', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-pg-'))
  const server = await startPostgres({ dataDir })
  await ask(server.connection, 'create table kept as select 7 as value')
  expect(await ask(server.connection, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  const first = server.pid()
  process.kill(first, 'SIGKILL')
  await expect.poll(() => server.pid(), { timeout: 60_000 }).not.toBe(first)
  expect(await ask(server.connection, 'select value from kept')).toEqual([{ value: 7 }])
  await server.stop()
  const again = await startPostgres({ dataDir })
  expect(await ask(again.connection, 'select value from kept')).toEqual([{ value: 7 }])
  await again.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('what ends in order loses no connection', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-pg-'))
  const lost: string[] = []
  for (let round = 0; round < 3; round += 1) {
    const server = await startPostgres({ dataDir })
    const { db, close } = openDatabase(server.connection, ({ message }) => lost.push(message))
    const sleep = sql`select pg_sleep(0.1)`
    await Promise.all(Array.from({ length: 20 }, () => sleep.execute(db)))
    await close()
    await server.stop()
  }
  expect(lost).toEqual([])
  await rm(dataDir, { recursive: true, force: true })
})

test('a folder has one owner; a server whose owner was killed is taken over', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-pg-'))
  const module = new URL('./embedded-postgres.ts', import.meta.url).href
  const program = `const { startPostgres } = await import(${JSON.stringify(module)})
    const { pid } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)} })
    console.log(pid())
    setInterval(() => undefined, 1000)`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', program])
  let output = ''
  owner.stdout.on('data', (data: Buffer) => (output += data.toString()))
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/\d+\n/)
  await expect(startPostgres({ dataDir })).rejects.toThrow('Another Longreach is running')
  const shared = await startPostgres({ dataDir, share: true })
  expect(await ask(shared.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  owner.kill('SIGKILL')
  await new Promise((done) => owner.once('exit', done))
  const taken = await startPostgres({ dataDir })
  expect(taken.pid()).not.toBe(Number(output))
  await taken.stop()
  await rm(dataDir, { recursive: true, force: true })
})
