import { expect, test } from 'vitest'
import { bodyOf, draftOf, fieldOf } from './draft-rules.ts'
import type { Version } from './version-rules.ts'

const published = {
  type: 'PRIVACY',
  defaultName: 'Privacy',
  mandatory: false,
  link: 'https://nordwerk.example/privacy',
  acceptanceField: 'privacy',
  serviceName: 'portal',
  texts: { en: { title: 'Privacy', text: 'We keep little.' } },
} as unknown as Version // the fields that a draft begins with

test('a first version is mandatory, valid at once and has no text in any language', () => {
  const draft = draftOf(undefined)
  expect(draft).toMatchObject({ type: 'TERM', mandatory: true, start: '', end: '' })
  expect(bodyOf({ ...draft, defaultName: 'Terms' }, undefined)).toEqual({
    type: 'TERM',
    defaultName: 'Terms',
    mandatory: true,
    link: '',
    acceptanceField: '',
    texts: {},
  })
})

test('the next version begins with what the last one says, and belongs to the same service', () => {
  const draft = draftOf(published)
  expect(draft.texts.en).toEqual({ title: 'Privacy', text: 'We keep little.' })
  expect(draft.texts.de).toEqual({ title: '', text: '' })
  const body = bodyOf(draft, published)
  expect(body).toMatchObject({ serviceName: 'portal', mandatory: false, type: 'PRIVACY' })
  expect(Object.keys(body.texts ?? {})).toEqual(['en'])
})

test('a language with a title alone is sent, one with spaces alone is not', () => {
  const draft = draftOf(undefined)
  const texts = {
    ...draft.texts,
    de: { title: 'Bedingungen', text: '' },
    fr: { title: ' ', text: '\n' },
  }
  expect(Object.keys(bodyOf({ ...draft, texts }, undefined).texts ?? {})).toEqual(['de'])
})

test('the times of the form are those of the browser, and spaces around a link are not sent', () => {
  const draft = {
    ...draftOf(undefined),
    link: '  https://a.example ',
    start: '2026-07-01T10:00',
    end: '2027-01-01T00:00',
  }
  const body = bodyOf(draft, undefined)
  expect(body.validityStart).toEqual(new Date(2026, 6, 1, 10))
  expect(body.validityEnd).toEqual(new Date(2027, 0, 1))
  expect(body.link).toBe('https://a.example')
})

test('a fault of the server is shown at the field that it is about', () => {
  expect(['validityStart', 'validityEnd', 'texts.de.title'].map(fieldOf)).toEqual([
    'start',
    'end',
    'texts.de.title',
  ])
})
