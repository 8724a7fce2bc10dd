import { expect, test } from 'vitest'
import { faultsOfLanguage, untypedCalls, unusedIds, type WordFile } from './message-rules.ts'

const file = (language: string, texts: WordFile['texts'], name = 'tools') => ({
  language,
  name,
  texts,
})

test('a missing id, an unknown id and another placeholder are faults of a language', () => {
  const english = file('en', {
    name: 'Name',
    count: '{count, plural, one {# tool} other {# tools}}',
  })
  const german = file('de', {
    count: '{total, plural, one {# Ding} other {# Dinge}}',
    extra: 'Mehr',
  })
  expect(faultsOfLanguage([english, german], 'de')).toEqual([
    'de: tools.name is missing',
    'de: tools.extra is not in English',
    'de: tools.count has other placeholders than in English',
  ])
})

test('other plural forms and another order of placeholders are no faults', () => {
  const english = file('en', { moved: '{count, plural, one {a tool} other {# tools}} to {place}' })
  const italian = file('it', {
    moved: 'a {place}: {count, plural, one {# cosa} many {# di cose} other {# cose}}',
  })
  expect(faultsOfLanguage([english, italian], 'it')).toEqual([])
})

test('files of one name in several folders count as one', () => {
  const files = [file('en', { a: 'A' }), file('en', { b: 'B' }), file('fr', { a: 'A', b: 'B' })]
  expect(faultsOfLanguage(files, 'fr')).toEqual([])
})

test('an id is used if a source has it in quotes or can compose it', () => {
  const sources = ["t('tools.name')", 't(`tools.kind.${kind}`)', 't(`${screw}.${nail}`)']
  expect(unusedIds(['tools.name', 'tools.kind.drill', 'tools.kinds'], sources)).toEqual([
    'tools.kinds',
  ])
})

test('an inserted value has no dot, except for codes', () => {
  expect(unusedIds(['tools.kind.drill.help'], ['t(`tools.kind.${kind}`)'])).toHaveLength(1)
  expect(unusedIds(['errors.core.not_found'], ['find(`errors.${code}`)'])).toEqual([])
})

test('formatMessage is found, as it takes any text as id', () => {
  expect(untypedCalls("intl.formatMessage({ id: 'tools.nmae' })")).toBe(1)
  expect(untypedCalls('intl.formatNumber(1)')).toBe(0)
})
