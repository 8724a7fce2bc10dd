import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { linkOwnPackages } from './own-packages.ts'

test('a version that an older one laid ready finds the packages that the older one did not know', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'longreach-packages-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const scope = path.join(root, 'node_modules/@longreach')
  await mkdir(scope, { recursive: true })
  for (const name of ['known', 'unknown']) {
    await mkdir(path.join(root, 'packages', name), { recursive: true })
    await writeFile(path.join(root, 'packages', name, 'package.json'), name)
  }
  await symlink(path.join(root, 'packages/known'), path.join(scope, 'known'), 'junction')
  await linkOwnPackages(root)
  await linkOwnPackages(root)
  for (const name of ['known', 'unknown'])
    expect(await readFile(path.join(scope, name, 'package.json'), 'utf8')).toBe(name)
})
