import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { digestOf, packProgram, readProgram } from '@longreach/device-protocol/agent-program'
import {
  endorse,
  type ReleaseManifest,
  signRelease,
} from '@longreach/device-protocol/release-signature'
import type { UpdateOrder } from '@longreach/device-protocol/agent-wire'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { learnReleaseKey, saveReleaseTime, trustedKey } from './release-trust.ts'
import { checkSettings } from './settings.ts'
import { createUpdater } from './updater.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

const base = path.resolve(import.meta.dirname, '../../..')

/** Updater whose platform answers every request with these bytes. */
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
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  learnReleaseKey(folder, spki(publicKey))
  const given = await readdir(folder)
  const orderOf = (manifest: Partial<ReleaseManifest>) => {
    const facts = { version: '9', sha256: digestOf(content), bytes: content.length }
    const whole = { ...facts, releasedAt: 1_000, downgrade: false, ...manifest }
    return { ...whole, signature: signRelease(whole, privateKey) }
  }
  const updater = createUpdater({ settings, version, supervision, log })
  return { folder, given, told, orderOf, updater, privateKey }
}
const spki = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('base64')

test('a program that is not what was announced is not taken', async () => {
  const content = await packProgram(await readProgram(base))
  const { updater, told, folder, given, orderOf } = await updaterWith(content)
  const order = orderOf({ sha256: digestOf(Buffer.from('another')) })
  await expect(updater.update(order)).rejects.toThrow('not the program that was announced')
  const shorter = orderOf({ bytes: content.length - 1 })
  await expect(updater.update(shorter)).rejects.toThrow('too long')
  expect(told).toEqual([])
  expect(await readdir(folder)).toEqual(given)
})

test('a program that would write beside its folder is not taken', async () => {
  const program = await readProgram(base)
  for (const file of ['../evil.ts', '/etc/evil', 'apps/../../evil.ts', 'a//b']) {
    const content = await packProgram({ ...program, files: { [file]: 'x' } })
    const { updater, orderOf } = await updaterWith(content)
    const order = orderOf({ version: program.version })
    await expect(updater.update(order)).rejects.toThrow('update was not made')
  }
})

test('a program whose version is another than the announced one is not taken', async () => {
  const content = await packProgram(await readProgram(base))
  const { updater, orderOf } = await updaterWith(content)
  const order = orderOf({ version: '9.9.9' })
  await expect(updater.update(order)).rejects.toThrow('and not 9.9.9')
})

test.each([
  ['without a signature', { signature: undefined }, 'is not signed'],
  ['whose signature is of another version', { version: '10' }, 'not signed by the release key'],
  ['whose signature is of another digest', { sha256: '0'.repeat(64) }, 'not signed by the release'],
  [
    'that was made a way back after it was signed',
    { downgrade: true },
    'not signed by the release',
  ],
  ['whose signature is none', { signature: 'AAAA' }, 'not signed by the release key'],
])('an update %s is refused before anything is fetched', async (_, change, why) => {
  const { updater, orderOf, told, folder, given } = await updaterWith(Buffer.from('never fetched'))
  const order = { ...orderOf({}), ...change } as UpdateOrder
  await expect(updater.update(order)).rejects.toThrow(why)
  expect([told, await readdir(folder)]).toEqual([[], given])
})

test('an update of another platform is refused, and its key does not take the place of the first', async () => {
  const { updater, folder } = await updaterWith(Buffer.from(''))
  const other = await updaterWith(Buffer.from(''))
  await expect(updater.update(other.orderOf({}))).rejects.toThrow('not signed by the release key')
  const mine = trustedKey(folder)
  const theirs = trustedKey(other.folder) ?? ''
  expect(learnReleaseKey(folder, theirs)).toBe(false)
  expect(learnReleaseKey(folder, theirs, endorse(theirs, other.privateKey))).toBe(false)
  expect(trustedKey(folder)).toBe(mine)
})

test('an agent that never learned a key takes no update', async () => {
  const { updater, orderOf, folder } = await updaterWith(Buffer.from(''))
  await rm(path.join(folder, 'release-key.json'))
  await expect(updater.update(orderOf({}))).rejects.toThrow('does not know the release key')
})

test('what is older is refused, by number and by time, unless it was asked for as that', async () => {
  const { updater, orderOf, folder } = await updaterWith(Buffer.from('no program'))
  await expect(updater.update(orderOf({ version: '0.0.0' }))).rejects.toThrow('is older than')
  saveReleaseTime(folder, orderOf({ releasedAt: 2_000 }))
  await expect(updater.update(orderOf({ releasedAt: 1_999 }))).rejects.toThrow('is older than')
  // The checks pass, but the download is not a program.
  const asked = orderOf({ version: '0.0.0', releasedAt: 1_999, downgrade: true })
  await expect(updater.update(asked)).rejects.toThrow('the update was not made')
})
