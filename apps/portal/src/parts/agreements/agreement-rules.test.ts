import { expect, test } from 'vitest'
import { missing, agreementText } from './agreement-rules.ts'

const agreement = (texts: Parameters<typeof agreementText>[0]['texts']) => ({
  defaultName: 'Terms of use',
  mandatory: true,
  link: '',
  texts,
})
const english = { title: 'Terms', text: 'In English.' }
const german = { title: 'Bedingungen', text: 'Auf Deutsch.' }

test('an agreement is read in the language of the person', () => {
  expect(agreementText(agreement({ en: english, de: german }), 'de')).toEqual(german)
})

test('in a language that it does not have, it is read in English', () => {
  expect(agreementText(agreement({ en: english, de: german }), 'it')).toEqual(english)
})

test('without English it is read in the language that it has, under its own name', () => {
  const fromGerman = { title: 'Terms of use', text: 'Auf Deutsch.' }
  expect(agreementText(agreement({ de: german }), 'fr')).toEqual(fromGerman)
})

test('a title alone does not hide the text of another language', () => {
  const read = agreementText(
    agreement({ de: { title: 'Bedingungen', text: '' }, en: english }),
    'de',
  )
  expect(read).toEqual({ title: 'Bedingungen', text: 'In English.' })
})

test('an agreement that is only a link has no text', () => {
  expect(agreementText(agreement({}), 'en')).toEqual({ title: 'Terms of use', text: '' })
})

test('only what must be accepted and is not accepted is missing', () => {
  const all = [
    { id: 1, mandatory: true },
    { id: 2, mandatory: false },
    { id: 3, mandatory: true },
  ]
  expect(missing(all, new Set([3]))).toEqual([1])
  expect(missing(all, new Set([1, 3]))).toEqual([])
})
