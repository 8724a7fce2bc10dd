import { expect, test } from 'vitest'
import { fileText, readModelFile } from './model-file.ts'

const root = { type: 'object', instanceOf: 'Oven:1.2.0', properties: { t: { type: 'double' } } }

test.each([
  ['name and data', { name: 'Oven:1.2.0', data: root }],
  ['name and json', { name: 'Oven', json: root }],
  ['an answer', { value: { name: 'Oven', version: '1.2.0', json: root } }],
  ['the tree itself', root],
])('%s is read as a model [C-26]', (_, content) => {
  expect(readModelFile(JSON.stringify(content))).toEqual({
    file: { name: 'Oven', root },
    problems: [],
  })
})

test('what is exported is read again', () => {
  const text = fileText({ name: 'Oven', version: '1.2.0', json: root })
  expect(readModelFile(text).file).toEqual({ name: 'Oven', root })
})

test.each([
  ['{\n  "name": "Oven",\n  "data": {,}\n}', 3, 12, 'json.key'],
  ['[1]', 1, 1, 'object'],
  ['{\n  "name": "Oven",\n  "data": { "type": "object" }\n}', 3, 11, 'noModel'],
])('%j is refused with its line [V-01]', (text, line, column, rule) => {
  const { file, problems } = readModelFile(text)
  expect(file).toBeUndefined()
  expect(problems).toMatchObject([{ line, column, rule }])
})
