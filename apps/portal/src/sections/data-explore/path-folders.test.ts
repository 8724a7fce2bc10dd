import { expect, test } from 'vitest'
import { foldersOf } from './path-folders.ts'
import { readFavourites } from './use-favourites.ts'

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

test('favourites that another program spoilt are none', () => {
  expect(readFavourites('{')).toEqual([])
  expect(readFavourites('[{"device":"d","path":"p"},{"device":1},null]')).toEqual([
    { device: 'd', path: 'p' },
  ])
  expect(readFavourites(undefined)).toEqual([])
})
