import { expect, test } from 'vitest'
import { foldersOf } from './path-folders.ts'
import { readValues } from './use-kept-values.ts'

test('model paths are folders, in the order of the model [R-16]', () => {
  const leaf = (path: string) => ({ path })
  const root = foldersOf([leaf('M:1/state'), leaf('M:1/zone1/t'), leaf('M:1/zone2/a/b')])
  expect(root.leaves).toEqual([{ path: 'M:1/state' }])
  expect(root.folders.map(({ path }) => path)).toEqual(['zone1', 'zone2'])
  expect(root.folders[1]?.folders[0]).toMatchObject({
    path: 'zone2/a',
    leaves: [{ path: 'M:1/zone2/a/b' }],
  })
})

test('a folder has the name that the model gives it [R-16]', () => {
  const root = foldersOf([{ path: 'M:1/zone1/t', group: 'Zone 1' }, { path: 'M:1/zone2/t' }])
  expect(root.folders.map(({ name, label }) => [name, label])).toEqual([
    ['zone1', 'Zone 1'],
    ['zone2', undefined],
  ])
})

test('favourites that another program spoilt are none', () => {
  expect(readValues('{', 9)).toEqual([])
  expect(readValues('[{"device":"d","path":"p"},{"device":1},null]', 9)).toEqual([
    { device: 'd', path: 'p' },
  ])
  expect(readValues(undefined, 9)).toEqual([])
})
