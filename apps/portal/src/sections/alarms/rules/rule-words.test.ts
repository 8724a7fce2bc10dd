import { ruleIssueCodes } from '@longreach/rules/issue'
import { sentenceIds } from '@longreach/rules/sentence'
import { expect, test } from 'vitest'
import words from '../locales/alarm-rules/en.json' with { type: 'json' }
import { daysText } from '../../../parts/words/days-text.ts'
import { piecesOf, placeOf } from '../../../parts/words/sentence-text.ts'

test('every code of a fault and every part of a sentence has words', () => {
  const known = new Set(Object.keys(words))
  expect(ruleIssueCodes.filter((code) => !known.has(`issue.${code}`))).toEqual([])
  expect(sentenceIds.filter((id) => !known.has(`s.${id}`))).toEqual([])
})

test('a text is taken apart at its fields and brackets', () => {
  expect(piecesOf(`${placeOf('path')} [is above] ${placeOf('limit')} now`)).toEqual([
    { kind: 'field', name: 'path' },
    { kind: 'words', text: ' ' },
    { kind: 'bracket', text: 'is above' },
    { kind: 'words', text: ' ' },
    { kind: 'field', name: 'limit' },
    { kind: 'words', text: ' now' },
  ])
})

test('days are named from Sunday', () => {
  expect(daysText('1,2,0', 'en')).toBe('Mon, Tue, Sun')
  expect(daysText('6', 'de')).toBe('Sa')
})
