import { expect, test } from 'vitest'
import { missingScopes, rulesInFile } from './import-file.ts'

test('rules of an exported file are read; another file is none', () => {
  const rule = { name: 'Too hot' }
  expect(rulesInFile(JSON.stringify({ rules: [{ below: true, rule }, { rule }] }))).toEqual([
    { below: true, rule },
    { below: false, rule },
  ])
  for (const text of ['', '[]', '{"rules":1}', '{"rules":[1]}', 'a,b,c'])
    expect(rulesInFile(text)).toBeUndefined()
})

test('what the rules are for and is not here is named once', () => {
  const missing = (path: string) => ({ issues: [{ place: 'scope.model', params: { path } }] })
  const other = { issues: [{ place: 'when.path', params: { path: 'x' } }] }
  expect(missingScopes([missing('Oven:1'), missing('Oven:1'), other, missing('Pump:2')])).toEqual([
    'Oven:1',
    'Pump:2',
  ])
})
