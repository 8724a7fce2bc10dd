import { expect, test } from 'vitest'
import { wordsIn } from './word-places.ts'

test.for([
  ['../../sections/devices/locales/en.json', { language: 'en', name: 'devices' }],
  ['../../sections/devices/locales/gateway/de.json', { language: 'de', name: 'gateway' }],
  ['./locales/errors/fr.json', { language: 'fr', name: 'errors' }],
  ['/portal/packages/ui/locales/it.json', { language: 'it', name: 'ui' }],
  ['../../sections/devices/places.json', undefined],
] as const)('%s is a file of words by its place', ([path, found]) => {
  expect(wordsIn(path)).toEqual(found)
})
