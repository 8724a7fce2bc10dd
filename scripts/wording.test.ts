import { expect, test } from 'vitest'
import { faultsInCode, faultsInDocument, faultsInTexts, listFaults } from './wording-rules.ts'

const openings = [
  'What',
  'Who',
  'Whose',
  'Whom',
  'Where',
  'Whether',
  'How',
  'When',
  'That',
  'Which',
  'If',
]

test.each(openings)('a docstring that begins with %s is refused', (word) => {
  expect(faultsInCode(`/** ${word} it is. */\nconst a = 1\n`)).toHaveLength(1)
  expect(faultsInCode(`const a = 1\n/**\n * ${word} it is,\n * at length.\n */\n`)).toEqual([
    { line: 2, text: expect.stringContaining(`"${word}"`) },
  ])
})

test('a docstring that begins with a noun passes, also one that begins like a refused word', () => {
  expect(faultsInCode('/** Whole number of a row, where it has one. */')).toEqual([])
  expect(faultsInCode('/** Host that serves the page. */')).toEqual([])
})

test('a plain comment may begin with any word', () => {
  expect(faultsInCode('// When the disk is full, PostgreSQL ends.')).toEqual([])
})

const metaphors = [
  'by the other door',
  'a service of the house',
  'rings the bell',
  'the tide of calls',
  'the person who answers-for it',
  'makes itself at home',
  'a dear call',
  'knocks again',
  'lets others breathe',
  'says goodbye',
  'calls that shut out the owner',
  'hears of it',
  'is looked after',
  'whoever asks',
  'worth a closer look',
  'made for longer',
  'knows nothing of it',
  'without a promise',
  'nobody is connected',
]

test.each(metaphors)('"%s" is refused in comments and documents', (text) => {
  expect(faultsInCode(`const a = 1 // ${text}`)).toHaveLength(1)
  expect(faultsInCode(`/** Call: ${text}. */`)).toHaveLength(1)
  expect(faultsInDocument(`# Title\n\nIt is ${text}.\n`)).toEqual([
    { line: 3, text: expect.stringContaining('write') },
  ])
})

test('the start page is called home', () => {
  expect(faultsInCode('// The order of sections on the home page.')).toEqual([])
  expect(faultsInDocument('Home shows devices first.')).toEqual([])
})

test('names in code and code in documents are not judged', () => {
  expect(
    faultsInCode("const door = 'the house'\n// Name of the field `dear` in the contract."),
  ).toEqual([])
  expect(faultsInDocument('```sh\nnpm run door\n```\n\nThe field `dear`.')).toEqual([])
})

test('a glob pattern in code is no comment', () => {
  expect(faultsInCode("glob('apps/*/What/**/x.ts')\nconst url = 'http://door'")).toEqual([])
})

test('a count above the list fails, one below asks to lower the number, an equal one passes', () => {
  const counts = new Map([
    ['a', 3],
    ['b', 1],
    ['c', 2],
  ])
  expect(listFaults(counts, { a: 2, b: 1, c: 4, d: 1 })).toEqual([
    { area: 'a', text: '3 faults of wording, 2 allowed', isHigher: true },
    { area: 'c', text: expect.stringContaining('lower the number'), isHigher: false },
    { area: 'd', text: expect.stringContaining('lower the number'), isHigher: false },
  ])
})

const phrases = [
  'It is not there, or no longer.',
  'Das gibt es nicht oder nicht mehr.',
  'There is no such organization for you.',
  'Cette organisation n’existe pas pour vous.',
  'The link in this mail is dead.',
  'El enlace de este correo ya no sirve.',
  'That is more than one call answers. Ask for fewer.',
  'Meanwhile another device has this name.',
  'Nel frattempo un altro dispositivo ha questo nome.',
  'This is needed.',
  'This is of the wrong kind.',
  'Do not',
  'Look into your mail',
  'For whoever helps you',
  'Shut myself out',
  'Mich aussperren',
  'Good until {time}',
  'Counts',
  'Least of each step',
  'Greatest of each step',
  'Replace by the filters of now',
  'Choose a value to see its course',
  'Roomy',
]

test.each(phrases)('the text "%s" is refused', (text) => {
  const faults = faultsInTexts(`{\n  "key": ${JSON.stringify(text)}\n}\n`)
  expect(faults[0]).toEqual({ line: 2, text: expect.stringContaining(`"${text}": write`) })
  expect(faultsInTexts(`const words = {\n  key: '${text}',\n}\n`)).not.toEqual([])
})

test('what other products say passes', () => {
  const texts = [
    'Not found. It may have been deleted.',
    'Cancel',
    'Value counts',
    'meanwhile {value}',
  ]
  expect(texts.flatMap((text) => faultsInTexts(JSON.stringify({ text })))).toEqual([])
})
