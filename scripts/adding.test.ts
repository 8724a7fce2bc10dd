import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstLoads } from '../apps/portal/bundle-size.ts'
import { buildPortal } from '../apps/server/src/build-portal.ts'
import { edgeSource } from './examples/edge-source.ts'
import { resource } from './examples/resource.ts'
import { section } from './examples/section.ts'
import { service } from './examples/service.ts'
import { addTo, copyProject, runIn, sharedFiles } from './project-copy.ts'

// The lists of CONTRIBUTING ("Adding things"), followed in a copy of the project.
const examples = [section, resource, service, edgeSource]
const files = examples.flatMap((one) => Object.keys(one.files))

let copy: Awaited<ReturnType<typeof copyProject>>
let firstBefore: ReturnType<typeof firstLoads>

beforeAll(async () => {
  copy = await copyProject()
  // Before anything is added the copy is the project itself, whose portal is most likely built.
  await buildPortal(() => undefined).served
  firstBefore = firstLoads()
  for (const one of examples) await addTo(copy.folder, one)
}, 300_000)
afterAll(() => copy.remove())

/** First loads of the portal that the copy holds now. */
async function loadsOfCopy() {
  const [root, outDir] = [path.join(copy.folder, 'apps/portal'), path.join(copy.folder, 'built')]
  const options = { root, logLevel: 'error', build: { outDir, emptyOutDir: true } }
  const program = path.join(root, 'build.mjs')
  await writeFile(
    program,
    `import { build } from 'vite'\nawait build(${JSON.stringify(options)})\n`,
  )
  const { ok, text } = await runIn(root, [program])
  expect(text).toBe('')
  expect(ok).toBe(true)
  return firstLoads(outDir)
}

test('a section changes no shared file; a resource with a permission three; a source of the agent two', () => {
  expect(sharedFiles(section)).toEqual([])
  expect(sharedFiles(resource)).toEqual([
    'packages/authorization/src/permissions.ts',
    'services/mappings/src/contract.ts',
    'services/mappings/src/service.ts',
  ])
  expect(sharedFiles(edgeSource)).toEqual([
    'apps/edge/src/source-settings.ts',
    'apps/edge/src/sources.ts',
  ])
})

test('a service changes the list of services and the dependencies of the server', () => {
  expect(sharedFiles(service)).toEqual(['apps/server/src/services.ts', 'apps/server/package.json'])
})

test('what is added keeps the boundaries and the format', async () => {
  const boundaries = await runIn(copy.folder, ['scripts/boundaries.ts'])
  expect(boundaries).toEqual({ ok: true, text: expect.stringMatching(/ 0 faults\n$/) })
  const formatted = await runIn(copy.folder, ['node_modules/oxfmt/bin/oxfmt', '--check', ...files])
  expect(formatted).toMatchObject({ ok: true })
})

test('the section is found, the resource asks for its permission, the service answers, the source reads', async () => {
  const added = files.filter((file) => file.endsWith('.test.ts'))
  expect(added).toHaveLength(examples.length)
  const shared = ['apps/portal/src/parts/words/words.test.ts', 'scripts/dependencies.test.ts']
  const report = path.join(copy.folder, 'report.json')
  const { text } = await runIn(copy.folder, [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...['services', 'apps', 'portal'].flatMap((name) => ['--project', name]),
    '--reporter=json',
    `--outputFile=${report}`,
    ...added,
    ...shared,
  ])
  if (!existsSync(report)) throw new Error(text)
  const ran = JSON.parse(await readFile(report, 'utf8')) as Report
  const failed = ran.testResults.flatMap(({ name, message, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'passed')
      .map(({ title, failureMessages }) => [title, ...failureMessages])
      .concat(message ? [[name, message]] : []),
  )
  expect(failed).toEqual([])
  const names = ran.testResults.map(({ name }) => path.relative(copy.folder, name))
  expect(names.toSorted()).toEqual([...added, ...shared].toSorted())
})

type Report = {
  testResults: {
    name: string
    message: string
    assertionResults: { title: string; status: string; failureMessages: string[] }[]
  }[]
}

/** Bytes of a changed hash in names of files. */
const noise = 32
/** Bytes after gzip of a section in the scripts of the first page: its name, icon, address and rights. */
const mostOfOne = 300

test('the first load is made of the same files, and two sections and a service add little to it', async () => {
  const first = await loadsOfCopy()
  const named = (of: typeof first) => of.map(({ what, files: names }) => [what, names])
  expect(named(first)).toEqual(named(firstBefore))
  const [signIn = 0, devices = 0] = first.map(
    ({ bytes }, at) => bytes - (firstBefore[at]?.bytes ?? 0),
  )
  expect(signIn).toBeLessThan(noise)
  expect(devices).toBeGreaterThan(noise) // the sections are there
  expect(devices).toBeLessThan(2 * mostOfOne)
})
