import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSecrets, masterKey } from './secrets.ts'

const secrets = createSecrets(Buffer.alloc(32, 1))

test('what is sealed opens under its own label only', () => {
  const sealed = secrets.seal('ca', 'the key')
  expect(sealed.includes('the key')).toBe(false)
  expect(secrets.open('ca', sealed).toString()).toBe('the key')
  expect(() => secrets.open('other', sealed)).toThrow()
})

test('a changed byte does not open', () => {
  const sealed = secrets.seal('ca', 'the key')
  sealed[30] = (sealed[30] ?? 0) ^ 1
  expect(() => secrets.open('ca', sealed)).toThrow()
})

test('the master key is made once, readable by its owner only', async () => {
  for (let round = 0; round < 10; round += 1) {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-key-'))
    const keys = await Promise.all(Array.from({ length: 8 }, () => masterKey(folder)))
    for (const key of keys) expect(key).toEqual(keys[0])
    expect(keys[0]).toHaveLength(32)
    expect(await readdir(folder)).toEqual(['master.key'])
    expect((await stat(path.join(folder, 'master.key'))).mode & 0o777).toBe(0o600)
  }
})

test('whoever finds a master key file finds the whole key in it', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-key-'))
  const file = path.join(folder, 'master.key')
  const made = masterKey(folder)
  let found: string | undefined
  while (found === undefined) {
    found = textWithin(file, 5)
    await setImmediate()
  }
  expect(found).toBe(`${(await made).toString('hex')}\n`)
})

test('a master key file of the wrong form is named, and stays', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-key-'))
  const file = path.join(folder, 'master.key')
  await writeFile(file, '')
  await expect(masterKey(folder)).rejects.toThrow(`${file} must hold 64 hex digits`)
  expect(await readFile(file, 'utf8')).toBe('')
})

test('a master key setting of the wrong form is refused', async () => {
  await expect(masterKey('/nowhere', 'abc')).rejects.toThrow('64 hex digits')
})

/**
 * Contents of a file as soon as it exists, polled without a pause; undefined after `milliseconds`.
 */
function textWithin(file: string, milliseconds: number) {
  for (const end = performance.now() + milliseconds; performance.now() < end;)
    if (existsSync(file)) return readFileSync(file, 'utf8')
}
