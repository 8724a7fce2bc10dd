import { mkdtemp, readdir, rm } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { digestOf, packProgram, readProgram } from '@longreach/device-protocol/agent-program'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { checkSettings } from './settings.ts'
import { createUpdater } from './updater.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

const base = path.resolve(import.meta.dirname, '../../..')

/** An updater whose platform answers every request with these bytes. */
async function updaterWith(content: Buffer) {
  const folder = await mkdtemp(path.join(tmpdir(), 'longreach-updater-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const server = http.createServer((_, answer) => answer.end(content))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => new Promise((resolve) => server.close(resolve)))
  const { port } = server.address() as AddressInfo
  const told: unknown[] = []
  const settings = checkSettings({
    activationKey: 'AAAA-BBBB',
    endpoint: `http://127.0.0.1:${port}`,
    dataDir: folder,
  })
  const tell = (message: unknown) => void told.push(message)
  const supervision = { folder, base, tell, onTold: () => undefined }
  const version = Promise.resolve('0.0.1')
  const log = pino({ level: 'silent' })
  return { folder, told, updater: createUpdater({ settings, version, supervision, log }) }
}

test('a program that is not what was announced is not taken', async () => {
  const content = await packProgram(await readProgram(base))
  const { updater, told, folder } = await updaterWith(content)
  const order = { version: '9', sha256: digestOf(Buffer.from('another')), bytes: content.length }
  await expect(updater.update(order)).rejects.toThrow('not the program that was announced')
  const shorter = { version: '9', sha256: digestOf(content), bytes: content.length - 1 }
  await expect(updater.update(shorter)).rejects.toThrow('too long')
  expect(told).toEqual([])
  expect(await readdir(folder)).toEqual([])
})

test('a program that would write beside its folder is not taken', async () => {
  const program = await readProgram(base)
  for (const file of ['../evil.ts', '/etc/evil', 'apps/../../evil.ts', 'a//b']) {
    const content = await packProgram({ ...program, files: { [file]: 'x' } })
    const { updater } = await updaterWith(content)
    const order = { version: program.version, sha256: digestOf(content), bytes: content.length }
    await expect(updater.update(order)).rejects.toThrow('update was not made')
  }
})

test('a program whose version is another than the announced one is not taken', async () => {
  const content = await packProgram(await readProgram(base))
  const { updater } = await updaterWith(content)
  const order = { version: '9.9.9', sha256: digestOf(content), bytes: content.length }
  await expect(updater.update(order)).rejects.toThrow('and not 9.9.9')
})
