import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')

test('each lock of a service has a name of its own, which begins with the service', () => {
  const locks = globSync('services/*/src/**/*.ts', { cwd: root }).flatMap((file) =>
    [
      ...readFileSync(path.join(root, file), 'utf8').matchAll(/holdLocks?\(\s*\w+,\s*([^,)]+)/g),
    ].map(([, name = '']) => ({ name, service: file.split(path.sep)[1] })),
  )
  expect(locks.length).toBeGreaterThan(10)
  for (const { name, service } of locks)
    expect(name).toMatch(new RegExp(`^'${service}\\.[a-z_]+'$`))
  const names = locks.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})
