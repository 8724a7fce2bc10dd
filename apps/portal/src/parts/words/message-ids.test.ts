import type { MessageId } from '@longreach/ui/use-words'
import { expect, test } from 'vitest'
import errors from './locales/errors/en.json' with { type: 'json' }

const keyOf = (id: MessageId) => id.replace('errors.', '')

test('an id that no English file has does not compile', () => {
  expect(Object.keys(errors)).toContain(keyOf('errors.internal'))
  // @ts-expect-error -- a wrong id is a fault of types
  expect(Object.keys(errors)).not.toContain(keyOf('errors.internel'))
})

test('the name of any section is an id, as sections bring it themselves', () => {
  expect(keyOf('shell.section.devices')).toBe('shell.section.devices')
})
