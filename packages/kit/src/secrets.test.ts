import { mkdtemp, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
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
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-key-'))
  const keys = await Promise.all([masterKey(folder), masterKey(folder)])
  expect(keys[0]).toEqual(keys[1])
  expect((await stat(path.join(folder, 'master.key'))).mode & 0o777).toBe(0o600)
})

test('a master key setting of the wrong form is refused', async () => {
  await expect(masterKey('/nowhere', 'abc')).rejects.toThrow('64 hex digits')
})
