import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { standardDataDir } from './data-folder.ts'

async function clones() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-clone-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const [open, closed] = [path.join(folder, 'open/portal'), path.join(folder, 'closed/portal')]
  for (const place of [open, closed]) await mkdir(place, { recursive: true })
  await chmod(path.dirname(closed), 0o700)
  return { open, closed }
}

test('the data are beside the program, as root too where others may pass', async () => {
  const { open, closed } = await clones()
  expect(standardDataDir(undefined, open, true)).toBe('./data')
  expect(standardDataDir(undefined, closed, false)).toBe('./data')
  expect(standardDataDir('postgres://elsewhere/db', closed, true)).toBe('./data')
})

test('as root in a closed folder the data are in one of the system, each place in its own', async () => {
  const { closed } = await clones()
  const chosen = standardDataDir(undefined, closed, true)
  expect(chosen).toMatch(/^\/var\/lib\/longreach\/portal-[0-9a-f]{8}$/)
  expect(standardDataDir(undefined, closed, true)).toBe(chosen)
  await chmod(closed, 0o700)
  expect(standardDataDir(undefined, path.dirname(closed), true)).not.toBe(chosen)
})
