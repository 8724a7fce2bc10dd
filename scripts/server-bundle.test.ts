import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bundledProgram, bundlesOf, currentOf, stateOf } from './server-bundle.mjs'

const program = 'apps/server/src/main.ts'
const others = ['packages/kit/src/one.ts', 'package-lock.json']

/** A project of three sources whose programs were joined. */
async function joined() {
  const root = await mkdtemp(path.join(os.tmpdir(), 'longreach-bundle-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const sources = [program, ...others]
  for (const source of sources) {
    await mkdir(path.dirname(path.join(root, source)), { recursive: true })
    await writeFile(path.join(root, source), source)
  }
  const file = path.join(bundlesOf(root), 'newest/main.js')
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, '')
  const states = Object.fromEntries(sources.map((source) => [source, stateOf(root, source)]))
  const current = { folder: 'newest', programs: { [program]: 'main.js' }, sources: states }
  await writeFile(currentOf(root), JSON.stringify(current))
  return { root, file }
}

test('a program runs from its joined file while every source is as it was', async () => {
  const { root, file } = await joined()
  expect(bundledProgram(root, program)).toBe(file)
  expect(bundledProgram(root, 'apps/edge/src/main.ts')).toBeUndefined()
  expect(bundledProgram(path.join(root, 'elsewhere'), program)).toBeUndefined()
})

test.each([program, ...others])(
  'a program runs from its sources once %s changed',
  async (source) => {
    const place = (root: string) => path.join(root, source)
    const later = await joined()
    await utimes(place(later.root), new Date(), new Date(Date.now() + 5_000))
    expect(bundledProgram(later.root, program)).toBeUndefined()
    const longer = await joined()
    await writeFile(place(longer.root), 'more than it was')
    expect(bundledProgram(longer.root, program)).toBeUndefined()
    const gone = await joined()
    await rm(place(gone.root))
    expect(bundledProgram(gone.root, program)).toBeUndefined()
  },
)

test('a program runs from its sources where its joined file is not there', async () => {
  const { root, file } = await joined()
  await rm(file)
  expect(bundledProgram(root, program)).toBeUndefined()
})
